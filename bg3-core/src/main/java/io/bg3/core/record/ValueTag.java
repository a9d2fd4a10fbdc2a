package io.bg3.core.record;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
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
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The first byte of an encoded value. The numbers are on disk and are never given another meaning;
 * those up to 127 that are missing here are kept for later, those above are never used.
 */
enum ValueTag {
  NULL(0, Void.class),
  FALSE(1, Boolean.class),
  TRUE(2, Boolean.class),
  BYTE(3, Byte.class),
  SHORT(4, Short.class),
  INT(5, Integer.class),
  LONG(6, Long.class),
  FLOAT(7, Float.class),
  DOUBLE(8, Double.class),
  BIG_INTEGER(9, BigInteger.class),
  BIG_DECIMAL(10, BigDecimal.class),
  STRING(11, String.class),
  /** A string with unpaired surrogates, which UTF-8 cannot hold. */
  STRING_UTF16(12, String.class),
  CHAR(13, Character.class),
  UUID(14, UUID.class),
  OFFSET_DATE_TIME(20, OffsetDateTime.class),
  ZONED_DATE_TIME(21, ZonedDateTime.class),
  LOCAL_DATE_TIME(22, LocalDateTime.class),
  LOCAL_DATE(23, LocalDate.class),
  LOCAL_TIME(24, LocalTime.class),
  OFFSET_TIME(25, OffsetTime.class),
  INSTANT(26, Instant.class),
  DURATION(27, Duration.class),
  PERIOD(28, Period.class),
  YEAR(29, Year.class),
  YEAR_MONTH(30, YearMonth.class),
  MONTH_DAY(31, MonthDay.class),
  ZONE_OFFSET(32, ZoneOffset.class),
  DATE(33, Date.class),
  BYTES(40, byte[].class),
  BOOLEANS(41, boolean[].class),
  SHORTS(42, short[].class),
  CHARS(43, char[].class),
  INTS(44, int[].class),
  LONGS(45, long[].class),
  FLOATS(46, float[].class),
  DOUBLES(47, double[].class),
  STRINGS(48, String[].class),
  BYTE_BUFFER(49, ByteBuffer.class),
  LIST(56, List.class),
  SET(57, Set.class),
  MAP(58, Map.class);

  private static final ValueTag[] BY_CODE = new ValueTag[128];
  private static final Map<Class<?>, ValueTag> BY_CLASS = new HashMap<>();

  static {
    for (ValueTag tag : values()) {
      BY_CODE[tag.code] = tag;
      BY_CLASS.putIfAbsent(tag.type, tag);
    }
  }

  private final int code;
  private final Class<?> type;

  ValueTag(int code, Class<?> type) {
    this.code = code;
    this.type = type;
  }

  int code() {
    return code;
  }

  /** The tag with this number, null if there is none. */
  static ValueTag of(int code) {
    return code < BY_CODE.length ? BY_CODE[code] : null;
  }

  /** The tag for a value (for booleans and strings the first of the two), null if none fits. */
  static ValueTag of(Object value) {
    if (value == null) {
      return NULL;
    }
    ValueTag exact = BY_CLASS.get(value.getClass());
    if (exact != null) {
      return exact;
    }
    if (value instanceof List) {
      return LIST;
    }
    if (value instanceof Set) {
      return SET;
    }
    if (value instanceof ByteBuffer) {
      return BYTE_BUFFER;
    }
    if (value instanceof Date) {
      return DATE; // of java.sql, or an application's
    }
    return value instanceof Map ? MAP : null;
  }
}
