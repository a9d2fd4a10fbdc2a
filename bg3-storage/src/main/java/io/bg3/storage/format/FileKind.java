package io.bg3.storage.format;

import java.nio.charset.StandardCharsets;

/**
 * The kind of a file, and the versions of its format that this program reads. The package that owns
 * a format declares its kind.
 *
 * @param name one to twelve ASCII letters; stored in the file
 * @param oldest the oldest version that can be read
 * @param newest the newest version that can be read, and the one that is written
 */
public record FileKind(String name, int oldest, int newest) {
  static final int MAX_NAME = 12;

  /**
   * Checks the name and the versions.
   *
   * @throws IllegalArgumentException if the name does not fit or the versions are not in order
   */
  public FileKind {
    if (!name.matches("[a-z]{1," + MAX_NAME + "}")) {
      throw new IllegalArgumentException("file kind needs 1 to 12 letters: name=" + name);
    }
    if (oldest < 1 || newest < oldest) {
      throw new IllegalArgumentException(
          "file kind needs 1 <= oldest <= newest: oldest=" + oldest + ", newest=" + newest);
    }
  }

  byte[] bytes() {
    return name.getBytes(StandardCharsets.US_ASCII);
  }
}
