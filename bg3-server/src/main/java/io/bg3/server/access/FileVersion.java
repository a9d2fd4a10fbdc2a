package io.bg3.server.access;

import io.bg3.storage.file.PathStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** Tells one content of a file from another without reading it. */
final class FileVersion {
  private FileVersion() {}

  /**
   * The version of a file, empty for a file that is absent. A file that is replaced has another
   * key, one that is edited another time or size.
   */
  static String of(Path file) throws IOException {
    if (PathStatus.of(file) == PathStatus.ABSENT) {
      return "";
    }
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
    return attributes.fileKey() + " " + attributes.lastModifiedTime() + " " + attributes.size();
  }
}
