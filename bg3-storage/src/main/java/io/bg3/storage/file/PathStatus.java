package io.bg3.storage.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The kind of file that a path names. {@link Files#exists} and its relatives answer {@code false}
 * when the file system cannot tell, so that a disk that fails looks like an empty one; this throws
 * then.
 */
public enum PathStatus {
  /** Nothing. */
  ABSENT,
  /** A regular file. */
  FILE,
  /** A directory. */
  DIRECTORY,
  /** Something else, such as a socket; a symbolic link where links are not followed. */
  OTHER;

  /**
   * Looks at a path.
   *
   * @param links whether to follow symbolic links, which is the default
   * @throws IOException if the file system cannot tell what is there
   */
  public static PathStatus of(Path path, LinkOption... links) throws IOException {
    BasicFileAttributes attributes;
    try {
      attributes = Files.readAttributes(path, BasicFileAttributes.class, links);
    } catch (NoSuchFileException e) {
      return ABSENT;
    }
    if (attributes.isRegularFile()) {
      return FILE;
    }
    return attributes.isDirectory() ? DIRECTORY : OTHER;
  }
}
