package io.bg3.core.record;

import io.bg3.storage.format.CorruptionException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
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
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.UUID;

/** Reads what {@link ValueWriter} wrote; any other bytes end in a {@link CorruptionException}. */
final class ValueReader {
  private final RecordReader from;

  ValueReader(RecordReader from) {
    this.from = from;
  }

  /** A whole value, which is not null. */
  Object read() {
    int at = from.position();
    Object value = read(0);
    if (value == null) {
      throw from.corrupt(at, "V1: a value", "null");
    }
    return value;
  }

  private Object read(int depth) {
    int at = from.position();
    int code = from.u8();
    ValueTag tag = ValueTag.of(code);
    if (tag == null) {
      throw from.corrupt(at, "V1: a value tag", Integer.toString(code));
    }
    try {
      return switch (tag) {
        case NULL -> null;
        case FALSE -> false;
        case TRUE -> true;
        case BYTE -> (byte) from.u8();
        case SHORT -> (short) from.signed("short", Short.MIN_VALUE, Short.MAX_VALUE);
        case INT -> (int) from.signed("int", Integer.MIN_VALUE, Integer.MAX_VALUE);
        case LONG -> from.signed();
        case FLOAT -> Float.intBitsToFloat(from.fixed32());
        case DOUBLE -> Double.longBitsToDouble(from.fixed64());
        case BIG_INTEGER -> bigInteger();
        case BIG_DECIMAL -> {
          int scale = (int) from.signed("scale", Integer.MIN_VALUE, Integer.MAX_VALUE);
          yield new BigDecimal(bigInteger(), scale);
        }
        case STRING -> string();
        case STRING_UTF16 -> {
          char[] chars = chars();
          yield new String(chars);
        }
        case CHAR -> (char) from.fixed16();
        case UUID -> {
          long high = from.fixed64();
          yield new UUID(high, from.fixed64());
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
            time(tag);
        case BYTES, BOOLEANS, SHORTS, CHARS, INTS, LONGS, FLOATS, DOUBLES, STRINGS -> array(tag);
        case BYTE_BUFFER -> ByteBuffer.wrap(from.sized());
        case LIST -> collection(new ArrayList<>(), depth);
        case SET -> collection(new LinkedHashSet<>(), depth);
        case MAP -> map(depth);
      };
    } catch (DateTimeException | ArithmeticException e) {
      CorruptionException corrupt = from.corrupt(at, "V4: a date in range", e.getMessage());
      corrupt.addSuppressed(e);
      throw corrupt;
    }
  }

  private BigInteger bigInteger() {
    int at = from.position();
    byte[] bytes = from.sized();
    if (bytes.length == 0) {
      throw from.corrupt(at, "V2: at least one byte of an integer", "none");
    }
    return new BigInteger(bytes);
  }

  private String string() {
    int at = from.position();
    int length = from.length("length", 1);
    String ascii = from.ascii(length); // without a decoder's buffers
    if (ascii != null) {
      return ascii;
    }
    ByteBuffer bytes = ByteBuffer.wrap(from.raw(length));
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException e) {
      CorruptionException corrupt = from.corrupt(at, "V4: UTF-8", e.toString());
      corrupt.addSuppressed(e);
      throw corrupt;
    }
  }

  @SuppressWarnings("JavaUtilDate") // a value that was given as a Date is given back as one
  private Object time(ValueTag tag) {
    return switch (tag) {
      case OFFSET_DATE_TIME -> {
        LocalDateTime time = dateTime();
        yield OffsetDateTime.of(time, offset());
      }
      case ZONED_DATE_TIME -> {
        LocalDateTime time = dateTime();
        ZoneOffset offset = offset();
        String zone = new String(from.sized(), StandardCharsets.UTF_8);
        yield ZonedDateTime.ofInstant(time, offset, ZoneId.of(zone));
      }
      case LOCAL_DATE_TIME -> dateTime();
      case LOCAL_DATE -> LocalDate.ofEpochDay(from.signed());
      case LOCAL_TIME -> LocalTime.ofNanoOfDay(from.varint());
      case OFFSET_TIME -> {
        LocalTime time = LocalTime.ofNanoOfDay(from.varint());
        yield OffsetTime.of(time, offset());
      }
      case INSTANT -> {
        long seconds = from.signed();
        yield Instant.ofEpochSecond(seconds, nanos());
      }
      case DURATION -> {
        long seconds = from.signed();
        yield Duration.ofSeconds(seconds, nanos());
      }
      case PERIOD -> {
        int years = number("years");
        int months = number("months");
        yield Period.of(years, months, number("days"));
      }
      case YEAR -> Year.of(number("year"));
      case YEAR_MONTH -> {
        int year = number("year");
        yield YearMonth.of(year, from.u8());
      }
      case MONTH_DAY -> {
        int month = from.u8();
        yield MonthDay.of(month, from.u8());
      }
      case ZONE_OFFSET -> offset();
      case DATE -> new Date(from.signed());
      default -> throw new AssertionError(tag);
    };
  }

  private LocalDateTime dateTime() {
    LocalDate date = LocalDate.ofEpochDay(from.signed());
    return LocalDateTime.of(date, LocalTime.ofNanoOfDay(from.varint()));
  }

  private ZoneOffset offset() {
    return ZoneOffset.ofTotalSeconds(number("offset"));
  }

  private int nanos() {
    return from.number("nanoseconds", 0, 999_999_999);
  }

  private int number(String name) {
    return (int) from.signed(name, Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  private Object array(ValueTag tag) {
    switch (tag) {
      case BYTES -> {
        return from.sized();
      }
      case BOOLEANS -> {
        boolean[] booleans = new boolean[from.length("length", 1)];
        for (int i = 0; i < booleans.length; i++) {
          booleans[i] = from.number("boolean", 0, 1) == 1;
        }
        return booleans;
      }
      case SHORTS -> {
        short[] shorts = new short[from.length("length", Short.BYTES)];
        for (int i = 0; i < shorts.length; i++) {
          shorts[i] = from.fixed16();
        }
        return shorts;
      }
      case CHARS -> {
        return chars();
      }
      case INTS -> {
        int[] ints = new int[from.length("length", Integer.BYTES)];
        for (int i = 0; i < ints.length; i++) {
          ints[i] = from.fixed32();
        }
        return ints;
      }
      case LONGS -> {
        long[] longs = new long[from.length("length", Long.BYTES)];
        for (int i = 0; i < longs.length; i++) {
          longs[i] = from.fixed64();
        }
        return longs;
      }
      case FLOATS -> {
        float[] floats = new float[from.length("length", Float.BYTES)];
        for (int i = 0; i < floats.length; i++) {
          floats[i] = Float.intBitsToFloat(from.fixed32());
        }
        return floats;
      }
      case DOUBLES -> {
        double[] doubles = new double[from.length("length", Double.BYTES)];
        for (int i = 0; i < doubles.length; i++) {
          doubles[i] = Double.longBitsToDouble(from.fixed64());
        }
        return doubles;
      }
      case STRINGS -> {
        return strings();
      }
      default -> {
        throw new AssertionError(tag);
      }
    }
  }

  private char[] chars() {
    char[] chars = new char[from.length("length", Character.BYTES)];
    for (int i = 0; i < chars.length; i++) {
      chars[i] = (char) from.fixed16();
    }
    return chars;
  }

  private String[] strings() {
    String[] strings = new String[from.length("length", 1)];
    for (int i = 0; i < strings.length; i++) {
      int at = from.position();
      Object element = read(ValueCodec.MAX_DEPTH);
      if (element != null && !(element instanceof String)) {
        throw from.corrupt(at, "V1: a string", element.getClass().getName());
      }
      strings[i] = (String) element;
    }
    return strings;
  }

  private Collection<Object> collection(Collection<Object> into, int depth) {
    deeper(depth);
    int count = from.length("count", 1);
    for (int i = 0; i < count; i++) {
      into.add(read(depth + 1));
    }
    return into;
  }

  private Map<Object, Object> map(int depth) {
    deeper(depth);
    int count = from.length("count", 2);
    Map<Object, Object> into = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      Object key = read(depth + 1);
      into.put(key, read(depth + 1));
    }
    return into;
  }

  private void deeper(int depth) {
    if (depth >= ValueCodec.MAX_DEPTH) {
      throw from.corrupt(from.position(), "V3: depth below " + ValueCodec.MAX_DEPTH, "" + depth);
    }
  }
}
