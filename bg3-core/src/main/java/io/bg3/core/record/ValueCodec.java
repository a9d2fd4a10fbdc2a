package io.bg3.core.record;

import io.bg3.core.limit.Limit;
import io.bg3.storage.format.CorruptionException;

/**
 * Property values as bytes, each with its exact type.
 *
 * <p>A value is a tag byte ({@link ValueTag}) and what the tag calls for. A value is <b>valid</b>
 * if and only if
 *
 * <ul>
 *   <li>V1: its tag is known, and null stands only inside a list, set or map,
 *   <li>V2: every length and count fits into the bytes that are left,
 *   <li>V3: collections are nested at most as deep as {@link Limit#VALUE_DEPTH} says,
 *   <li>V4: text is well-formed and dates are in the range of their classes,
 *   <li>V5: nothing is left behind it.
 * </ul>
 *
 * <p>Lists come back as {@link java.util.ArrayList}, sets as {@link java.util.LinkedHashSet}, maps
 * as {@link java.util.LinkedHashMap}, byte buffers as one on the heap, and every kind of {@link
 * java.util.Date}, those of {@code java.sql} among them, as {@link java.util.Date}, whatever class
 * was given; everything else comes back as the class it was. The result is the caller's own copy.
 * Threads: any.
 */
public final class ValueCodec {
  /** How deep lists, sets and maps may be nested. */
  static final int MAX_DEPTH = (int) Limit.VALUE_DEPTH.most();

  /** The most bytes that one encoded value may take. */
  static final int MAX_BYTES = (int) Limit.VALUE_BYTES.most();

  private static final int START = 64;

  /** The tag and a length of one byte. */
  private static final int SHORT_TEXT_HEAD = 2;

  private ValueCodec() {}

  /** Whether values of this class can be stored, as far as the class alone tells. */
  public static boolean allows(Object value) {
    return value != null && ValueTag.of(value) != null;
  }

  /**
   * The bytes of a value.
   *
   * @throws UnsupportedValueException if the value, or one inside it, is of a class that is not
   *     stored
   * @throws io.bg3.core.limit.LimitExceededException if it is nested too deep or too large
   */
  public static byte[] encode(Object value) {
    if (value == null) {
      throw new UnsupportedValueException("a property value must not be null");
    }
    RecordWriter to = new RecordWriter(START, Limit.VALUE_BYTES);
    new ValueWriter(to).write(value, 0);
    return to.toBytes();
  }

  /**
   * The value that {@link #encode} wrote.
   *
   * @throws CorruptionException if the bytes are not a valid value
   */
  public static Object decode(byte[] bytes) {
    return decode(bytes, 0, bytes.length);
  }

  static Object decode(byte[] bytes, int offset, int length) {
    String text = shortText(bytes, offset, length);
    return text != null ? text : decodeAny(bytes, offset, length);
  }

  /** The value if it is an ASCII text of at most 127 bytes, as many are; else null. */
  private static String shortText(byte[] bytes, int offset, int length) {
    int text = length - SHORT_TEXT_HEAD;
    return text >= 0
            && text <= Byte.MAX_VALUE
            && bytes[offset] == ValueTag.STRING.code()
            && bytes[offset + 1] == text
        ? RecordReader.ascii(bytes, offset + SHORT_TEXT_HEAD, text)
        : null;
  }

  private static Object decodeAny(byte[] bytes, int offset, int length) {
    RecordReader from = new RecordReader("property value", bytes, offset, length);
    Object value = new ValueReader(from).read();
    from.end();
    return value;
  }
}
