package io.bg3.storage.extent;

import io.bg3.storage.file.FileLimit;
import java.util.function.LongSupplier;

/**
 * The settings of the extents.
 *
 * @param store id of the store
 * @param extentSize most bytes of an extent's file, a multiple of 8 from 1 KiB to 128 MiB; a record
 *     that does not fit gets an extent of its own size
 * @param openFiles how many files of extents that are not written to may stay open
 * @param direct whether records are read past the system's cache where the file system can
 * @param clock milliseconds since 1970, for the times of the newest records
 */
public record ExtentSettings(
    long store, int extentSize, int openFiles, boolean direct, LongSupplier clock) {
  static final int SMALLEST = 1 << 10;
  static final int LARGEST = 1 << 27;

  /** Files that may always be open, however few the process may open. */
  private static final int FEWEST_OPEN_FILES = 64;

  /** An open file takes about a kilobyte of the heap. */
  private static final int MOST_OPEN_FILES = 1 << 16;

  /**
   * Of the files that the process may open. An extent that this process has written to holds three
   * of them, one to sync it by and one for direct reads; half of all is for the log, connections
   * and libraries.
   */
  private static final int OPEN_FILES_SHARE = 6;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a value is outside its range
   */
  public ExtentSettings {
    if (extentSize < SMALLEST || extentSize > LARGEST || extentSize % Location.ALIGNMENT != 0) {
      throw new IllegalArgumentException(
          "extent size must be a multiple of 8 from 1 KiB to 128 MiB: extentSize=" + extentSize);
    }
    if (openFiles < 1) {
      throw new IllegalArgumentException("open files must be positive: openFiles=" + openFiles);
    }
  }

  /** Settings with reads through the system's cache. */
  public ExtentSettings(long store, int extentSize, int openFiles, LongSupplier clock) {
    this(store, extentSize, openFiles, false, clock);
  }

  /**
   * Extents of this size that are read through the system's cache, the system's clock, and a sixth
   * as many open files as the process may open: 64 at least, 65,536 at most.
   */
  public static ExtentSettings of(long store, int extentSize) {
    return new ExtentSettings(
        store, extentSize, defaultOpenFiles(), false, System::currentTimeMillis);
  }

  /**
   * These settings with another number of open files.
   *
   * @param files 1 or more
   */
  public ExtentSettings withOpenFiles(int files) {
    return new ExtentSettings(store, extentSize, files, direct, clock);
  }

  /** These settings, with direct reads or without. */
  public ExtentSettings withDirect(boolean reads) {
    return new ExtentSettings(store, extentSize, openFiles, reads, clock);
  }

  private static int defaultOpenFiles() {
    long share = FileLimit.ofProcess() / OPEN_FILES_SHARE;
    return (int) Math.max(FEWEST_OPEN_FILES, Math.min(share, MOST_OPEN_FILES));
  }
}
