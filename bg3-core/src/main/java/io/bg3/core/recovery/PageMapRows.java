package io.bg3.core.recovery;

import io.bg3.storage.extent.ExtentRecord;
import io.bg3.storage.format.CorruptionException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Page-table rows as they are stored in one record of the MAP stream: a run of those that a
 * checkpoint changed, or a segment with all of a range of pages.
 *
 * <pre>
 *  offset  size  field
 *       0     8  sequence  counts the checkpoints; of two rows of a page that of the higher sequence counts
 *       8     4  segment   number of the segment, from 0; -1 in a run
 *      12     4  reserved  zero
 *      16     …  rows:
 *             4  page      page id
 *             8  base      location of the base image; 0 = the page was removed
 *             8  delta     location of the delta image; 0 = none
 * </pre>
 *
 * Little-endian. The record's kind is {@link #RUN} or {@link #SEGMENT}. A run has at most {@value
 * #RUN_ROWS} rows, in no order. Segment s has a row of each page from {@value #SEGMENT_PAGES} * s
 * on, below {@value #SEGMENT_PAGES} * (s + 1), that was stored then, ascending; none of it is a
 * removal. A segment holds what the runs of its own checkpoint say of its pages.
 */
final class PageMapRows {
  static final byte RUN = 1;
  static final byte SEGMENT = 2;

  static final int SEQUENCE = 0;
  static final int NUMBER = SEQUENCE + Long.BYTES;
  static final int RESERVED = NUMBER + Integer.BYTES;
  static final int ROWS = RESERVED + Integer.BYTES;
  static final int PAGE = 0;
  static final int BASE = PAGE + Integer.BYTES;
  static final int DELTA = BASE + Long.BYTES;
  static final int ROW_LENGTH = DELTA + Long.BYTES;

  /** Rows of a run at most: records stay small enough for small extents. */
  static final int RUN_ROWS = 1024;

  static final int SEGMENT_SHIFT = 11;

  /** Pages of a segment. */
  static final int SEGMENT_PAGES = 1 << SEGMENT_SHIFT;

  private static final int NO_SEGMENT = -1;

  private final ByteBuffer bytes;

  private PageMapRows(ByteBuffer bytes) {
    this.bytes = bytes.order(ByteOrder.LITTLE_ENDIAN);
  }

  /** A run without rows. */
  static PageMapRows run(long sequence) {
    return empty(RUN_ROWS, sequence, NO_SEGMENT);
  }

  /** A segment without rows. */
  static PageMapRows segment(int number, long sequence) {
    return empty(SEGMENT_PAGES, sequence, number);
  }

  private static PageMapRows empty(int rows, long sequence, int number) {
    PageMapRows empty = new PageMapRows(ByteBuffer.allocate(ROWS + rows * ROW_LENGTH));
    empty.bytes.putLong(sequence).putInt(number).putInt(0);
    return empty;
  }

  /**
   * The rows of a stored record, to be read.
   *
   * @throws CorruptionException if they are none
   */
  static PageMapRows of(ExtentRecord record, String source) {
    ByteBuffer payload = record.payload();
    int length = payload.remaining();
    if ((record.kind() != RUN && record.kind() != SEGMENT)
        || length < ROWS
        || (length - ROWS) % ROW_LENGTH != 0) {
      throw new CorruptionException(
          source,
          0,
          "a run or segment of " + ROWS + " bytes and rows of " + ROW_LENGTH,
          "kind " + record.kind() + " of " + length + " bytes");
    }
    PageMapRows rows = new PageMapRows(payload.slice());
    boolean numbered = rows.number() >= 0;
    if (numbered != (record.kind() == SEGMENT) || rows.bytes.getInt(RESERVED) != 0) {
      throw new CorruptionException(
          source, NUMBER, "the number of a segment in a segment", "" + rows.number());
    }
    rows.bytes.position(length);
    return rows;
  }

  byte kind() {
    return number() >= 0 ? SEGMENT : RUN;
  }

  long sequence() {
    return bytes.getLong(SEQUENCE);
  }

  /** Number of the segment; -1 of a run. */
  int number() {
    return bytes.getInt(NUMBER);
  }

  int count() {
    return (bytes.position() - ROWS) / ROW_LENGTH;
  }

  boolean isFull() {
    return count() == RUN_ROWS;
  }

  void add(int page, long base, long delta) {
    bytes.putInt(page).putLong(base).putLong(delta);
  }

  int page(int row) {
    return bytes.getInt(ROWS + row * ROW_LENGTH + PAGE);
  }

  long base(int row) {
    return bytes.getLong(ROWS + row * ROW_LENGTH + BASE);
  }

  long delta(int row) {
    return bytes.getLong(ROWS + row * ROW_LENGTH + DELTA);
  }

  ByteBuffer payload() {
    return bytes.duplicate().flip();
  }

  void clear() {
    bytes.position(ROWS);
  }
}
