package io.bg3.core.recovery;

import io.bg3.storage.format.CorruptionException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A run of page-table rows as it is stored in one record of the MAP stream.
 *
 * <pre>
 *  offset  size  field
 *       0     4  page    page id
 *       4     8  base    location of the base image; 0 = the page was removed
 *      12     8  delta   location of the delta image; 0 = none
 * </pre>
 *
 * Little-endian, repeated; of two rows of one page the later wins.
 */
final class MapRows {
  static final byte KIND = 1;
  static final int PAGE = 0;
  static final int BASE = PAGE + Integer.BYTES;
  static final int DELTA = BASE + Long.BYTES;
  static final int ROW_LENGTH = DELTA + Long.BYTES;

  /** Rows of one record at most: records stay small enough for the smallest extent. */
  static final int MAX_ROWS = 1024;

  private final ByteBuffer rows;

  MapRows() {
    this(ByteBuffer.allocate(MAX_ROWS * ROW_LENGTH));
  }

  private MapRows(ByteBuffer rows) {
    this.rows = rows.order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The rows of a stored record, to be read. */
  static MapRows of(ByteBuffer payload, String file) {
    if (payload.remaining() % ROW_LENGTH != 0) {
      throw new CorruptionException(
          file, 0, "a multiple of " + ROW_LENGTH + " bytes", "" + payload.remaining());
    }
    MapRows rows = new MapRows(payload.slice());
    rows.rows.position(rows.rows.limit());
    return rows;
  }

  int count() {
    return rows.position() / ROW_LENGTH;
  }

  boolean isFull() {
    return count() == MAX_ROWS;
  }

  void add(int page, long base, long delta) {
    rows.putInt(page).putLong(base).putLong(delta);
  }

  int page(int row) {
    return rows.getInt(row * ROW_LENGTH + PAGE);
  }

  long base(int row) {
    return rows.getLong(row * ROW_LENGTH + BASE);
  }

  long delta(int row) {
    return rows.getLong(row * ROW_LENGTH + DELTA);
  }

  ByteBuffer payload() {
    return rows.duplicate().flip();
  }

  void clear() {
    rows.clear();
  }
}
