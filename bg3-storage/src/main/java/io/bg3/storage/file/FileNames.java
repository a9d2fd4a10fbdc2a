package io.bg3.storage.file;

import java.util.regex.Pattern;

/** The names that a file may have. */
final class FileNames {
  private static final Pattern VALID = Pattern.compile("[A-Za-z][A-Za-z0-9.-]*");

  private FileNames() {}

  /**
   * Returns {@code name}.
   *
   * @throws IllegalArgumentException if it could lead out of the directory or hide in it
   */
  static String checked(String name) {
    if (!VALID.matcher(name).matches()) {
      throw new IllegalArgumentException("no file name: name=" + name);
    }
    return name;
  }
}
