package io.bg3.core.record;

import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.format.Varints;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * Takes a record apart, the twin of {@link RecordWriter}. Whatever the bytes are, a method returns
 * or throws {@link CorruptionException}; lengths are checked before anything of that length is
 * allocated. Belongs to one thread.
 */
public final class RecordReader {
  private static final VarHandle SHORTS = view(short[].class);
  private static final VarHandle INTS = view(int[].class);
  private static final VarHandle LONGS = view(long[].class);

  /** Stands in decoded text for bytes that are no UTF-8. */
  private static final char REPLACEMENT = '\uFFFD';

  private final String what;
  private final byte[] bytes;
  private final int end;
  private int at;

  /** Reads {@code bytes}; {@code what} names the kind of record in messages. */
  public RecordReader(String what, byte[] bytes) {
    this(what, bytes, 0, bytes.length);
  }

  /** Reads a part of an array; {@code what} names the record in messages. */
  public RecordReader(String what, byte[] bytes, int offset, int length) {
    this.what = what;
    this.bytes = bytes;
    this.at = Objects.checkFromIndexSize(offset, length, bytes.length);
    this.end = offset + length;
  }

  private static VarHandle view(Class<?> numbers) {
    return MethodHandles.byteArrayViewVarHandle(numbers, ByteOrder.LITTLE_ENDIAN);
  }

  int position() {
    return at;
  }

  int remaining() {
    return end - at;
  }

  int u8() {
    need(Byte.BYTES);
    return bytes[at++] & 0xFF;
  }

  /** The next unsigned varint. */
  public long varint() {
    if (at < end && bytes[at] >= 0) {
      return bytes[at++]; // most are short
    }
    return longVarint();
  }

  private long longVarint() {
    try {
      long value = Varints.get(bytes, at, end);
      at += Varints.size(value);
      return value;
    } catch (CorruptionException e) {
      throw e.in(what, 0);
    }
  }

  long signed() {
    return Varints.signed(varint());
  }

  /** A varint that must lie in {@code [low, high]}. */
  public int number(String name, long low, long high) {
    int start = at;
    long value = varint();
    if (value < low || value > high) {
      throw corrupt(start, name + " from " + low + " to " + high, Long.toString(value));
    }
    return (int) value;
  }

  /** A signed varint that must lie in {@code [low, high]}. */
  long signed(String name, long low, long high) {
    int start = at;
    long value = signed();
    if (value < low || value > high) {
      throw corrupt(start, name + " from " + low + " to " + high, Long.toString(value));
    }
    return value;
  }

  short fixed16() {
    return (short) SHORTS.get(bytes, skip(Short.BYTES));
  }

  int fixed32() {
    return (int) INTS.get(bytes, skip(Integer.BYTES));
  }

  long fixed64() {
    return (long) LONGS.get(bytes, skip(Long.BYTES));
  }

  byte[] raw(int length) {
    int start = skip(length);
    return Arrays.copyOfRange(bytes, start, start + length);
  }

  /**
   * The next bytes as text if each of them is one ASCII character; else null, and nothing was read.
   */
  String ascii(int length) {
    need(length);
    String text = ascii(bytes, at, length);
    at += text == null ? 0 : length;
    return text;
  }

  /** A part of an array as text if each byte is one ASCII character; else null. */
  static String ascii(byte[] bytes, int offset, int length) {
    String text = new String(bytes, offset, length, StandardCharsets.UTF_8);
    // other characters take two bytes or more, or were no UTF-8
    return text.length() == length && text.indexOf(REPLACEMENT) < 0 ? text : null;
  }

  /** Goes over {@code length} bytes and returns where they began. */
  int skip(int length) {
    need(length);
    int start = at;
    at += length;
    return start;
  }

  /** Reads the bytes that {@link RecordWriter#sized} wrote. */
  byte[] sized() {
    return raw(length("length", 1));
  }

  /** A count of things of which each takes at least {@code each} bytes of what is left. */
  int length(String name, int each) {
    return number(name, 0, remaining() / Math.max(1, each));
  }

  /** Throws unless everything has been read. */
  public void end() {
    if (at < end) {
      throw corrupt(at, "the end of the record", remaining() + " more bytes");
    }
  }

  CorruptionException corrupt(int offset, String expected, String found) {
    return new CorruptionException(what, offset, expected, found);
  }

  private void need(int length) {
    if (remaining() < length) {
      throw corrupt(at, length + " bytes", remaining() + " bytes");
    }
  }
}
