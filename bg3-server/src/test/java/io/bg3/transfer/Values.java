package io.bg3.transfer;

import java.math.BigDecimal;
import java.math.BigInteger;
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
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/** Values of every class that a store keeps, the awkward ones of each among them. */
final class Values {
  /** Those of classes that all formats but CSV and GraphML hold. */
  @SuppressWarnings("JavaUtilDate") // one of the classes that users have
  static final List<Object> SCALARS =
      List.of(
          true,
          false,
          (byte) -128,
          (short) 32767,
          Integer.MIN_VALUE,
          0,
          Long.MAX_VALUE,
          1L,
          1.5f,
          Float.NaN,
          Float.NEGATIVE_INFINITY,
          Float.MIN_VALUE,
          -0.0,
          0.1,
          Double.NaN,
          Double.POSITIVE_INFINITY,
          Double.MIN_VALUE,
          1e300,
          BigInteger.TWO.pow(200).negate(),
          BigInteger.ZERO,
          new BigDecimal("1.10"),
          new BigDecimal("-1E+400"),
          new BigDecimal(BigInteger.ONE, 500),
          "text",
          " leading and trailing ",
          "comma, \"quotes\" and 'more'; and <tags> &amp; \\ back",
          "ends with a backslash\\",
          "line\nfeed\r\ncarriage\rreturn\ttab",
          "umlaut \u00e4, Chinese \u4e2d, clef \ud834\udd1e",
          "17",
          "null",
          'c',
          '\u4e2d',
          '"',
          UUID.fromString("0b9a9a9a-1b2c-4d5e-8f90-0123456789ab"),
          OffsetDateTime.of(2025, 10, 22, 13, 56, 0, 0, ZoneOffset.ofHoursMinutes(5, 30)),
          OffsetDateTime.of(-44, 3, 15, 12, 0, 1, 123456789, ZoneOffset.UTC),
          ZonedDateTime.of(2025, 3, 30, 4, 0, 0, 7, ZoneId.of("Europe/Vienna")),
          LocalDateTime.of(2025, 1, 2, 3, 4),
          LocalDate.of(12025, 1, 2),
          LocalTime.of(3, 4, 5, 6),
          OffsetTime.of(3, 4, 5, 6, ZoneOffset.ofHours(-8)),
          Instant.ofEpochSecond(-1, 999_999_999),
          Duration.ofSeconds(-3, 5),
          Period.of(1, -2, 300),
          Year.of(2024),
          YearMonth.of(2024, 2),
          MonthDay.of(2, 29),
          ZoneOffset.ofHoursMinutesSeconds(1, 2, 3),
          new Date(-1));

  static final List<Object> AWKWARD =
      List.of(
          "", // no value in CSV
          "\ud800 alone", // half a character
          "bell \u0007 and \ufffe", // not XML
          "nul \u0000",
          "x;y\\;z;",
          Character.MIN_SURROGATE);

  static final List<Object> ARRAYS =
      List.of(
          new byte[] {1, -1},
          new byte[0],
          new boolean[] {true, false},
          new short[] {1, -2},
          new char[] {'a', '\u4e2d'},
          new int[] {1, 2},
          new long[] {1L, -2L},
          new float[] {1f, Float.NaN},
          new double[] {1.0, -0.0},
          new String[] {"a", ""});

  private Values() {}

  /** All of the above, and lists, sets and maps of them. */
  static List<Object> all() {
    List<Object> all = new ArrayList<>(SCALARS);
    all.addAll(AWKWARD);
    all.addAll(ARRAYS);
    all.addAll(collections(SCALARS));
    all.addAll(collections(AWKWARD));
    all.addAll(collections(ARRAYS));
    return all;
  }

  private static List<Object> collections(List<Object> elements) {
    List<Object> withNull = new ArrayList<>(elements);
    withNull.add(null);
    Map<Object, Object> map = new LinkedHashMap<>();
    for (Object element : elements) {
      if (!element.getClass().isArray()) {
        map.put(element, withNull);
      }
    }
    return Arrays.asList(
        withNull,
        List.of(),
        new HashSet<>(elements),
        Set.of(),
        map,
        Collections.singletonMap("inner", List.of(Map.of(), elements.get(0))));
  }

  /** Some value of a class that GraphSON and Gryo hold. */
  static Object any(Random random) {
    Object scalar = SCALARS.get(random.nextInt(SCALARS.size()));
    return switch (random.nextInt(8)) {
      case 0 -> List.of(scalar, random.nextInt());
      case 1 -> Set.of(scalar);
      case 2 -> Map.of(scalar, random.nextLong(), "key", scalar);
      case 3 -> random.nextInt();
      case 4 -> new byte[] {(byte) random.nextInt()};
      default -> scalar;
    };
  }
}
