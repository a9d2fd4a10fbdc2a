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
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Values of every class that can be stored, the awkward ones among them. */
public final class SampleValues {
  private SampleValues() {}

  /** At least one value for each tag but null. */
  @SuppressWarnings("JavaUtilDate") // a class that can be stored
  public static List<Object> all() {
    List<Object> values = new ArrayList<>();
    values.addAll(List.of(false, true, Byte.MIN_VALUE, (byte) -1, Byte.MAX_VALUE));
    values.addAll(List.of(Short.MIN_VALUE, (short) 0, Short.MAX_VALUE));
    values.addAll(List.of(Integer.MIN_VALUE, -1, 0, 1, Integer.MAX_VALUE));
    values.addAll(List.of(Long.MIN_VALUE, -1L, 0L, 1L << 40, Long.MAX_VALUE));
    values.addAll(List.of(0f, -0f, Float.NaN, Float.MIN_VALUE, Float.NEGATIVE_INFINITY, 0.1f));
    values.addAll(List.of(0d, -0d, Double.NaN, Double.MAX_VALUE, Double.POSITIVE_INFINITY, 0.1));
    values.addAll(List.of(BigInteger.ZERO, BigInteger.ONE.shiftLeft(200).negate()));
    values.addAll(List.of(new BigDecimal("1.00"), new BigDecimal("-1e400"), BigDecimal.ZERO));
    values.addAll(List.of("", "marko", "Zürich 𝄞 \u0000", "\uD800 alone", "x".repeat(5000)));
    values.addAll(List.of('a', '\u0000', '\uFFFF', '\uD800'));
    values.addAll(List.of(new UUID(0, 0), new UUID(-1, Long.MIN_VALUE)));
    OffsetDateTime time =
        OffsetDateTime.of(2026, 11, 21, 16, 4, 5, 678_901_234, ZoneOffset.ofHours(-7));
    values.addAll(List.of(time, OffsetDateTime.MIN, OffsetDateTime.MAX, time.toLocalDateTime()));
    values.addAll(
        List.of(time.toZonedDateTime(), time.atZoneSameInstant(ZoneId.of("Asia/Kolkata"))));
    values.add(
        ZonedDateTime.ofLocal(
            LocalDateTime.of(2026, 10, 25, 2, 30),
            ZoneId.of("Europe/Vienna"),
            ZoneOffset.ofHours(1)));
    values.addAll(List.of(LocalDateTime.MIN, LocalDateTime.MAX, LocalDate.EPOCH, LocalDate.MIN));
    values.addAll(List.of(LocalTime.MIDNIGHT, LocalTime.MAX, OffsetTime.MIN, OffsetTime.MAX));
    values.addAll(List.of(Instant.EPOCH, Instant.MIN, Instant.MAX));
    values.addAll(List.of(Duration.ZERO, Duration.ofNanos(-1), Duration.ofSeconds(Long.MIN_VALUE)));
    values.addAll(List.of(Period.ZERO, Period.of(-1, 400, 7), Year.of(-44), YearMonth.of(2026, 2)));
    values.addAll(
        List.of(MonthDay.of(2, 29), ZoneOffset.MIN, ZoneOffset.UTC, new Date(1L), new Date(-1L)));
    values.addAll(List.of(new byte[0], new byte[] {1, -1}, new boolean[] {true, false}));
    values.addAll(List.of(new short[] {1, -1}, new char[] {'a', '\uD800'}, new int[] {1, -1}));
    values.addAll(List.of(new long[] {1, Long.MIN_VALUE}, new float[] {0.1f}, new double[] {0.1}));
    values.add(new String[] {"a", "", null, "\uD800"});
    values.addAll(List.of(ByteBuffer.allocate(0), ByteBuffer.wrap(new byte[] {9, 1, -1}, 1, 2)));
    values.addAll(List.of(new ArrayList<>(), new LinkedHashSet<>(), new LinkedHashMap<>()));
    values.add(new ArrayList<>(Arrays.asList(1, "two", 3.0, null, List.of('4'))));
    values.add(new LinkedHashSet<>(Arrays.asList("b", "a", null, 1L)));
    Map<Object, Object> map = new LinkedHashMap<>();
    map.put("z", Set.of(1));
    map.put(1, null);
    map.put(null, new byte[] {7});
    values.add(map);
    return values;
  }

  /** Whether two values are the same, looking into arrays and collections. */
  public static boolean same(Object one, Object other) {
    if (one instanceof List<?> a && other instanceof List<?> b) {
      return sameElements(a, b);
    }
    if (one instanceof Set<?> a && other instanceof Set<?> b) {
      return a.equals(b);
    }
    if (one instanceof Map<?, ?> a && other instanceof Map<?, ?> b) {
      return sameElements(new ArrayList<>(a.keySet()), new ArrayList<>(b.keySet()))
          && sameElements(new ArrayList<>(a.values()), new ArrayList<>(b.values()));
    }
    if (one instanceof ByteBuffer && other instanceof ByteBuffer) {
      return one.equals(other);
    }
    return one != null
        && other != null
        && one.getClass() == other.getClass()
        && Arrays.deepEquals(new Object[] {one}, new Object[] {other});
  }

  private static boolean sameElements(List<?> a, List<?> b) {
    boolean same = a.size() == b.size();
    for (int i = 0; same && i < a.size(); i++) {
      same = a.get(i) == null ? b.get(i) == null : same(a.get(i), b.get(i));
    }
    return same;
  }
}
