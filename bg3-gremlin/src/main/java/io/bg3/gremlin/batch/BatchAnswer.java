package io.bg3.gremlin.batch;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The bytes of an answer as they are put together, up to a limit. Belongs to one thread. */
final class BatchAnswer {
  /** Kinds of values. */
  static final int LONG = 1;

  static final int INT = 2;
  static final int BYTES = 3;
  static final int TEXT = 4;
  static final int BOOLEAN = 5;
  static final int DOUBLE = 6;

  /** Thrown by what does not fit any more. */
  static final class FullException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private FullException() {
      super("the answer is full", null, false, false);
    }
  }

  private static final int START = 1_024;
  private static final int MOST_PROPERTIES = 0xffff;

  private final int limit;
  private int start; // of the answer to the operation at hand
  private byte[] array = new byte[START];
  private ByteBuffer bytes = ByteBuffer.wrap(array);

  BatchAnswer(int limit) {
    this.limit = limit;
  }

  int length() {
    return bytes.position();
  }

  /** Begins the answer to an operation; its length is put before it in the end. */
  BatchAnswer begin(int status) {
    start = length();
    return u8(status).i32(0);
  }

  /** Begins the answer to the same operation again. */
  BatchAnswer again(int status) {
    bytes.position(start);
    return begin(status);
  }

  /** Ends it, and returns the length of all answers. */
  int end() {
    bytes.putInt(start + 1, length() - start - 1 - Integer.BYTES);
    return length();
  }

  BatchAnswer u8(int number) {
    room(1).put((byte) number);
    return this;
  }

  BatchAnswer u16(int number) {
    room(Short.BYTES).putShort((short) number);
    return this;
  }

  BatchAnswer i32(int number) {
    room(Integer.BYTES).putInt(number);
    return this;
  }

  BatchAnswer i64(long number) {
    room(Long.BYTES).putLong(number);
    return this;
  }

  /** Puts a number where another stands. */
  void i32At(int at, int number) {
    bytes.putInt(at, number);
  }

  /** Puts a number below 65,536 where another stands. */
  void u16At(int at, int number) {
    if (number > MOST_PROPERTIES) {
      throw new IllegalArgumentException("too many properties: count=" + number);
    }
    bytes.putShort(at, (short) number);
  }

  /** Bytes with their number before them. */
  BatchAnswer sized(byte[] content) {
    room(Integer.BYTES + content.length).putInt(content.length).put(content);
    return this;
  }

  /** The bytes of a text, without their number. */
  BatchAnswer utf8(String text) {
    byte[] content = text.getBytes(StandardCharsets.UTF_8);
    room(content.length).put(content);
    return this;
  }

  /**
   * A value with its kind before it.
   *
   * @throws IllegalArgumentException if a value of its class has no form here
   */
  void value(Object value) {
    if (value instanceof Long number) {
      u8(LONG).i64(number);
    } else if (value instanceof Integer number) {
      u8(INT).i32(number);
    } else if (value instanceof byte[] content) {
      u8(BYTES).sized(content);
    } else if (value instanceof String text) {
      u8(TEXT).sized(text.getBytes(StandardCharsets.UTF_8));
    } else if (value instanceof Boolean flag) {
      u8(BOOLEAN).u8(flag ? 1 : 0);
    } else if (value instanceof Double number) {
      u8(DOUBLE).i64(Double.doubleToRawLongBits(number));
    } else {
      throw new IllegalArgumentException(
          "a value of this class has no form in a batch, ask by a service of its own: class="
              + value.getClass().getSimpleName());
    }
  }

  /** All of it; nothing may be put behind it any more. */
  ByteBuffer toBuffer() {
    return ByteBuffer.wrap(Arrays.copyOf(array, bytes.position())); // drivers send the whole array
  }

  private ByteBuffer room(int more) {
    int needed = bytes.position() + more;
    if (needed > limit || needed < 0) {
      throw new FullException();
    }
    if (needed > array.length) {
      int position = bytes.position();
      array = Arrays.copyOf(array, Math.min(limit, Math.max(needed, 2 * array.length)));
      bytes = ByteBuffer.wrap(array).position(position);
    }
    return bytes;
  }
}
