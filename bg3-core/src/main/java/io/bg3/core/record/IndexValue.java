package io.bg3.core.record;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Values as they stand in the keys of index entries ({@link IndexKey}), and the intervals in which
 * sought values stand.
 *
 * <pre>
 *   1  kind       4 = absent, 8 = a value that is not told from others, 16 = number, 32 = text,
 *                 48 = other
 *   …  value      number: the nearest double, as 8 bytes in the order of numbers
 *                 text: its first 128 chars, then 0; a char of 0 or 1 as 1 and the char plus 1,
 *                 another one as UTF-8 has a char of 16 bits
 *                 other: its first 128 bytes in its order ({@link OrderedValue}), in an index whose
 *                 values are not ordered those of the encoded value, then 0; 0 and 1 as above
 * </pre>
 *
 * <p>No value is the beginning of another one, so all entries of a value stand together, and one
 * value may stand behind another.
 *
 * <p>An exact value is whole: a text and another value are not cut, and behind the double stands
 * what the number has more, as the text of a decimal, then 0. So two exact values are alike if and
 * only if they are the same number, or equal and of one class.
 *
 * <p>Any other value says less than the property has: equal values may have different bytes (as a
 * float and the integers that are rounded to it), and different values the same (as long texts with
 * one beginning). So a search goes through all intervals that {@link #equal} gives, and through the
 * entries that are not told from others, and the caller tests each element that it finds with the
 * predicate of the query. Numbers of all classes share their order. Booleans, chars, UUIDs, dates
 * and times of each class have their own, if the index has it ({@link IndexForm}). Of lists, sets,
 * maps, arrays, values that are not numbers, and values of more than 1,024 bytes, it is only known
 * which elements have one.
 */
public final class IndexValue {
  static final byte ABSENT = 4;
  static final byte UNTOLD = 8;
  static final byte NUMBER = 16;
  static final byte TEXT = 32;
  static final byte OTHER = 48;

  /** Chars of a text, and bytes of other values, that stand in a value. */
  private static final int MOST = 128;

  /** Chars of a bound of an exact range: more than a value has that is told from others. */
  private static final int MOST_EXACT = 1_024;

  /** A longer encoded value is not told from others. */
  private static final int MOST_BYTES = 1_024;

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
   * The values from {@code low} on and below {@code high}.
   *
   * @param high null if {@code low} is the one value
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Interval(byte[] low, byte[] high) {
    /** The one of two intervals with one lower bound that holds the other. */
    public Interval wider(Interval other) {
      boolean isWider =
          other.high == null || (high != null && Arrays.compareUnsigned(high, other.high) >= 0);
      return isWider ? this : other;
    }

    /** Whether it is one value, and not all values between two bounds. */
    public boolean isOneValue() {
      return high == null;
    }
  }

  private IndexValue() {}

  /** A property's value, null for none. */
  static byte[] of(PropertyCell property, IndexForm form) {
    if (property == null) {
      return new byte[] {ABSENT};
    }
    if (property.isLarge() || property.length() > MOST_BYTES) {
      return new byte[] {UNTOLD};
    }
    Object value = property.value();
    return isTold(value) ? encode(value, form) : new byte[] {UNTOLD};
  }

  /**
   * The rest of a property's value, which {@link #of} does not say, without its kind, then 0.
   *
   * @param property null for none; a value that is told from others
   */
  static byte[] rest(PropertyCell property, IndexForm form) {
    Object value = property == null ? null : property.value();
    if (value == null) {
      return new byte[] {IndexBytes.END};
    }
    if (isNumber(value)) {
      byte[] exact = exact((Number) value, normal(((Number) value).doubleValue()));
      return Arrays.copyOfRange(exact, 1 + Long.BYTES, exact.length);
    }
    byte[] whole =
        value instanceof String text
            ? text(text.substring(Math.min(text.length(), MOST)), MOST_BYTES)
            : IndexBytes.of(OTHER, bytes(value, form), MOST, MOST_BYTES);
    return Arrays.copyOfRange(whole, 1, whole.length);
  }

  /** Where the value ends that begins at an offset of a key, unless it is exact. */
  static int end(byte[] key, int from) {
    switch (key[from]) {
      case ABSENT, UNTOLD -> {
        return from + 1;
      }
      case NUMBER -> {
        return from + 1 + Long.BYTES;
      }
      default -> {
        int end = from + 1;
        while (key[end] != IndexBytes.END) {
          end++;
        }
        return end + 1;
      }
    }
  }

  /**
   * The intervals that hold all values which may equal {@code sought}, those apart that are not
   * told from others; null where it is not known where they are.
   */
  public static List<Interval> equal(Object sought, IndexForm form) {
    if (sought == null || !isTold(sought)) {
      return null;
    }
    if (!isNumber(sought)) {
      return List.of(new Interval(encode(sought, form), null));
    }
    Number number = (Number) sought;
    Set<Double> nearest = new TreeSet<>();
    nearest.add(normal(number.doubleValue()));
    if (!isDouble(number)) {
      nearest.add(normal(number.floatValue())); // that of a float that it is compared with as one
    }
    if (number instanceof Float single) {
      nearest.add(normal(Double.parseDouble(single.toString())));
      if (Math.abs(single) >= EXACT_FLOAT) {
        byte[] low = number(normal(Math.nextDown(single)));
        // the doubles lie between
        return List.of(new Interval(low, next(number(normal(Math.nextUp(single))))));
      }
    }
    List<Interval> intervals = new ArrayList<>(2);
    for (double each : nearest) {
      byte[] low = number(each);
      intervals.add(new Interval(low, form.exact() ? IndexKey.above(low) : null));
    }
    return intervals;
  }

  /**
   * The interval that holds all values between two bounds, these included, and perhaps some more;
   * null where it is not known where they are. Of values that are not told from others some may lie
   * between as well. Numbers lie between numbers, texts between texts, and other values between
   * those of their class: between is what is neither less than the one bound nor greater than the
   * other in Gremlin's sense, which for numbers of different classes may be by their nearest float
   * or double, or exactly.
   *
   * @param low null for none
   * @param high null for none
   */
  public static Interval between(Object low, Object high, IndexForm form) {
    Object one = low != null ? low : high;
    if (one instanceof String && (high == null || high instanceof String)) {
      return new Interval(
          low == null ? new byte[] {TEXT} : bound((String) low, form),
          high == null ? next(new byte[] {TEXT}) : above((String) high, form));
    }
    if (isOrdered(low) && isOrdered(high) && one != null) {
      return new Interval(
          low == null ? new byte[] {NUMBER} : number(lowest((Number) low)),
          next(high == null ? new byte[] {NUMBER} : number(highest((Number) high))));
    }
    if (form.ordered() && one != null && OrderedValue.areBounds(low, high)) {
      return new Interval(
          bound(low == null ? OrderedValue.beginning(one) : OrderedValue.bound(low)),
          next(bound(high == null ? OrderedValue.beginning(one) : OrderedValue.bound(high))));
    }
    return null;
  }

  /**
   * The interval that holds all texts that begin with {@code prefix}, and perhaps some more; longer
   * ones are among the values that are not told from others.
   */
  public static Interval startingWith(String prefix, IndexForm form) {
    byte[] low = IndexBytes.withoutEnd(bound(prefix, form));
    return new Interval(low, next(low));
  }

  private static boolean isOrdered(Object bound) {
    return bound == null || (isNumber(bound) && isTold(bound));
  }

  /** A text, or its beginning, as a bound that is not above it. */
  private static byte[] bound(String text, IndexForm form) {
    return text(text, mostOfBound(form));
  }

  /** A bound above a text, and above all longer ones if it is not whole. */
  private static byte[] above(String text, IndexForm form) {
    byte[] bound = bound(text, form);
    return next(text.length() > mostOfBound(form) ? IndexBytes.withoutEnd(bound) : bound);
  }

  private static int mostOfBound(IndexForm form) {
    return form.exact() ? MOST_EXACT : MOST;
  }

  /** The beginning of values that are neither numbers nor texts. */
  private static byte[] bound(byte[] beginning) {
    return IndexBytes.withoutEnd(IndexBytes.of(OTHER, beginning, 0, beginning.length));
  }

  /** The smallest bound above all that begins with these bytes, the last of which can grow. */
  static byte[] next(byte[] bytes) {
    byte[] next = bytes.clone();
    int last = next.length - 1;
    while (++next[last] == 0) {
      last--;
    }
    return next;
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

  /** Whether equal values of this class and others have keys that {@link #equal} finds. */
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
              ZONE_OFFSET ->
              true;
          case DATE -> ValueWriter.isWholeMillis((Date) value); // others equal dates too
          default -> false;
        };
  }

  private static boolean isNumber(Object value) {
    return NUMBERS.contains(value.getClass());
  }

  private static byte[] encode(Object value, IndexForm form) {
    if (isNumber(value)) {
      double nearest = normal(((Number) value).doubleValue());
      return form.exact() ? exact((Number) value, nearest) : number(nearest);
    }
    if (value instanceof String text) {
      return text(text, form.exact() ? text.length() : MOST);
    }
    byte[] bytes = bytes(value, form);
    return IndexBytes.of(OTHER, bytes, 0, form.exact() ? bytes.length : MOST);
  }

  private static byte[] bytes(Object value, IndexForm form) {
    return form.ordered() ? OrderedValue.of(value) : ValueCodec.encode(value);
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
        .put(IndexBytes.END)
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
    return IndexBytes.of(TEXT, text, most);
  }
}
