package io.bg3.core.record;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Keys of the entries of property indexes, and the ranges of keys in which the entries of a sought
 * value stand.
 *
 * <pre>
 *   4  number of the index, big-endian
 *   1  kind       8 = a value that is not told from others, 16 = number, 32 = text, 48 = other
 *   …  value      number: the nearest double, as 8 bytes in the order of numbers
 *                 text: its first 128 chars, then 0; a char of 0 or 1 as 1 and the char plus 1,
 *                 another one as UTF-8 has a char of 16 bits
 *                 other: the first 128 bytes of the encoded value, then 0; 0 and 1 as above
 *   8  vertex     internal id, big-endian, its sign bit flipped
 * </pre>
 *
 * <p>No value is the beginning of another one, so all entries of a value stand together.
 *
 * <p>The keys of a unique index are exact: a text and another value are whole, and behind the
 * double stands what the number has more, as the text of a decimal, then 0. So two vertices have
 * entries with one value if and only if the values are the same number, or equal and of one class.
 *
 * <p>Any other key says less than the value: equal values may have different keys (as a float and
 * the integers that are rounded to it), and different values one key (as long texts with one
 * beginning). So a search goes through all ranges that {@link #ranges} gives, and through {@link
 * #untold}, and the caller tests each vertex that it finds with the predicate of the query. Numbers
 * of all classes share their order. Of lists, sets, maps, arrays, values that are not numbers, and
 * values of more than 1,024 bytes, it is only known which vertices have one.
 */
public final class IndexKey {
  private static final byte UNTOLD = 8;
  private static final byte NUMBER = 16;
  private static final byte TEXT = 32;
  private static final byte OTHER = 48;

  /** Chars of a text, and bytes of other values, that are in the key. */
  private static final int MOST = 128;

  /** Chars of a bound of an exact range: more than a value has that is told from others. */
  private static final int MOST_EXACT = 1_024;

  private static final byte ESCAPE = 1;
  private static final byte END = 0;

  /** Below this every whole number has a float of its own, and no larger one is rounded to it. */
  private static final float EXACT_FLOAT = 1 << 24;

  private static final Set<Class<?>> NUMBERS =
      Set.of(
          Byte.class,
          Short.class,
          Integer.class,
          Long.class,
          Float.class,
          Double.class,
          BigInteger.class,
          BigDecimal.class);

  /**
   * The keys from {@code low} on and below {@code high}.
   *
   * @param oneValue whether they differ in their vertices alone; then they are in their order
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Range(byte[] low, byte[] high, boolean oneValue) {}

  private IndexKey() {}

  /**
   * The key of the entry of a vertex for one of its properties.
   *
   * @param exact whether it is that of a unique index
   */
  public static byte[] entry(int index, PropertyCell property, long vertex, boolean exact) {
    byte[] value = property.isLarge() ? new byte[] {UNTOLD} : orUntold(property.value(), exact);
    return join(index, value, vertex).array();
  }

  /** Whether the value of an entry is not told from others. */
  public static boolean isUntold(byte[] key) {
    return key[Integer.BYTES] == UNTOLD;
  }

  /** Whether two entries are of one index and have one value. */
  public static boolean haveOneValue(byte[] key, byte[] other) {
    int length = key.length - Long.BYTES;
    return key.length == other.length && Arrays.mismatch(key, 0, length, other, 0, length) < 0;
  }

  /** All entries with the value of an entry. */
  public static Range ofValueOf(byte[] key) {
    byte[] value = Arrays.copyOfRange(key, Integer.BYTES, key.length - Long.BYTES);
    return range(indexOf(key), value, value);
  }

  /** The vertex that an entry names. */
  public static long vertexOf(byte[] key) {
    return ByteBuffer.wrap(key).getLong(key.length - Long.BYTES) ^ Long.MIN_VALUE;
  }

  /** The number of the index that an entry belongs to. */
  public static int indexOf(byte[] key) {
    return ByteBuffer.wrap(key).getInt(0);
  }

  /** All entries of an index. */
  public static Range all(int index) {
    byte[] low = ByteBuffer.allocate(Integer.BYTES).putInt(index).array();
    byte[] high = ByteBuffer.allocate(Integer.BYTES).putInt(index + 1).array();
    return new Range(low, high, false);
  }

  /** The entries of values that may equal anything. */
  public static Range untold(int index) {
    byte[] value = {UNTOLD};
    return range(index, value, value);
  }

  /**
   * The ranges that hold the entries of all values that may equal {@code sought}, those in {@link
   * #untold} apart; null where the index does not know where they are.
   *
   * @param exact whether the index is unique
   */
  public static List<Range> ranges(int index, Object sought, boolean exact) {
    if (sought == null || !isTold(sought)) {
      return null;
    }
    if (!isNumber(sought)) {
      byte[] value = encode(sought, exact);
      return List.of(range(index, value, value));
    }
    Number number = (Number) sought;
    Set<Double> nearest = new TreeSet<>();
    nearest.add(normal(number.doubleValue()));
    if (!isDouble(number)) {
      nearest.add(normal(number.floatValue())); // that of a float that it is compared with as one
    }
    List<Range> ranges = new ArrayList<>(2);
    if (number instanceof Float single) {
      nearest.add(normal(Double.parseDouble(single.toString())));
      if (Math.abs(single) >= EXACT_FLOAT) {
        byte[] low = number(normal(Math.nextDown(single)));
        ranges.add(range(index, low, number(normal(Math.nextUp(single)))));
        return ranges; // the doubles lie between
      }
    }
    for (double each : nearest) {
      ranges.add(exact ? nearest(index, each) : range(index, number(each), number(each)));
    }
    return ranges;
  }

  /**
   * The range that holds the entries of all values between two bounds, these included, and perhaps
   * some more; null where the index does not know where they are. Of values in {@link #untold} some
   * may lie between as well. Numbers lie between numbers, and texts between texts: between is what
   * is neither less than the one bound nor greater than the other in Gremlin's sense, which for
   * numbers of different classes may be by their nearest float or double, or exactly.
   *
   * @param low null for none
   * @param high null for none
   * @param exact whether the index is unique
   */
  public static Range between(int index, Object low, Object high, boolean exact) {
    Object one = low != null ? low : high;
    if (one instanceof String && (high == null || high instanceof String)) {
      return new Range(
          prefixed(index, low == null ? new byte[] {TEXT} : bound((String) low, exact)),
          prefixed(index, high == null ? next(new byte[] {TEXT}) : above((String) high, exact)),
          false);
    }
    if (isOrdered(low) && isOrdered(high) && one != null) {
      return new Range(
          prefixed(index, low == null ? new byte[] {NUMBER} : number(lowest((Number) low))),
          prefixed(
              index, next(high == null ? new byte[] {NUMBER} : number(highest((Number) high)))),
          false);
    }
    return null;
  }

  /**
   * The range that holds the entries of all texts that begin with {@code prefix}, and perhaps some
   * more; longer ones are in {@link #untold}.
   *
   * @param exact whether the index is unique
   */
  public static Range startingWith(int index, String prefix, boolean exact) {
    byte[] low = withoutEnd(bound(prefix, exact));
    return new Range(prefixed(index, low), prefixed(index, next(low)), false);
  }

  private static boolean isOrdered(Object bound) {
    return bound == null || (isNumber(bound) && isTold(bound));
  }

  /** A text, or its beginning, as a bound that is not above it. */
  private static byte[] bound(String text, boolean exact) {
    return text(text, mostOfBound(exact));
  }

  /** A bound above a text, and above all longer ones if it is not whole. */
  private static byte[] above(String text, boolean exact) {
    byte[] bound = bound(text, exact);
    return next(text.length() > mostOfBound(exact) ? withoutEnd(bound) : bound);
  }

  private static int mostOfBound(boolean exact) {
    return exact ? MOST_EXACT : MOST;
  }

  private static byte[] withoutEnd(byte[] text) {
    return Arrays.copyOf(text, text.length - 1);
  }

  /** The smallest bound above all that begins with these bytes, the last of which can grow. */
  private static byte[] next(byte[] bytes) {
    byte[] next = bytes.clone();
    int last = next.length - 1;
    while (++next[last] == 0) {
      last--;
    }
    return next;
  }

  private static byte[] prefixed(int index, byte[] value) {
    return ByteBuffer.allocate(Integer.BYTES + value.length).putInt(index).put(value).array();
  }

  /** The nearest double of any number that may be equal to a number or greater, at least. */
  private static double lowest(Number number) {
    double nearest = number.doubleValue();
    return normal(
        isDouble(number) ? nearest : Math.min(nearest, Math.nextDown(number.floatValue())));
  }

  /** The nearest double of any number that may be equal to a number or less, at most. */
  private static double highest(Number number) {
    double nearest = number.doubleValue();
    return normal(isDouble(number) ? nearest : Math.max(nearest, Math.nextUp(number.floatValue())));
  }

  /** Whether a number is never compared as a float, nor by the text of one. */
  private static boolean isDouble(Number number) {
    return number instanceof Long || number instanceof Double;
  }

  /** The exact entries of all numbers that a double is the nearest one of. */
  private static Range nearest(int index, double number) {
    byte[] low =
        ByteBuffer.allocate(Integer.BYTES + 1 + Long.BYTES)
            .putInt(index)
            .put(number(number))
            .array();
    byte[] high = Arrays.copyOf(low, low.length + 1);
    high[low.length] = (byte) 0xFF; // above all digits
    return new Range(low, high, false);
  }

  private static Range range(int index, byte[] low, byte[] high) {
    byte[] from = join(index, low, Long.MIN_VALUE).array();
    byte[] to = join(index, high, Long.MAX_VALUE).array();
    return new Range(from, Arrays.copyOf(to, to.length + 1), Arrays.equals(low, high));
  }

  private static ByteBuffer join(int index, byte[] value, long vertex) {
    return ByteBuffer.allocate(Integer.BYTES + value.length + Long.BYTES)
        .putInt(index)
        .put(value)
        .putLong(vertex ^ Long.MIN_VALUE);
  }

  private static byte[] orUntold(Object value, boolean exact) {
    return isTold(value) ? encode(value, exact) : new byte[] {UNTOLD};
  }

  /** Whether equal values of this class and others have keys that {@link #ranges} finds. */
  private static boolean isTold(Object value) {
    if (isNumber(value)) {
      return !Double.isNaN(((Number) value).doubleValue());
    }
    ValueTag tag = ValueTag.of(value);
    return tag != null
        && switch (tag) {
          case FALSE, TRUE, STRING, STRING_UTF16, CHAR, UUID -> true;
          case OFFSET_DATE_TIME,
              ZONED_DATE_TIME,
              LOCAL_DATE_TIME,
              LOCAL_DATE,
              LOCAL_TIME,
              OFFSET_TIME,
              INSTANT,
              DURATION,
              PERIOD,
              YEAR,
              YEAR_MONTH,
              MONTH_DAY,
              ZONE_OFFSET,
              DATE ->
              true;
          default -> false;
        };
  }

  private static boolean isNumber(Object value) {
    return NUMBERS.contains(value.getClass());
  }

  private static byte[] encode(Object value, boolean exact) {
    if (isNumber(value)) {
      double nearest = normal(((Number) value).doubleValue());
      return exact ? exact((Number) value, nearest) : number(nearest);
    }
    if (value instanceof String text) {
      return text(text, exact ? text.length() : MOST);
    }
    byte[] bytes = ValueCodec.encode(value);
    int length = exact ? bytes.length : Math.min(bytes.length, MOST);
    ByteBuffer to = ByteBuffer.allocate(2 + 2 * length).put(OTHER);
    for (int i = 0; i < length; i++) {
      put(bytes[i], to);
    }
    return ended(to);
  }

  /** Zero has one key, whatever its sign: as a decimal it has none. */
  private static double normal(double value) {
    return value == 0 ? 0.0 : value;
  }

  private static byte[] number(double value) {
    long bits = Double.doubleToLongBits(value);
    long ordered = bits < 0 ? ~bits : bits ^ Long.MIN_VALUE;
    return ByteBuffer.allocate(1 + Long.BYTES).put(NUMBER).putLong(ordered).array();
  }

  /** The nearest double, and what the number has more. */
  private static byte[] exact(Number number, double nearest) {
    byte[] more = {};
    if (number instanceof Long || number instanceof BigInteger || number instanceof BigDecimal) {
      BigDecimal base = Double.isInfinite(nearest) ? BigDecimal.ZERO : new BigDecimal(nearest);
      BigDecimal difference = decimal(number).subtract(base);
      if (difference.signum() != 0) {
        more = difference.stripTrailingZeros().toString().getBytes(StandardCharsets.US_ASCII);
      }
    }
    return ByteBuffer.allocate(1 + Long.BYTES + more.length + 1)
        .put(number(nearest))
        .put(more)
        .put(END)
        .array();
  }

  private static BigDecimal decimal(Number number) {
    if (number instanceof BigDecimal decimal) {
      return decimal;
    }
    return number instanceof BigInteger integer
        ? new BigDecimal(integer)
        : BigDecimal.valueOf(number.longValue());
  }

  private static byte[] text(String text, int most) {
    int length = Math.min(text.length(), most);
    ByteBuffer to = ByteBuffer.allocate(2 + 3 * length).put(TEXT);
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        put((byte) c, to);
      } else if (c < 0x800) {
        to.put((byte) (0xC0 | (c >> 6))).put((byte) (0x80 | (c & 0x3F)));
      } else {
        to.put((byte) (0xE0 | (c >> 12)))
            .put((byte) (0x80 | ((c >> 6) & 0x3F)))
            .put((byte) (0x80 | (c & 0x3F)));
      }
    }
    return ended(to);
  }

  private static void put(byte b, ByteBuffer to) {
    if (b == END || b == ESCAPE) {
      to.put(ESCAPE).put((byte) (b + 1));
    } else {
      to.put(b);
    }
  }

  private static byte[] ended(ByteBuffer to) {
    to.put(END).flip();
    byte[] bytes = new byte[to.remaining()];
    to.get(bytes);
    return bytes;
  }
}
