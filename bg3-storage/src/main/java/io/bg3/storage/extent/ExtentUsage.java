package io.bg3.storage.extent;

import io.bg3.storage.format.CorruptionException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The written and the live bytes of one extent at one moment; a row in the manifest.
 *
 * <pre>
 *  offset  size  field
 *       0     4  extent       its number
 *       4     1  stream       0 BASE, 1 DELTA, 2 VALUE, 3 MAP
 *       5     1  sealed       0 appended to, 1 sealed
 *       6     1  origin       0 records as they were made, 1 records moved here from other extents
 *       7     1  family       what expires together, from 1 to 255; 0 for what does not
 *       8     8  written      end of the last record in the file
 *      16     8  stored       bytes of all its records
 *      24     8  live         bytes of the records that are referred to
 *      32     8  liveRecords  their number
 *      40     8  newest       time of the newest record, milliseconds since 1970; of a family, of the newest entry
 *      48     8  garbage      garbage gained lately, as a double: a byte gained before a bytes were appended counts e^(-a / window)
 *      56     8  windowEnd    the moment that garbage refers to: bytes appended to all extents until then
 * </pre>
 *
 * <p>Ages are counted in bytes appended to the store, because reclaiming is driven by bytes: a
 * store that is not written to does not age.
 *
 * <p>Integers are little-endian. Bytes of records are counted as their locations tell them, up to
 * an eighth too high, so that letting go of a record takes away what appending it added.
 *
 * <ul>
 *   <li>U1: {@code 0 <= live <= stored}, and live is 0 if and only if liveRecords is.
 *   <li>U2: written is a multiple of 8, and not less than the file's header.
 *   <li>U3: the extent's number is not 0, stream, sealed and origin have one of the values above.
 *   <li>U4: garbage is a number, and neither it nor windowEnd is negative.
 * </ul>
 *
 * @param extent its number
 * @param stream what it holds
 * @param sealed whether it will never be appended to again
 * @param moved whether its records were moved here from other extents
 * @param family what its records expire with; 0 if they do not
 * @param written end of the last record in the file
 * @param stored bytes of all its records
 * @param live bytes of the records that are referred to
 * @param liveRecords their number
 * @param newest time of the newest record, in milliseconds since 1970; of a family, as the caller
 *     says it
 * @param garbage bytes of garbage gained lately
 * @param windowEnd bytes that had been appended to all extents when this row was made
 */
public record ExtentUsage(
    int extent,
    Stream stream,
    boolean sealed,
    boolean moved,
    int family,
    long written,
    long stored,
    long live,
    long liveRecords,
    long newest,
    double garbage,
    long windowEnd) {
  static final int EXTENT = 0;
  static final int STREAM = EXTENT + Integer.BYTES;
  static final int SEALED = STREAM + Byte.BYTES;
  static final int ORIGIN = SEALED + Byte.BYTES;
  static final int FAMILY = ORIGIN + Byte.BYTES;
  static final int WRITTEN = FAMILY + Byte.BYTES;
  static final int STORED = WRITTEN + Long.BYTES;
  static final int LIVE = STORED + Long.BYTES;
  static final int LIVE_RECORDS = LIVE + Long.BYTES;
  static final int NEWEST = LIVE_RECORDS + Long.BYTES;
  static final int GARBAGE = NEWEST + Long.BYTES;
  static final int WINDOW_END = GARBAGE + Double.BYTES;

  /** Bytes of a row. */
  public static final int ENCODED_LENGTH = WINDOW_END + Long.BYTES;

  /** Of an extent whose records do not expire. */
  public ExtentUsage(
      int extent,
      Stream stream,
      boolean sealed,
      boolean moved,
      long written,
      long stored,
      long live,
      long liveRecords,
      long newest,
      double garbage,
      long windowEnd) {
    this(
        extent,
        stream,
        sealed,
        moved,
        0,
        written,
        stored,
        live,
        liveRecords,
        newest,
        garbage,
        windowEnd);
  }

  /** Share of the stored bytes that nobody refers to, from 0 to 1. */
  public double fragmentation() {
    return stored == 0 ? 0 : (double) (stored - live) / stored;
  }

  /**
   * Bytes of the file that are referred to, not above {@code written}: the wanted share of it,
   * since {@code stored} and {@code live} are both counted up to an eighth too high.
   */
  public long liveInFile() {
    return stored == 0 ? 0 : (long) ((double) live / stored * written);
  }

  /**
   * Bytes of garbage gained lately for each byte that was appended to the store.
   *
   * @param window the bytes in which the weight of garbage falls to 1/e, {@link ExtentStore#window}
   */
  public double updateGradient(long window) {
    return garbage / window;
  }

  /**
   * The usage of this extent if only so much of it were live.
   *
   * @param bytes of the records wanted, not above {@code live}
   * @param records their number
   */
  public ExtentUsage withLive(long bytes, long records) {
    return new ExtentUsage(
        extent, stream, sealed, moved, family, written, stored, bytes, records, newest, garbage,
        windowEnd);
  }

  /** This row without its recent garbage; for one whose ages are not in bytes. */
  public ExtentUsage withoutWindow() {
    return new ExtentUsage(
        extent, stream, sealed, moved, family, written, stored, live, liveRecords, newest, 0, 0);
  }

  /**
   * Puts the row at the buffer's position, whatever the buffer's byte order, and moves behind it.
   */
  public void encode(ByteBuffer to) {
    assert valid() : this;
    ByteBuffer row = to.slice(to.position(), ENCODED_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    row.putInt(EXTENT, extent);
    row.put(STREAM, (byte) stream.code());
    row.put(SEALED, (byte) (sealed ? 1 : 0));
    row.put(ORIGIN, (byte) (moved ? 1 : 0));
    row.put(FAMILY, (byte) family);
    row.putLong(WRITTEN, written);
    row.putLong(STORED, stored);
    row.putLong(LIVE, live);
    row.putLong(LIVE_RECORDS, liveRecords);
    row.putLong(NEWEST, newest);
    row.putDouble(GARBAGE, garbage);
    row.putLong(WINDOW_END, windowEnd);
    to.position(to.position() + ENCODED_LENGTH);
  }

  /**
   * Reads the row at the buffer's position and moves behind it.
   *
   * @throws CorruptionException if it is not all there or U1 to U4 do not hold; {@link
   *     CorruptionException#in} names the file
   */
  public static ExtentUsage decode(ByteBuffer from) {
    int start = from.position();
    if (from.remaining() < ENCODED_LENGTH) {
      throw new CorruptionException(
          "extent usage", start, ENCODED_LENGTH + " bytes", from.remaining() + " bytes");
    }
    ByteBuffer row = from.slice(start, ENCODED_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    Stream stream = Stream.of(row.get(STREAM));
    if (stream == null || isNoFlag(row, SEALED) || isNoFlag(row, ORIGIN)) {
      throw new CorruptionException(
          "extent usage",
          start + STREAM,
          "U3: a stream, 0 or 1, and 0 or 1",
          Integer.toHexString(row.getInt(STREAM)));
    }
    ExtentUsage usage =
        new ExtentUsage(
            row.getInt(EXTENT),
            stream,
            row.get(SEALED) == 1,
            row.get(ORIGIN) == 1,
            row.get(FAMILY) & 0xFF,
            row.getLong(WRITTEN),
            row.getLong(STORED),
            row.getLong(LIVE),
            row.getLong(LIVE_RECORDS),
            row.getLong(NEWEST),
            row.getDouble(GARBAGE),
            row.getLong(WINDOW_END));
    if (!usage.valid()) {
      throw new CorruptionException("extent usage", start, "U1 to U4", usage.toString());
    }
    from.position(start + ENCODED_LENGTH);
    return usage;
  }

  private static boolean isNoFlag(ByteBuffer row, int field) {
    return (row.get(field) & ~1) != 0;
  }

  private boolean valid() {
    return 0 <= live
        && live <= stored
        && liveRecords >= 0
        && (live == 0) == (liveRecords == 0) // U1
        && written >= Extent.FIRST_RECORD
        && written % Location.ALIGNMENT == 0 // U2
        && extent != 0 // U3
        && garbage >= 0
        && garbage < Double.POSITIVE_INFINITY
        && windowEnd >= 0; // U4
  }
}
