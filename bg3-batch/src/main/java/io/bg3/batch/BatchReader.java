package io.bg3.batch;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * The bytes of a message while it is read, big-endian. The message may be damaged or hostile: a
 * declared size is compared with the bytes that are left before anything is allocated for it.
 *
 * <p>All methods throw {@link BufferUnderflowException} if the message ends too early, and {@link
 * IllegalArgumentException} if it contains what no message contains. Belongs to one thread.
 */
final class BatchReader {
  private static final int LEAST_PROPERTY = 4; // bytes

  private final ByteBuffer bytes;

  /**
   * @param bytes read from their position to their limit, both of which are kept
   */
  BatchReader(ByteBuffer bytes) {
    this.bytes = bytes.slice(); // big-endian, whatever the order of the other is
  }

  int length() {
    return bytes.limit();
  }

  int position() {
    return bytes.position();
  }

  int u8() {
    return bytes.get() & 0xff;
  }

  int u16() {
    return bytes.getShort() & 0xffff;
  }

  int i32() {
    return bytes.getInt();
  }

  long i64() {
    return bytes.getLong();
  }

  boolean flag() {
    int flag = u8();
    if (flag > 1) {
      throw new IllegalArgumentException("neither 0 nor 1: flag=" + flag);
    }
    return flag == 1;
  }

  /** That many numbers. */
  long[] longs(int count) {
    long[] numbers = new long[count(count, Long.BYTES)];
    bytes.asLongBuffer().get(numbers);
    bytes.position(bytes.position() + numbers.length * Long.BYTES);
    return numbers;
  }

  /** A text of so many bytes. */
  String utf8(int length) {
    return new String(array(length), StandardCharsets.UTF_8);
  }

  /** The next bytes as a message of their own; this reader continues behind them. */
  BatchReader part(int length) {
    BatchReader part = new BatchReader(bytes.slice(bytes.position(), count(length, 1)));
    bytes.position(bytes.position() + length);
    return part;
  }

  /** A reader of what is left, which does not move this one. */
  BatchReader copy() {
    return new BatchReader(bytes);
  }

  /**
   * Reads a message of a server to its end.
   *
   * @throws IllegalArgumentException if it ends too early or too late, or cannot be read
   */
  static <T> T whole(BatchReader reader, Function<BatchReader, T> read) {
    try {
      T result = read.apply(reader);
      reader.end();
      return result;
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("the answer ends too early: length=" + reader.length(), e);
    }
  }

  /**
   * Properties.
   *
   * @param texts gives a key for its number
   */
  BatchProperties properties(IntFunction<String> texts) {
    int count = count(u16(), LEAST_PROPERTY);
    if (count == 0) {
      return BatchProperties.none();
    }
    List<String> keys = new ArrayList<>(count);
    List<Object> values = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      keys.add(texts.apply(u16()));
      values.add(value());
    }
    return new BatchProperties(keys, values);
  }

  private Object value() {
    int kind = u8();
    return switch (kind) {
      case ValueKind.LONG -> i64();
      case ValueKind.INT -> i32();
      case ValueKind.BYTES -> array(i32());
      case ValueKind.TEXT -> utf8(i32());
      case ValueKind.BOOLEAN -> flag();
      case ValueKind.DOUBLE -> Double.longBitsToDouble(i64());
      default -> throw new IllegalArgumentException("kind of value is not known: kind=" + kind);
    };
  }

  private byte[] array(int length) {
    byte[] array = new byte[count(length, 1)];
    bytes.get(array);
    return array;
  }

  /**
   * A declared number of things.
   *
   * @param least bytes that each of them takes at least
   * @throws IllegalArgumentException if fewer bytes are left
   */
  int count(int count, int least) {
    if (count < 0 || (long) count * least > bytes.remaining()) {
      throw new IllegalArgumentException(
          "declared size is larger than what is left: declared="
              + count
              + ", left="
              + bytes.remaining());
    }
    return count;
  }

  /**
   * The version of the layout.
   *
   * @throws IllegalArgumentException if it is another than this package's
   */
  void version() {
    int version = u8();
    if (version != BatchWriter.VERSION) {
      throw new IllegalArgumentException(
          "version is not known: version=" + version + ", known=" + BatchWriter.VERSION);
    }
  }

  /** Checks that the message is at its end. */
  void end() {
    if (bytes.hasRemaining()) {
      throw new IllegalArgumentException("bytes behind the end: count=" + bytes.remaining());
    }
  }
}
