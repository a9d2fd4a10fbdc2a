package io.bg3.storage.log;

/**
 * What a log is told.
 *
 * @param store id of the store, random and not known to clients: it seeds the checksums of record
 *     headers, so that no payload can pass for a record
 * @param segmentMin bytes of the first segment's file, a power of two of at least 8 KiB; each
 *     further one is twice as large
 * @param segmentMax bytes of the largest segment's file, a power of two, at most 1 GiB
 * @param pendingLimit bytes that may wait to be written before {@link WriteAheadLog#reserve} makes
 *     committers wait
 * @param bufferSize bytes that are handed to the file at once, a multiple of 8 of at least 4 KiB
 */
public record LogSettings(
    long store, int segmentMin, int segmentMax, long pendingLimit, int bufferSize) {
  private static final int MIB = 1 << 20;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a value is outside its range
   */
  public LogSettings {
    if (Integer.bitCount(segmentMin) != 1 || segmentMin < 2 * SegmentHeader.RESERVED) {
      throw new IllegalArgumentException(
          "segment size must be a power of two from 8 KiB on: segmentMin=" + segmentMin);
    }
    if (Integer.bitCount(segmentMax) != 1 || segmentMax < segmentMin || segmentMax > 1024 * MIB) {
      throw new IllegalArgumentException(
          "segment size must be a power of two between the smallest and 1 GiB: segmentMin="
              + segmentMin
              + ", segmentMax="
              + segmentMax);
    }
    if (pendingLimit < 1) {
      throw new IllegalArgumentException("limit must be positive: pendingLimit=" + pendingLimit);
    }
    if (bufferSize < 4096 || bufferSize % LogRecord.ALIGNMENT != 0) {
      throw new IllegalArgumentException(
          "buffer must be a multiple of 8 from 4 KiB on: bufferSize=" + bufferSize);
    }
  }

  /** Segments from 1 to 64 MiB, 64 MiB pending, 1 MiB at once. */
  public static LogSettings of(long store) {
    return new LogSettings(store, MIB, 64 * MIB, 64L * MIB, MIB);
  }
}
