package io.bg3.core.graph;

import io.bg3.storage.format.Varints;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Bytes of a record while it is being put together: little-endian, growing. Belongs to one thread.
 */
final class RecordWriter {
  private static final int START = 64;

  private ByteBuffer bytes;

  RecordWriter() {
    this(START);
  }

  /** A writer with room for some bytes. */
  RecordWriter(int start) {
    bytes = ByteBuffer.allocate(start).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Forgets all that was written. */
  void clear() {
    bytes.clear();
  }

  RecordWriter u8(int value) {
    assert value >= 0 && value <= 0xFF : value;
    room(Byte.BYTES).put((byte) value);
    return this;
  }

  RecordWriter varint(long value) {
    Varints.put(room(Varints.MAX_BYTES), value);
    return this;
  }

  RecordWriter signed(long value) {
    Varints.putSigned(room(Varints.MAX_BYTES), value);
    return this;
  }

  RecordWriter fixed16(short value) {
    room(Short.BYTES).putShort(value);
    return this;
  }

  RecordWriter fixed32(int value) {
    room(Integer.BYTES).putInt(value);
    return this;
  }

  RecordWriter fixed64(long value) {
    room(Long.BYTES).putLong(value);
    return this;
  }

  /** The bytes alone, without their length. */
  RecordWriter raw(byte[] value) {
    room(value.length).put(value);
    return this;
  }

  RecordWriter raw(byte[] value, int offset, int length) {
    room(length).put(value, offset, length);
    return this;
  }

  /** The bytes of another record. */
  RecordWriter raw(RecordWriter that) {
    return raw(that.bytes.array(), 0, that.length());
  }

  /** The number of bytes as a varint, then the bytes. */
  RecordWriter sized(byte[] value) {
    return varint(value.length).raw(value);
  }

  int length() {
    return bytes.position();
  }

  /** Copies the record to a place in an array. */
  void copyTo(byte[] into, int at) {
    System.arraycopy(bytes.array(), 0, into, at, length());
  }

  byte[] toBytes() {
    return Arrays.copyOf(bytes.array(), bytes.position());
  }

  private ByteBuffer room(int more) {
    if (bytes.remaining() < more) {
      int wanted = Math.addExact(bytes.position(), more);
      int capacity =
          (int) Math.min(Integer.MAX_VALUE - 8L, Math.max(wanted, 2L * bytes.capacity()));
      bytes =
          ByteBuffer.wrap(
                  Arrays.copyOf(bytes.array(), capacity),
                  bytes.position(),
                  capacity - bytes.position())
              .order(ByteOrder.LITTLE_ENDIAN);
    }
    return bytes;
  }
}
