package io.bg3.cli;

import io.bg3.transfer.GraphFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * The disk space that a sorted load of files needs, estimated before it begins: its sorted runs
 * stand beside the store, and shrink as the store grows.
 *
 * @param bytes that the runs and the store take together, at most
 */
record LoadSpace(long bytes) {
  /** So many times the bytes of a file are the bytes of its text, if it is compressed. */
  private static final int UNPACKED = 6;

  /**
   * Sorted runs, the store and its log took twice the bytes of CSV files when this was measured.
   */
  private static final int COPIES = 2;

  private static final double MEGA = 1e6;

  /** The space for some files. */
  static LoadSpace of(List<GraphFile> files) throws IOException {
    long bytes = 0;
    for (GraphFile file : files) {
      boolean packed = file.path().toString().toLowerCase(Locale.ROOT).endsWith(".gz");
      bytes += COPIES * Files.size(file.path()) * (packed ? UNPACKED : 1);
    }
    return new LoadSpace(bytes);
  }

  /** Why a directory has no room for a sorted load; null if it has. */
  String shortage(Path directory) throws IOException {
    long free = Files.getFileStore(directory).getUsableSpace();
    return free >= bytes
        ? null
        : String.format(
            Locale.ROOT,
            "the disk may be too small for the sorted edges beside the store: free=%,.0f MB,"
                + " needed=%,.0f MB",
            free / MEGA,
            bytes / MEGA);
  }
}
