package io.bg3.core.record;

import io.bg3.core.limit.Limit;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.UUID;

/**
 * The forms of a vertex id. A user sees a {@link Long}, a {@link UUID} or a {@link String}; the
 * engine knows a vertex by a 64-bit internal id.
 *
 * <ul>
 *   <li>I1: an integer of any class that fits a long is that Long, and so is the canonical decimal
 *       text of one ({@code "17"}, {@code "-4"}, not {@code "017"} or {@code "+4"}).
 *   <li>I2: the canonical text of a UUID (lower or upper case, with dashes) is that UUID.
 *   <li>I3: every other text is itself.
 *   <li>I4: a Long outside of the reserved range is its own internal id. A UUID or String has an
 *       internal id in the reserved range {@code [Long.MIN_VALUE, -2^62)}, which no user may name.
 * </ul>
 */
public final class VertexId {
  /** Internal ids below this one stand for UUIDs and strings. */
  public static final long RESERVED_END = -(1L << 62);

  private static final int UUID_LENGTH = 36;
  private static final int LONGEST_LONG = 20;

  /** Decimal digits that fit a long whatever they are. */
  private static final int MOST_DIGITS = 18;

  private VertexId() {}

  /**
   * The canonical form of an id: Long, UUID or String.
   *
   * @throws io.bg3.core.limit.LimitExceededException if the text is too long
   * @throws IllegalArgumentException if the class is none that can be an id, the number does not
   *     fit a long, or the text is empty or malformed
   */
  public static Object canonical(Object id) {
    if (id instanceof Long) {
      return id;
    }
    if (id instanceof Integer || id instanceof Short || id instanceof Byte) {
      return ((Number) id).longValue();
    }
    if (id instanceof BigInteger integer && integer.bitLength() < Long.SIZE) {
      return integer.longValue();
    }
    if (id instanceof UUID) {
      return id;
    }
    if (id instanceof String text) {
      return ofText(text);
    }
    throw new IllegalArgumentException(
        "not a vertex id: id="
            + id
            + ", class="
            + (id == null ? "null" : id.getClass().getName())
            + ", allowed=integers that fit a long, UUID, String");
  }

  /**
   * The canonical form of an id that is looked for: as {@link #canonical}, and a number with a
   * fraction part of zero is that integer. Null if no vertex can have this id.
   */
  public static Object sought(Object id) {
    if (id instanceof Float || id instanceof Double) {
      double number = ((Number) id).doubleValue();
      long whole = (long) number;
      return whole == number && whole != Long.MAX_VALUE ? whole : null;
    }
    if (id instanceof BigDecimal decimal) {
      return whole(decimal);
    }
    if (id instanceof String text && smallDecimal(text) == null && !fits(text)) {
      return null;
    }
    boolean possible =
        id instanceof Long
            || id instanceof Integer
            || id instanceof Short
            || id instanceof Byte
            || id instanceof UUID
            || id instanceof String
            || (id instanceof BigInteger integer && integer.bitLength() < Long.SIZE);
    return possible ? canonical(id) : null;
  }

  /** Whether an id of this class and value may be given to a new vertex. */
  public static boolean allows(Object id) {
    try {
      return !(canonical(id) instanceof Long number) || !isReserved(number);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Whether the internal id stands for a UUID or String (I4). */
  public static boolean isReserved(long internal) {
    return internal < RESERVED_END;
  }

  /** The internal id of the {@code n}-th UUID or String. */
  public static long reserved(long n) {
    long internal = Long.MIN_VALUE + n;
    assert n >= 0 && isReserved(internal) : n;
    return internal;
  }

  /** The number from which {@link #reserved} made an internal id. */
  public static long reservedNumber(long internal) {
    assert isReserved(internal) : internal;
    return internal - Long.MIN_VALUE;
  }

  private static Object ofText(String text) {
    Long small = smallDecimal(text);
    if (small != null) {
      return small;
    }
    if (!fits(text)) {
      Limit.ID_BYTES.check(bytes(text));
      throw new IllegalArgumentException(
          "an id must be well-formed text of 1 to "
              + Limit.ID_BYTES.most()
              + " bytes of UTF-8: length="
              + text.length());
    }
    Long number = decimal(text);
    if (number != null) {
      return number;
    }
    UUID uuid = uuid(text);
    return uuid != null ? uuid : text;
  }

  private static boolean fits(String text) {
    if (text.isEmpty() || bytes(text) > Limit.ID_BYTES.most()) {
      return false;
    }
    return ValueWriter.utf8(text) != null;
  }

  /** Bytes of a text in UTF-8; of one that is longer in any case, at least its length. */
  private static int bytes(String text) {
    return text.length() > Limit.ID_BYTES.most()
        ? text.length()
        : text.getBytes(StandardCharsets.UTF_8).length;
  }

  /**
   * The number whose canonical decimal text this is, if it has no sign and at most {@value
   * #MOST_DIGITS} digits; else null. Most ids in files are such, and this makes no copy of them.
   */
  private static Long smallDecimal(String text) {
    int length = text.length();
    if (length == 0 || length > MOST_DIGITS || (text.charAt(0) == '0' && length > 1)) {
      return null;
    }
    long number = 0;
    for (int i = 0; i < length; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return null;
      }
      number = 10 * number + digit;
    }
    return number;
  }

  /** The number whose canonical decimal text this is, else null. */
  static Long decimal(String text) {
    char first = text.charAt(0);
    if (text.length() > LONGEST_LONG || !(first == '-' || (first >= '0' && first <= '9'))) {
      return null;
    }
    try {
      long number = Long.parseLong(text);
      return Long.toString(number).equals(text) ? (Long) number : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static UUID uuid(String text) {
    if (text.length() != UUID_LENGTH || text.charAt(8) != '-') {
      return null;
    }
    try {
      UUID uuid = UUID.fromString(text);
      return uuid.toString().equals(text.toLowerCase(Locale.ROOT)) ? uuid : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static Object whole(BigDecimal decimal) {
    try {
      return decimal.longValueExact();
    } catch (ArithmeticException e) {
      return null;
    }
  }
}
