package io.bg3.batch;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The bytes of a message while it is written, big-endian. Belongs to one thread. */
final class BatchWriter {
  /** The version of the layout of requests and responses. */
  static final int VERSION = 1;

  private static final int MOST_PROPERTIES = 0xffff;

  private final int limit;
  private byte[] array;
  private ByteBuffer bytes;

  /** A writer whose limit is that of an array. */
  BatchWriter(int initial) {
    this(initial, Integer.MAX_VALUE - Long.BYTES);
  }

  /**
   * @param initial bytes to begin with
   * @param limit the most bytes
   */
  BatchWriter(int initial, int limit) {
    this.limit = limit;
    this.array = new byte[initial];
    this.bytes = ByteBuffer.wrap(array);
  }

  int length() {
    return bytes.position();
  }

  /** Drops all bytes after the first {@code length}. */
  void truncate(int length) {
    bytes.position(length);
  }

  /** The code of the operation that begins there. */
  OperationCode codeAt(int offset) {
    return OperationCode.of(bytes.get(offset));
  }

  BatchWriter u8(int number) {
    room(1).put((byte) number);
    return this;
  }

  BatchWriter u16(int number) {
    room(Short.BYTES).putShort((short) number);
    return this;
  }

  BatchWriter i32(int number) {
    room(Integer.BYTES).putInt(number);
    return this;
  }

  BatchWriter i64(long number) {
    room(Long.BYTES).putLong(number);
    return this;
  }

  BatchWriter flag(boolean flag) {
    return u8(flag ? 1 : 0);
  }

  /** Replaces a number that was written before. */
  void i32At(int offset, int number) {
    bytes.putInt(offset, number);
  }

  /**
   * Replaces the number of properties that was written before.
   *
   * @throws IllegalArgumentException if it is too large
   */
  void propertiesAt(int offset, int count) {
    bytes.putShort(offset, (short) checkProperties(count));
  }

  BatchWriter bytes(byte[] content) {
    room(content.length).put(content);
    return this;
  }

  /** The bytes of a text without their number. */
  BatchWriter utf8(String text) {
    return bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  BatchWriter add(BatchWriter other) {
    return add(other, 0, other.length());
  }

  BatchWriter add(BatchWriter other, int from, int to) {
    room(to - from).put(other.array, from, to - from);
    return this;
  }

  /**
   * Properties, with their keys as numbers.
   *
   * @throws IllegalArgumentException if there are too many, or a value has no form
   */
  void properties(BatchProperties properties, BatchTexts texts) {
    u16(checkProperties(properties.count()));
    for (int i = 0; i < properties.count(); i++) {
      u16(texts.number(properties.key(i)));
      value(properties.value(i));
    }
  }

  private static int checkProperties(int count) {
    if (count > MOST_PROPERTIES) {
      throw new IllegalArgumentException("too many properties: count=" + count);
    }
    return count;
  }

  /**
   * A value after its kind.
   *
   * @throws IllegalArgumentException if a value of its class has no form in a batch
   */
  void value(Object value) {
    if (value instanceof Long number) {
      u8(ValueKind.LONG).i64(number);
    } else if (value instanceof Integer number) {
      u8(ValueKind.INT).i32(number);
    } else if (value instanceof byte[] content) {
      sized(ValueKind.BYTES, content);
    } else if (value instanceof String text) {
      sized(ValueKind.TEXT, text.getBytes(StandardCharsets.UTF_8));
    } else if (value instanceof Boolean flag) {
      u8(ValueKind.BOOLEAN).flag(flag);
    } else if (value instanceof Double number) {
      u8(ValueKind.DOUBLE).i64(Double.doubleToRawLongBits(number));
    } else {
      throw new IllegalArgumentException(
          "a value of this class has no form in a batch, use bg3.links or bg3.nodes: class="
              + value.getClass().getSimpleName());
    }
  }

  private void sized(int kind, byte[] content) {
    u8(kind).i32(content.length).bytes(content);
  }

  /** A copy of all bytes. */
  byte[] toArray() {
    return Arrays.copyOf(array, length());
  }

  private ByteBuffer room(int more) {
    int position = bytes.position();
    int needed = position + more;
    if (needed > limit || needed < 0) {
      throw new BatchFullException(limit);
    }
    if (needed > array.length) {
      long twice = 2L * array.length;
      array = Arrays.copyOf(array, (int) Math.min(limit, Math.max(needed, twice)));
      bytes = ByteBuffer.wrap(array).position(position);
    }
    return bytes;
  }
}
