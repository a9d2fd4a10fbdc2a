package io.bg3.core.record;

import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.format.Varints;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Takes a record apart, the twin of {@link RecordWriter}. Whatever the bytes are, a method returns
 * or throws {@link CorruptionException}; lengths are checked before anything of that length is
 * allocated. Belongs to one thread.
 */
public final class RecordReader {
  private final String what;
  private final ByteBuffer bytes;

  /** Reads {@code bytes}; {@code what} names the kind of record in messages. */
  public RecordReader(String what, byte[] bytes) {
    this(what, bytes, 0, bytes.length);
  }

  /** Reads a part of an array; {@code what} names the record in messages. */
  public RecordReader(String what, byte[] bytes, int offset, int length) {
    this.what = what;
    this.bytes = ByteBuffer.wrap(bytes, offset, length).order(ByteOrder.LITTLE_ENDIAN);
  }

  int position() {
    return bytes.position();
  }

  int remaining() {
    return bytes.remaining();
  }

  int u8() {
    need(Byte.BYTES);
    return bytes.get() & 0xFF;
  }

  /** The next unsigned varint. */
  public long varint() {
    try {
      return Varints.get(bytes);
    } catch (CorruptionException e) {
      throw e.in(what, 0);
    }
  }

  long signed() {
    try {
      return Varints.getSigned(bytes);
    } catch (CorruptionException e) {
      throw e.in(what, 0);
    }
  }

  /** A varint that must lie in {@code [low, high]}. */
  public int number(String name, long low, long high) {
    int at = bytes.position();
    long value = varint();
    if (value < low || value > high) {
      throw corrupt(at, name + " from " + low + " to " + high, Long.toString(value));
    }
    return (int) value;
  }

  /** A signed varint that must lie in {@code [low, high]}. */
  long signed(String name, long low, long high) {
    int at = bytes.position();
    long value = signed();
    if (value < low || value > high) {
      throw corrupt(at, name + " from " + low + " to " + high, Long.toString(value));
    }
    return value;
  }

  short fixed16() {
    need(Short.BYTES);
    return bytes.getShort();
  }

  int fixed32() {
    need(Integer.BYTES);
    return bytes.getInt();
  }

  long fixed64() {
    need(Long.BYTES);
    return bytes.getLong();
  }

  byte[] raw(int length) {
    need(length);
    byte[] value = new byte[length];
    bytes.get(value);
    return value;
  }

  /** Goes over {@code length} bytes and returns where they began. */
  int skip(int length) {
    need(length);
    int start = bytes.position();
    bytes.position(start + length);
    return start;
  }

  /** Reads the bytes that {@link RecordWriter#sized} wrote. */
  byte[] sized() {
    return raw(length("length", 1));
  }

  /** A count of things of which each takes at least {@code each} bytes of what is left. */
  int length(String name, int each) {
    return number(name, 0, bytes.remaining() / Math.max(1, each));
  }

  /** Throws unless everything has been read. */
  public void end() {
    if (bytes.hasRemaining()) {
      throw corrupt(bytes.position(), "the end of the record", bytes.remaining() + " more bytes");
    }
  }

  CorruptionException corrupt(int at, String expected, String found) {
    return new CorruptionException(what, at, expected, found);
  }

  private void need(int length) {
    if (bytes.remaining() < length) {
      throw corrupt(bytes.position(), length + " bytes", bytes.remaining() + " bytes");
    }
  }
}
