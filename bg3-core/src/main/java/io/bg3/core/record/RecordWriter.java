package io.bg3.core.record;

import io.bg3.core.limit.Limit;
import io.bg3.storage.format.Varints;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Bytes of a record while it is being put together: little-endian, growing up to a limit. Belongs
 * to one thread.
 */
public final class RecordWriter {
  private static final int START = 64;

  /** Room for a number is made before it is known how many bytes it takes. */
  private static final int SLACK = 64;

  private final Limit limit;
  private ByteBuffer bytes;

  /** A writer that may become as large as an entry. */
  public RecordWriter() {
    this(START, Limit.ENTRY_BYTES);
  }

  /**
   * A writer.
   *
   * @param start about the bytes that will be written
   * @param limit of the bytes; {@link #toBytes} and {@link #checkLength} look exactly, and no
   *     method makes room for much more
   */
  public RecordWriter(long start, Limit limit) {
    this.limit = limit;
    int room = (int) Math.min(start, limit.most() + SLACK);
    bytes = ByteBuffer.allocate(room).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Forgets all that was written. */
  void clear() {
    bytes.clear();
  }

  /** Appends a byte. */
  public RecordWriter u8(int value) {
    assert value >= 0 && value <= 0xFF : value;
    room(Byte.BYTES).put((byte) value);
    return this;
  }

  /** Appends an unsigned varint. */
  public RecordWriter varint(long value) {
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

  /** Throws LimitExceededException if it is longer than it may be. */
  void checkLength() {
    limit.check(length());
  }

  /** A copy of all that was written. */
  public byte[] toBytes() {
    checkLength();
    return Arrays.copyOf(bytes.array(), bytes.position());
  }

  private ByteBuffer room(int more) {
    if (bytes.remaining() < more) {
      long wanted = (long) bytes.position() + more;
      long most = limit.most() + SLACK;
      if (wanted > most) {
        throw limit.exceeded(wanted, "");
      }
      int capacity = (int) Math.min(most, Math.max(wanted, 2L * bytes.capacity()));
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
