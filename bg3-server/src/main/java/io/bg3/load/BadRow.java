package io.bg3.load;

import java.nio.file.Path;

/**
 * A row that was left out.
 *
 * @param line the line of the file where the row begins, from 1
 */
public record BadRow(Path file, long line, String reason) {
  @Override
  public String toString() {
    return file + ":" + line + ": " + reason;
  }
}
