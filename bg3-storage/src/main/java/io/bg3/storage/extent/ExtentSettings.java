package io.bg3.storage.extent;

import java.util.function.LongSupplier;

/**
 * What the extents are told.
 *
 * @param store id of the store
 * @param extentSize most bytes of an extent's file, a multiple of 8 from 1 KiB to 128 MiB; a record
 *     that does not fit gets an extent of its own size
 * @param openFiles how many files of extents that are not written to may stay open
 * @param clock milliseconds since 1970, for the ages in usage rows
 */
public record ExtentSettings(long store, int extentSize, int openFiles, LongSupplier clock) {
  static final int SMALLEST = 1 << 10;
  static final int LARGEST = 1 << 27;

  private static final int DEFAULT_OPEN_FILES = 512;

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

  /** Extents of this size, up to 512 open files, the system's clock. */
  public static ExtentSettings of(long store, int extentSize) {
    return new ExtentSettings(store, extentSize, DEFAULT_OPEN_FILES, System::currentTimeMillis);
  }
}
