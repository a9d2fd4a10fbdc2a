package io.bg3.transfer;

/**
 * A row that was left out: a line of a CSV file, or a vertex or an edge of another.
 *
 * @param reason why, and which part of it
 */
public record BadRow(Place place, String reason) {
  @Override
  public String toString() {
    return place + ": " + reason;
  }
}
