package io.bg3.storage.log;

/**
 * The settings of a log.
 *
 * @param store id of the store, random and not known to clients: it seeds the checksums of record
 *     headers, so that no payload can pass for a record
 * @param segmentMin bytes of the first segment's file, a power of two of at least 8 KiB; each
 *     further one is twice as large
 * @param segmentMax bytes of the largest segment's file, a power of two, at most 1 GiB
 * @param pendingLimit bytes that may wait to be written before {@link WriteAheadLog#reserve} makes
 *     committers wait
 * @param bufferSize bytes that are handed to the file at once, a multiple of 8 of at least 4 KiB
 * @param spareLimit bytes of segments that are kept, once they are not needed any more, to become
 *     new ones
 * @param zeroed when a new segment's zeros are on the disk
 */
public record LogSettings(
    long store,
    int segmentMin,
    int segmentMax,
    long pendingLimit,
    int bufferSize,
    long spareLimit,
    Zeroed zeroed) {
  /** When the zeros of a new segment are on the disk. */
  public enum Zeroed {
    /**
     * Before the first record comes: then the file system has nothing to note when a record is
     * synced, which halves the time of a sync.
     */
    AHEAD,
    /**
     * With the records that replace them: then the disk gets each byte once. For a log that is
     * synced rarely.
     */
    WITH_RECORDS
  }

  private static final int MIB = 1 << 20;

  /**
   * Segments that a log has besides what is between its ends at most: what the first held before,
   * the rest of the last, and one that is prepared when half of the last is full.
   */
  private static final int SEGMENTS_BESIDES = 3;

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
    if (spareLimit < 0) {
      throw new IllegalArgumentException("limit must not be negative: spareLimit=" + spareLimit);
    }
  }

  /** Segments that are not used again, and are zeroed on the disk before records come. */
  public LogSettings(
      long store, int segmentMin, int segmentMax, long pendingLimit, int bufferSize) {
    this(store, segmentMin, segmentMax, pendingLimit, bufferSize, 0, Zeroed.AHEAD);
  }

  /**
   * These settings, with segments that are used again.
   *
   * @param bytes of such segments that are kept at most
   */
  public LogSettings keeping(long bytes) {
    return new LogSettings(store, segmentMin, segmentMax, pendingLimit, bufferSize, bytes, zeroed);
  }

  /** The longest log whose files stay below so many bytes. */
  public long lengthWithin(long bytes) {
    return (bytes / segmentMax - SEGMENTS_BESIDES) * (segmentMax - SegmentHeader.RESERVED);
  }

  /** These settings, with another moment at which zeros are on the disk. */
  public LogSettings zeroed(Zeroed when) {
    return new LogSettings(
        store, segmentMin, segmentMax, pendingLimit, bufferSize, spareLimit, when);
  }

  /** Segments from 1 to 16 MiB, 64 MiB pending, 1 MiB at once. */
  public static LogSettings of(long store) {
    return new LogSettings(store, MIB, 16 * MIB, 64L * MIB, MIB);
  }
}
