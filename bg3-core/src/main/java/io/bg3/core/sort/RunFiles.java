package io.bg3.core.sort;

import io.bg3.storage.file.Disk;
import java.io.IOException;

/** The names of the files of sorted runs. */
final class RunFiles {
  private static final String PREFIX = "sort-";
  private static final String SUFFIX = ".run";

  private RunFiles() {}

  /** The name of a file; each run has several, counted from 0. */
  static String name(int run, int file) {
    return PREFIX + run + "-" + file + SUFFIX;
  }

  /** Deletes the files that are there, of whatever sort. */
  static void deleteAll(Disk disk) throws IOException {
    for (String name : disk.list()) {
      if (name.startsWith(PREFIX) && name.endsWith(SUFFIX)) {
        disk.deleteIfThere(name);
      }
    }
  }
}
