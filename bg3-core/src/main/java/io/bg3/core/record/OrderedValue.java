package io.bg3.core.record;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.Date;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Values that are neither numbers nor texts, as bytes in the order in which Gremlin compares them.
 * Gremlin compares values of one class, by {@link Comparable}, and none of two classes: a {@link
 * Date} is neither less nor greater than an {@link OffsetDateTime}. So the values of one class
 * stand together.
 *
 * <pre>
 *   1  class   the tag with which a property has a value of the class; of booleans that of false
 *   …  value   boolean          0 or 1
 *              char             the char
 *              UUID             its halves, 8 bytes each, big-endian, the sign bits flipped
 *              OffsetDateTime   second since 1970, nanosecond of it, offset in seconds
 *              ZonedDateTime    second since 1970, nanosecond of it, zone id in UTF-8
 *              LocalDateTime    second since 1970, nanosecond of it
 *              LocalDate        day since 1970
 *              LocalTime        nanosecond of the day
 *              OffsetTime       nanosecond of the day less the offset, offset in seconds
 *              Instant          second since 1970, nanosecond of it
 *              Duration         seconds, nanoseconds
 *              Year             year
 *              YearMonth        year, month
 *              MonthDay         month, day
 *              ZoneOffset       seconds, their sign changed
 *              Date             milliseconds since 1970
 *              Period           as a property has it, in no order
 * </pre>
 *
 * <p>A number that is not negative is a byte of 128 and the count of its bytes without leading
 * zeros, then these, big-endian. A negative number is a byte of 127 less the count of the bytes of
 * its complement, then these, each one complemented.
 *
 * <p>Two values have the same bytes if and only if they are equal: of one instant, those with two
 * offsets differ, and those in two zones, as Gremlin tells them apart. The offset of a {@link
 * ZonedDateTime} follows from the instant and the zone.
 */
final class OrderedValue {
  private static final int POSITIVE = 0x80;
  private static final int NEGATIVE = 0x7F;

  /** The most bytes of a value, its zone apart. */
  private static final int MOST_BYTES = 1 + 3 * (1 + Long.BYTES);

  private OrderedValue() {}

  /** The bytes of a value that an index tells from others, and that is no number and no text. */
  static byte[] of(Object value) {
    if (ValueTag.of(value) == ValueTag.PERIOD) {
      return ValueCodec.encode(value);
    }
    byte[] bound = bound(value);
    if (!(value instanceof ZonedDateTime time)) {
      return bound;
    }
    byte[] zone = time.getZone().getId().getBytes(StandardCharsets.UTF_8);
    byte[] bytes = Arrays.copyOf(bound, bound.length + zone.length);
    System.arraycopy(zone, 0, bytes, bound.length, zone.length);
    return bytes;
  }

  /** Whether two bounds, of which one may be null, have an order, and are of one class. */
  static boolean areBounds(Object low, Object high) {
    return (low == null || isBound(low))
        && (high == null || isBound(high))
        && (low == null || high == null || code(low) == code(high));
  }

  private static boolean isBound(Object value) {
    ValueTag tag = ValueTag.of(value);
    return tag != null
        && switch (tag) {
          case FALSE,
              TRUE,
              CHAR,
              UUID,
              OFFSET_DATE_TIME,
              ZONED_DATE_TIME,
              LOCAL_DATE_TIME,
              LOCAL_DATE,
              LOCAL_TIME,
              OFFSET_TIME,
              INSTANT,
              DURATION,
              YEAR,
              YEAR_MONTH,
              MONTH_DAY,
              ZONE_OFFSET ->
              true;
          case DATE -> value.getClass() == Date.class || isOfSql(value);
          default -> false; // a period has no order
        };
  }

  private static boolean isOfSql(Object date) {
    return date.getClass() == Timestamp.class
        || date.getClass() == java.sql.Date.class
        || date.getClass() == Time.class;
  }

  /** Bytes with which all values of the class of a bound begin. */
  static byte[] beginning(Object bound) {
    return new byte[] {(byte) code(bound)};
  }

  private static int code(Object value) {
    return value instanceof Boolean ? ValueTag.FALSE.code() : ValueTag.of(value).code();
  }

  /**
   * The bytes of a value, of a {@link ZonedDateTime} without its zone. A value that is equal to a
   * bound begins with those of the bound; a greater one has greater bytes, or begins with the same
   * ones.
   */
  @SuppressWarnings("JavaUtilDate") // a property may be a Date
  static byte[] bound(Object value) {
    ByteBuffer to = ByteBuffer.allocate(MOST_BYTES).put((byte) code(value));
    switch (ValueTag.of(value)) {
      case FALSE, TRUE -> number((boolean) value ? 1 : 0, to);
      case CHAR -> number((char) value, to);
      case UUID -> {
        UUID uuid = (UUID) value;
        to.putLong(uuid.getMostSignificantBits() ^ Long.MIN_VALUE);
        to.putLong(uuid.getLeastSignificantBits() ^ Long.MIN_VALUE);
      }
      case OFFSET_DATE_TIME -> {
        OffsetDateTime time = (OffsetDateTime) value;
        numbers(to, time.toEpochSecond(), time.getNano(), time.getOffset().getTotalSeconds());
      }
      case ZONED_DATE_TIME -> {
        ZonedDateTime time = (ZonedDateTime) value;
        numbers(to, time.toEpochSecond(), time.getNano());
      }
      case LOCAL_DATE_TIME -> {
        Instant time = ((LocalDateTime) value).toInstant(ZoneOffset.UTC);
        numbers(to, time.getEpochSecond(), time.getNano());
      }
      case LOCAL_DATE -> number(((LocalDate) value).toEpochDay(), to);
      case LOCAL_TIME -> number(((LocalTime) value).toNanoOfDay(), to);
      case OFFSET_TIME -> {
        OffsetTime time = (OffsetTime) value;
        int offset = time.getOffset().getTotalSeconds();
        numbers(to, time.toLocalTime().toNanoOfDay() - TimeUnit.SECONDS.toNanos(offset), offset);
      }
      case INSTANT -> {
        Instant instant = (Instant) value;
        numbers(to, instant.getEpochSecond(), instant.getNano());
      }
      case DURATION -> {
        Duration duration = (Duration) value;
        numbers(to, duration.getSeconds(), duration.getNano());
      }
      case YEAR -> number(((Year) value).getValue(), to);
      case YEAR_MONTH -> {
        YearMonth month = (YearMonth) value;
        numbers(to, month.getYear(), month.getMonthValue());
      }
      case MONTH_DAY -> {
        MonthDay day = (MonthDay) value;
        numbers(to, day.getMonthValue(), day.getDayOfMonth());
      }
      case ZONE_OFFSET -> number(-((ZoneOffset) value).getTotalSeconds(), to);
      case DATE -> number(((Date) value).getTime(), to);
      default -> throw new AssertionError(value.getClass());
    }
    return Arrays.copyOf(to.array(), to.position());
  }

  private static void numbers(ByteBuffer to, long... numbers) {
    for (long number : numbers) {
      number(number, to);
    }
  }

  private static void number(long number, ByteBuffer to) {
    long magnitude = number < 0 ? ~number : number;
    int count = (Long.SIZE - Long.numberOfLeadingZeros(magnitude) + Byte.SIZE - 1) / Byte.SIZE;
    to.put((byte) (number < 0 ? NEGATIVE - count : POSITIVE + count));
    for (int i = count - 1; i >= 0; i--) {
      to.put((byte) (number >> (i * Byte.SIZE)));
    }
  }
}
