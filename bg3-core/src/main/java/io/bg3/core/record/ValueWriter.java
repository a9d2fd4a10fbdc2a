package io.bg3.core.record;

import io.bg3.core.limit.Limit;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Collection;
import java.util.Date;
import java.util.Map;
import java.util.UUID;

/**
 * Writes values tag by tag; {@link ValueReader} is its twin, and {@link ValueCodec} says the rules.
 */
public final class ValueWriter {
  private static final int NANOS_IN_MILLI = 1_000_000;

  private final RecordWriter to;

  ValueWriter(RecordWriter to) {
    this.to = to;
  }

  void write(Object value, int depth) {
    ValueTag tag = ValueTag.of(value);
    if (tag == null) {
      throw new UnsupportedValueException(
          "values of this class cannot be stored: class=" + value.getClass().getName());
    }
    switch (tag) {
      case NULL -> tag(tag);
      case FALSE, TRUE -> tag((Boolean) value ? ValueTag.TRUE : ValueTag.FALSE);
      case BYTE -> tag(tag).u8((Byte) value & 0xFF);
      case SHORT -> tag(tag).signed((Short) value);
      case INT -> tag(tag).signed((Integer) value);
      case LONG -> tag(tag).signed((Long) value);
      case FLOAT -> tag(tag).fixed32(Float.floatToRawIntBits((Float) value));
      case DOUBLE -> tag(tag).fixed64(Double.doubleToRawLongBits((Double) value));
      case BIG_INTEGER -> integer(tag(tag), (BigInteger) value);
      case BIG_DECIMAL -> {
        BigDecimal decimal = (BigDecimal) value;
        integer(tag(tag).signed(decimal.scale()), decimal.unscaledValue());
      }
      case STRING, STRING_UTF16 -> string((String) value);
      case CHAR -> tag(tag).fixed16((short) ((Character) value).charValue());
      case UUID -> {
        UUID uuid = (UUID) value;
        tag(tag).fixed64(uuid.getMostSignificantBits()).fixed64(uuid.getLeastSignificantBits());
      }
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
          time(tag, value);
      case BYTES, BOOLEANS, SHORTS, CHARS, INTS, LONGS, FLOATS, DOUBLES, STRINGS ->
          array(tag, value);
      case BYTE_BUFFER -> bytes((ByteBuffer) value);
      case LIST, SET -> collection(tag, (Collection<?>) value, depth);
      case MAP -> map((Map<?, ?>) value, depth);
    }
    to.checkLength();
  }

  private static void integer(RecordWriter to, BigInteger integer) {
    Limit.VALUE_BYTES.check(integer.bitLength() / Byte.SIZE); // before a copy is made
    to.sized(integer.toByteArray());
  }

  /** The bytes between the buffer's position and its limit; neither moves. */
  private void bytes(ByteBuffer buffer) {
    Limit.VALUE_BYTES.check(buffer.remaining());
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    tag(ValueTag.BYTE_BUFFER).sized(bytes);
  }

  private RecordWriter tag(ValueTag tag) {
    return to.u8(tag.code());
  }

  private void string(String text) {
    Limit.VALUE_BYTES.check(text.length());
    byte[] utf8 = utf8(text);
    if (utf8 != null) {
      tag(ValueTag.STRING).sized(utf8);
      return;
    }
    tag(ValueTag.STRING_UTF16).varint(text.length());
    for (int i = 0; i < text.length(); i++) {
      to.fixed16((short) text.charAt(i));
    }
  }

  /** The text in UTF-8, null if it has unpaired surrogates. */
  public static byte[] utf8(String text) {
    try {
      ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      byte[] bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
      return bytes;
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  @SuppressWarnings("JavaUtilDate") // a value may be given as a Date
  private void time(ValueTag tag, Object value) {
    tag(tag);
    switch (tag) {
      case OFFSET_DATE_TIME -> {
        OffsetDateTime time = (OffsetDateTime) value;
        dateTime(time.toLocalDateTime());
        to.signed(time.getOffset().getTotalSeconds());
      }
      case ZONED_DATE_TIME -> {
        ZonedDateTime time = (ZonedDateTime) value;
        dateTime(time.toLocalDateTime());
        to.signed(time.getOffset().getTotalSeconds());
        to.sized(time.getZone().getId().getBytes(StandardCharsets.UTF_8));
      }
      case LOCAL_DATE_TIME -> dateTime((LocalDateTime) value);
      case LOCAL_DATE -> to.signed(((LocalDate) value).toEpochDay());
      case LOCAL_TIME -> to.varint(((LocalTime) value).toNanoOfDay());
      case OFFSET_TIME -> {
        OffsetTime time = (OffsetTime) value;
        to.varint(time.toLocalTime().toNanoOfDay()).signed(time.getOffset().getTotalSeconds());
      }
      case INSTANT -> {
        Instant instant = (Instant) value;
        to.signed(instant.getEpochSecond()).varint(instant.getNano());
      }
      case DURATION -> {
        Duration duration = (Duration) value;
        to.signed(duration.getSeconds()).varint(duration.getNano());
      }
      case PERIOD -> {
        Period period = (Period) value;
        to.signed(period.getYears()).signed(period.getMonths()).signed(period.getDays());
      }
      case YEAR -> to.signed(((Year) value).getValue());
      case YEAR_MONTH -> {
        YearMonth month = (YearMonth) value;
        to.signed(month.getYear()).u8(month.getMonthValue());
      }
      case MONTH_DAY -> {
        MonthDay day = (MonthDay) value;
        to.u8(day.getMonthValue()).u8(day.getDayOfMonth());
      }
      case ZONE_OFFSET -> to.signed(((ZoneOffset) value).getTotalSeconds());
      case DATE -> to.signed(millis((Date) value));
      default -> throw new AssertionError(tag);
    }
  }

  private void dateTime(LocalDateTime time) {
    to.signed(time.toLocalDate().toEpochDay()).varint(time.toLocalTime().toNanoOfDay());
  }

  /**
   * The milliseconds of a date. The fraction of a {@link Timestamp} may be finer, and is refused
   * rather than lost.
   */
  @SuppressWarnings("JavaUtilDate") // a value may be given as a Date
  private static long millis(Date date) {
    if (!isWholeMillis(date)) {
      throw new UnsupportedValueException(
          "a java.sql.Timestamp with parts of a millisecond cannot be stored; pass a"
              + " java.time.Instant or OffsetDateTime: value="
              + date);
    }
    return date.getTime();
  }

  /** Whether a date has no parts of a millisecond, so that it can be stored. */
  static boolean isWholeMillis(Date date) {
    return !(date instanceof Timestamp timestamp) || timestamp.getNanos() % NANOS_IN_MILLI == 0;
  }

  private void array(ValueTag tag, Object value) {
    tag(tag);
    switch (tag) {
      case BYTES -> to.sized((byte[]) value);
      case BOOLEANS -> {
        boolean[] array = (boolean[]) value;
        to.varint(array.length);
        for (boolean element : array) {
          to.u8(element ? 1 : 0);
        }
      }
      case SHORTS -> {
        short[] array = (short[]) value;
        to.varint(array.length);
        for (short element : array) {
          to.fixed16(element);
        }
      }
      case CHARS -> {
        char[] array = (char[]) value;
        to.varint(array.length);
        for (char element : array) {
          to.fixed16((short) element);
        }
      }
      case INTS -> {
        int[] array = (int[]) value;
        to.varint(array.length);
        for (int element : array) {
          to.fixed32(element);
        }
      }
      case LONGS -> {
        long[] array = (long[]) value;
        to.varint(array.length);
        for (long element : array) {
          to.fixed64(element);
        }
      }
      case FLOATS -> {
        float[] array = (float[]) value;
        to.varint(array.length);
        for (float element : array) {
          to.fixed32(Float.floatToRawIntBits(element));
        }
      }
      case DOUBLES -> {
        double[] array = (double[]) value;
        to.varint(array.length);
        for (double element : array) {
          to.fixed64(Double.doubleToRawLongBits(element));
        }
      }
      case STRINGS -> {
        String[] array = (String[]) value;
        to.varint(array.length);
        for (String element : array) {
          write(element, ValueCodec.MAX_DEPTH);
        }
      }
      default -> throw new AssertionError(tag);
    }
  }

  private void collection(ValueTag tag, Collection<?> values, int depth) {
    deeper(depth);
    tag(tag).varint(values.size());
    int written = 0;
    for (Object value : values) {
      write(value, depth + 1);
      written++;
    }
    unchanged(values.size(), written);
  }

  private void map(Map<?, ?> values, int depth) {
    deeper(depth);
    tag(ValueTag.MAP).varint(values.size());
    int written = 0;
    for (Map.Entry<?, ?> entry : values.entrySet()) {
      write(entry.getKey(), depth + 1);
      write(entry.getValue(), depth + 1);
      written++;
    }
    unchanged(values.size(), written);
  }

  private static void deeper(int depth) {
    Limit.VALUE_DEPTH.check(depth + 1L);
  }

  private static void unchanged(int size, int written) {
    if (size != written) {
      throw new UnsupportedValueException(
          "a collection changed while it was stored: size=" + size + ", found=" + written);
    }
  }
}
