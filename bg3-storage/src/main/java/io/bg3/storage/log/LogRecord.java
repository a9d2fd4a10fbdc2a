package io.bg3.storage.log;

import io.bg3.storage.format.Checksums;
import java.nio.ByteBuffer;

/**
 * One record in the stream.
 *
 * <pre>
 *  offset  size  field
 *       0     4  checksum  CRC32C of the store's id and bytes [4, 32)
 *       4     4  length    of the payload, from 1 on
 *       8     8  position  of the record's first byte in the stream
 *      16     8  durable   how far the log was known to be durable when this was written
 *      24     4  epoch     of the opening of the log that wrote it, from 1 on
 *      28     4  body      CRC32C of bytes [32, end)
 *      32     …  payload   meaning known to the engine, not to the log
 *       …   0-7  padding   zeros up to a multiple of 8
 * </pre>
 *
 * Integers are little-endian. A record's header is <b>valid</b> at position p if and only if
 *
 * <ul>
 *   <li>W1: checksum matches, so no length is believed before,
 *   <li>W2: position is p, which is a multiple of 8, so a misdirected write does not count,
 *   <li>W3: length is between 1 and {@link #MAX_PAYLOAD}.
 * </ul>
 *
 * A record is <b>valid</b> if and only if its header is, and
 *
 * <ul>
 *   <li>W4: all its parts lie in the segments that are there,
 *   <li>W5: body matches,
 *   <li>W6: its epoch is not below that of the record before it.
 * </ul>
 */
final class LogRecord {
  static final int CHECKSUM = 0;
  static final int LENGTH = CHECKSUM + Integer.BYTES;
  static final int POSITION = LENGTH + Integer.BYTES;
  static final int DURABLE = POSITION + Long.BYTES;
  static final int EPOCH = DURABLE + Long.BYTES;
  static final int BODY = EPOCH + Integer.BYTES;
  static final int HEADER = BODY + Integer.BYTES;

  static final int ALIGNMENT = 8;
  static final int MAX_PAYLOAD = 1 << 30;

  private LogRecord() {}

  /**
   * The distance by which a record with this payload moves the end of the log.
   *
   * @throws IllegalArgumentException if no record can have it
   */
  static int bytes(int payload) {
    if (payload < 1 || payload > MAX_PAYLOAD) {
      throw new IllegalArgumentException(
          "payload does not fit a record: bytes=" + payload + ", limit=" + MAX_PAYLOAD);
    }
    return (HEADER + payload + ALIGNMENT - 1) & -ALIGNMENT;
  }

  /** Puts a header at {@code at} of a little-endian buffer. */
  static void encodeHeader(
      ByteBuffer to,
      int at,
      long store,
      int length,
      long position,
      long durable,
      int epoch,
      int body) {
    assert length >= 1 && length <= MAX_PAYLOAD : "W3: " + length;
    assert position % ALIGNMENT == 0 : "W2: " + position;
    assert durable <= position : durable + " > " + position;
    to.putInt(at + LENGTH, length);
    to.putLong(at + POSITION, position);
    to.putLong(at + DURABLE, durable);
    to.putInt(at + EPOCH, epoch);
    to.putInt(at + BODY, body);
    to.putInt(at + CHECKSUM, checksum(to, at, store));
  }

  /**
   * Whether the 32 bytes at {@code at} of a little-endian buffer are a valid header at this
   * position: W1 to W3.
   */
  static boolean isHeader(ByteBuffer bytes, int at, long store, long position) {
    int length = bytes.getInt(at + LENGTH);
    return bytes.getLong(at + POSITION) == position // W2, first because it is cheap and rare
        && length >= 1 // W3
        && length <= MAX_PAYLOAD
        && bytes.getInt(at + CHECKSUM) == checksum(bytes, at, store); // W1
  }

  private static int checksum(ByteBuffer bytes, int at, long store) {
    return new Checksums().add(store).add(bytes, at + LENGTH, at + HEADER).value();
  }
}
