package io.bg3.transfer;

/**
 * A row that was skipped: a line of a CSV file, or a vertex or an edge of another format.
 *
 * @param reason why it was skipped, and which part of it is wrong
 */
public record BadRow(FilePosition place, String reason) {
  @Override
  public String toString() {
    return place + ": " + reason;
  }
}
