package io.bg3.storage.extent;

import io.bg3.storage.format.Checksums;
import io.bg3.storage.format.CorruptionException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * How a record lies in an extent.
 *
 * <pre>
 *  offset  size  field
 *       0     4  checksum  CRC32C of bytes [4, 24 + length), then the store's id, then the record's location
 *       4     4  length    of the payload
 *       8     8  key       a page id or the hash of a key
 *      16     1  kind      meaning known to the writer
 *      17     3  reserved  zero
 *      20     4  first     CRC32C of bytes [4, 20), the first 48 bytes of the payload or all of a
 *                          shorter one, then the store's id, then the record's location; 0 if the
 *                          record is of a release that did not write it
 *      24     …  payload, then zeros up to a multiple of 8
 * </pre>
 *
 * Integers are little-endian. A record is <b>valid</b> at a location if and only if
 *
 * <ul>
 *   <li>F1: header and payload end within the bytes that the location's length class and the extent
 *       leave for them,
 *   <li>F2: the checksum matches; since it runs over the location, a record that a disk put
 *       elsewhere is not valid there, and since it runs over the store's id, neither is one of
 *       another store,
 *   <li>F3: the reserved bytes are zero.
 * </ul>
 *
 * The <b>beginning</b> of a record, which is read without the rest, is valid if and only if F1 and
 * F3 hold and
 *
 * <ul>
 *   <li>F4: the checksum {@code first} matches. It vouches for the first bytes of the payload; the
 *       payload itself has to say how a reader verifies the bytes behind them.
 * </ul>
 *
 * <p><b>Not detected.</b> A flipped bit in the padding. A location whose record was deleted, and at
 * which another store with the same id, restored from a copy, wrote another record.
 */
final class RecordFrame {
  static final int CHECKSUM = 0;
  static final int LENGTH = CHECKSUM + Integer.BYTES;
  static final int KEY = LENGTH + Integer.BYTES;
  static final int KIND = KEY + Long.BYTES;
  static final int RESERVED = KIND + Byte.BYTES;
  static final int FIRST = 20;
  static final int PAYLOAD = 24;

  /** Bytes of the payload that {@link #FIRST} covers, if it has so many. */
  static final int FIRST_BYTES = 48;

  /** {@link #FIRST} of a record whose beginning cannot be verified alone. */
  private static final int NO_FIRST = 0;

  /** Most bytes of a payload. */
  static final int MAX_PAYLOAD = 1 << 30;

  private static final int RESERVED_BYTES = FIRST - RESERVED;

  private RecordFrame() {}

  /** Bytes of the frame around a payload, with its padding. */
  static int bytes(int length) {
    return PAYLOAD + length + Location.ALIGNMENT - 1 & -Location.ALIGNMENT;
  }

  /**
   * Bytes of a payload in parts.
   *
   * @throws IllegalArgumentException if they are more than {@link #MAX_PAYLOAD}
   */
  static int payloadLength(ByteBuffer... parts) {
    long length = 0;
    for (ByteBuffer part : parts) {
      length += part.remaining();
    }
    if (length > MAX_PAYLOAD) {
      throw new IllegalArgumentException(
          "payload of a record is too large: length=" + length + ", limit=" + MAX_PAYLOAD);
    }
    return (int) length;
  }

  /** The frame around what remains in the parts, whose positions stay; without its checksum. */
  static ByteBuffer encode(byte kind, long key, int length, ByteBuffer... parts) {
    ByteBuffer frame = ByteBuffer.allocate(bytes(length)).order(ByteOrder.LITTLE_ENDIAN);
    frame.putInt(LENGTH, length).putLong(KEY, key).put(KIND, kind);
    frame.position(PAYLOAD);
    for (ByteBuffer part : parts) {
      frame.put(part.duplicate());
    }
    assert frame.position() == PAYLOAD + length : frame;
    return frame.rewind();
  }

  /** Completes a frame for the place it will be written to. */
  static void address(ByteBuffer frame, long store, long location) {
    assert Location.bytes(location) >= frame.capacity() : "F1: " + Location.toString(location);
    frame.putInt(FIRST, first(frame, frame.getInt(LENGTH), store, location));
    frame.putInt(CHECKSUM, checksum(frame, frame.getInt(LENGTH), store, location));
  }

  /**
   * Verifies what was read at a location.
   *
   * @param frame little-endian; its remaining bytes are what the location and the extent leave for
   *     the record
   * @param file how messages name the extent's file
   * @throws CorruptionException if F1 to F3 do not hold
   */
  static ExtentRecord decode(ByteBuffer frame, long store, long location, String file) {
    int length = length(frame, frame.remaining(), location, file);
    int expected = checksum(frame, length, store, location);
    requireChecksum("F2", CHECKSUM, expected, frame, location, file);
    requireReservedZero(frame, location, file);
    return record(frame, length, location);
  }

  /**
   * Verifies the beginning of a record.
   *
   * @param frame as that of {@link #decode}, but for its last bytes
   * @param asked bytes of the record that were to be read: {@link #FIRST_BYTES} of the payload at
   *     least
   * @param room bytes that the location and the extent leave for the record
   * @return the record with as much of its payload as there is; null if it is one whose beginning
   *     cannot be verified alone
   * @throws CorruptionException if F1, F3 and F4 do not hold
   */
  static ExtentRecord decodeFirst(
      ByteBuffer frame, int asked, int room, long store, long location, String file) {
    int length = length(frame, room, location, file);
    int expected = Math.min(asked, PAYLOAD + length);
    if (frame.remaining() < expected) {
      throw new CorruptionException(
          file,
          Location.offset(location),
          "F1: " + expected + " bytes of a record",
          frame.remaining() + " bytes");
    }
    if (frame.getInt(FIRST) == NO_FIRST) {
      return null;
    }
    requireChecksum("F4", FIRST, first(frame, length, store, location), frame, location, file);
    requireReservedZero(frame, location, file);
    return record(frame, Math.min(length, frame.remaining() - PAYLOAD), location);
  }

  /** The length of the payload, which keeps F1. */
  private static int length(ByteBuffer frame, int room, long location, String file) {
    long offset = Location.offset(location);
    if (frame.remaining() < PAYLOAD) {
      throw new CorruptionException(
          file, offset, "F1: a frame of " + PAYLOAD + " bytes", frame.remaining() + " bytes");
    }
    int length = frame.getInt(LENGTH);
    if (length < 0 || length > room - PAYLOAD) {
      throw new CorruptionException(
          file,
          offset + LENGTH,
          "F1: a length in [0, " + (room - PAYLOAD) + "]",
          Integer.toString(length));
    }
    return length;
  }

  private static void requireChecksum(
      String invariant, int at, int expected, ByteBuffer frame, long location, String file) {
    int found = frame.getInt(at);
    if (found != expected) {
      throw new CorruptionException(
          file,
          Location.offset(location) + at,
          invariant + ": checksum " + Integer.toHexString(expected),
          Integer.toHexString(found));
    }
  }

  private static void requireReservedZero(ByteBuffer frame, long location, String file) {
    for (int i = 0; i < RESERVED_BYTES; i++) {
      if (frame.get(RESERVED + i) != 0) {
        throw new CorruptionException(
            file,
            Location.offset(location) + RESERVED + i,
            "F3: zero",
            Integer.toString(frame.get(RESERVED + i)));
      }
    }
  }

  private static ExtentRecord record(ByteBuffer frame, int length, long location) {
    ByteBuffer payload = frame.slice(PAYLOAD, length).order(ByteOrder.LITTLE_ENDIAN);
    return new ExtentRecord(location, frame.get(KIND), frame.getLong(KEY), payload);
  }

  /** Whether a frame that begins at a place keeps F3. */
  static boolean isReservedZero(ByteBuffer bytes, int at) {
    for (int i = 0; i < RESERVED_BYTES; i++) {
      if (bytes.get(at + RESERVED + i) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether a frame that keeps F1 and F3 keeps F2 as well. */
  static boolean hasChecksum(ByteBuffer frame, long store, long location) {
    return frame.getInt(CHECKSUM) == checksum(frame, frame.getInt(LENGTH), store, location);
  }

  private static int checksum(ByteBuffer frame, int length, long store, long location) {
    return new Checksums().add(frame, LENGTH, PAYLOAD + length).add(store).add(location).value();
  }

  private static int first(ByteBuffer frame, int length, long store, long location) {
    return new Checksums()
        .add(frame, LENGTH, FIRST)
        .add(frame, PAYLOAD, PAYLOAD + Math.min(length, FIRST_BYTES))
        .add(store)
        .add(location)
        .value();
  }
}
