package io.bg3.transfer;

import java.nio.file.Path;

/**
 * Where in a file something stands.
 *
 * @param unit what is counted; empty for lines
 * @param number of it, from 1
 */
public record Place(Path file, String unit, long number) {
  /** A line of a file of text. */
  public static Place line(Path file, long line) {
    return new Place(file, "", line);
  }

  @Override
  public String toString() {
    return unit.isEmpty() ? file + ":" + number : file + ", " + unit + " " + number;
  }
}
