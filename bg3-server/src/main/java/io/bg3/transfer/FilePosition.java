package io.bg3.transfer;

import java.nio.file.Path;

/**
 * A place in a file.
 *
 * @param unit name of the counted parts; empty for lines
 * @param number of the part, from 1
 */
public record FilePosition(Path file, String unit, long number) {
  /** The place of a line in a text file. */
  public static FilePosition line(Path file, long line) {
    return new FilePosition(file, "", line);
  }

  @Override
  public String toString() {
    return unit.isEmpty() ? file + ":" + number : file + ", " + unit + " " + number;
  }
}
