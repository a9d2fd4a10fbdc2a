package io.bg3.gremlin.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.record.IndexForm;
import io.bg3.core.record.IndexValue;
import io.bg3.testing.Seeds;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
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
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.process.traversal.Compare;
import org.apache.tinkerpop.gremlin.util.GremlinValueComparator;
import org.junit.jupiter.api.Test;

/**
 * Dates, times, booleans, chars and UUIDs are in the order in an index in which Gremlin compares
 * them, and an interval has the values that a predicate wants.
 *
 * <p>Draws values of all classes: near each other, so that many are equal or differ by a
 * nanosecond, an offset or a zone alone, and at the ends of their ranges; and compares all pairs.
 */
@SuppressWarnings("JavaUtilDate") // properties may be dates
class IndexOrderTest {
  private static final int VALUES = 900;
  private static final IndexForm[] FORMS = {new IndexForm(false, true), new IndexForm(true, true)};
  private static final IndexForm UNORDERED = new IndexForm(false, false);

  private static final List<ZoneId> ZONES =
      List.of(
          ZoneOffset.UTC,
          ZoneOffset.ofHours(2),
          ZoneId.of("Europe/Vienna"),
          ZoneId.of("Europe/Berlin"),
          ZoneId.of("America/New_York"),
          ZoneId.of("UTC"),
          ZoneId.of("UTC+02:00"));

  private Random random;

  private long near() {
    return random.nextInt(5) - 2L;
  }

  /** A number near 0, near a power of 2 or anywhere, from a bound on up to another one. */
  private long number(long low, long high) {
    long number =
        switch (random.nextInt(5)) {
          case 0 -> near();
          case 1 -> low + random.nextInt(3);
          case 2 -> high - random.nextInt(3);
          case 3 -> (random.nextBoolean() ? -1 : 1) * (1L << random.nextInt(63)) + near();
          default -> random.nextLong();
        };
    return low <= number && number <= high
        ? number
        : low + Math.floorMod(number, high - low > 0 ? high - low : Long.MAX_VALUE);
  }

  private ZoneOffset offset() {
    return ZoneOffset.ofTotalSeconds(
        random.nextInt(3) > 0 ? 3_600 * (random.nextInt(3) - 1) : (int) number(-64_800, 64_800));
  }

  private int nano() {
    return random.nextBoolean() ? random.nextInt(2) : (int) number(0, 999_999_999);
  }

  private LocalTime time() {
    return LocalTime.ofNanoOfDay(number(0, 86_399_999_999_999L));
  }

  private LocalDate date() {
    return random.nextInt(3) > 0
        ? LocalDate.of(2024, 10, 27).plusDays(near())
        : LocalDate.ofEpochDay(number(LocalDate.MIN.toEpochDay(), LocalDate.MAX.toEpochDay()));
  }

  private LocalDateTime dateTime() {
    return date().atTime(random.nextBoolean() ? LocalTime.of(random.nextInt(4), 0) : time());
  }

  private Instant instant() {
    long second =
        random.nextBoolean()
            ? 1_730_000_000L + 3_600 * near()
            : number(Instant.MIN.getEpochSecond(), Instant.MAX.getEpochSecond());
    return Instant.ofEpochSecond(second, nano());
  }

  private long millis() {
    return random.nextBoolean() ? 1_730_000_000_000L + near() : number(Long.MIN_VALUE, 1L << 62);
  }

  private Object value() {
    return switch (random.nextInt(17)) {
      case 0 -> random.nextBoolean();
      case 1 -> (char) number(0, Character.MAX_VALUE);
      case 2 -> new UUID(number(Long.MIN_VALUE, Long.MAX_VALUE), near());
      case 3, 4, 5 -> dateTime().atOffset(offset());
      case 6 -> zoned();
      case 7 -> dateTime();
      case 8 -> date();
      case 9 -> time();
      case 10 -> OffsetTime.of(time(), offset());
      case 11 -> instant();
      case 12 -> Duration.ofSeconds(number(Long.MIN_VALUE, Long.MAX_VALUE), nano());
      case 13 -> Year.of((int) number(Year.MIN_VALUE, Year.MAX_VALUE));
      case 14 ->
          random.nextBoolean()
              ? YearMonth.of((int) number(Year.MIN_VALUE, Year.MAX_VALUE), 1 + random.nextInt(12))
              : MonthDay.of(1 + random.nextInt(12), 1 + random.nextInt(29));
      case 15 -> offset();
      default -> new Date(millis());
    };
  }

  private ZonedDateTime zoned() {
    LocalDateTime in = LocalDateTime.of(2024, 10, 27, random.nextInt(4), 0, 0, random.nextInt(2));
    return ZonedDateTime.ofInstant(in.toInstant(offset()), ZONES.get(random.nextInt(ZONES.size())));
  }

  private Object bound() {
    return switch (random.nextInt(6)) {
      case 0 -> new Timestamp(millis());
      case 1 -> random.nextBoolean() ? new Time(millis()) : new java.sql.Date(millis());
      case 2 -> {
        Timestamp time = new Timestamp(1_730_000_000_000L);
        time.setNanos(nano());
        yield time;
      }
      default -> value();
    };
  }

  private static byte[] place(Object value, IndexForm form) {
    IndexValue.Interval interval = IndexValue.equal(value, form).get(0);
    assertTrue(interval.isOneValue());
    return interval.low();
  }

  private static boolean holds(IndexValue.Interval interval, byte[] place) {
    return Arrays.compareUnsigned(interval.low(), place) <= 0
        && Arrays.compareUnsigned(place, interval.high()) < 0;
  }

  private static String text(Object value) {
    return value.getClass().getSimpleName() + " " + value;
  }

  @Test
  void valuesAreInGremlinsOrder() {
    long seed = Seeds.one();
    random = new Random(seed);
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < VALUES; i++) {
      values.add(value());
    }
    for (IndexForm form : FORMS) {
      List<byte[]> places = values.stream().map(value -> place(value, form)).toList();
      for (int i = 0; i < VALUES; i++) {
        for (int j = 0; j < VALUES; j++) {
          Object one = values.get(i);
          Object other = values.get(j);
          int order = Arrays.compareUnsigned(places.get(i), places.get(j));
          String at = text(one) + ", " + text(other) + ", -Dbg3.seed=" + seed;
          assertEquals(
              GremlinValueComparator.COMPARABILITY.equals(one, other), order == 0, () -> at);
          if (GremlinValueComparator.comparable(one, other) && !areZonesOfAnInstant(one, other)) {
            int wanted = GremlinValueComparator.COMPARABILITY.compare(one, other);
            assertEquals(Integer.signum(wanted), Integer.signum(order), () -> at);
          }
          boolean isBeginning = // of another value, in whose interval it would stand
              order != 0
                  && places.get(i).length <= places.get(j).length
                  && Arrays.mismatch(places.get(i), places.get(j)) == places.get(i).length;
          assertFalse(isBeginning, () -> at);
        }
      }
    }
  }

  /** Whether they are told apart in an index, but not ordered. */
  private static boolean areZonesOfAnInstant(Object one, Object other) {
    return one instanceof ZonedDateTime first
        && other instanceof ZonedDateTime second
        && first.toInstant().equals(second.toInstant());
  }

  @Test
  void anIntervalHasWhatAPredicateWants() {
    long seed = Seeds.one();
    random = new Random(seed);
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < VALUES; i++) {
      values.add(value());
    }
    IndexForm form = FORMS[0];
    List<byte[]> places = values.stream().map(value -> place(value, form)).toList();
    long more = 0;
    for (int i = 0; i < VALUES; i++) {
      Object bound = bound();
      assertNull(IndexValue.between(bound, null, UNORDERED));
      IndexValue.Interval above = IndexValue.between(bound, null, form);
      IndexValue.Interval below = IndexValue.between(null, bound, form);
      IndexValue.Interval only = IndexValue.between(bound, bound, form);
      for (int j = 0; j < VALUES; j++) {
        Object value = values.get(j);
        String at = text(bound) + ", " + text(value) + ", -Dbg3.seed=" + seed;
        boolean isAbove = Compare.gte.test(value, bound);
        boolean isBelow = Compare.lte.test(value, bound);
        assertTrue(!isAbove || holds(above, places.get(j)), () -> at);
        assertTrue(!isBelow || holds(below, places.get(j)), () -> at);
        assertTrue(!isAbove || !isBelow || holds(only, places.get(j)), () -> at);
        more += holds(above, places.get(j)) && !isAbove ? 1 : 0;
        more += holds(below, places.get(j)) && !isBelow ? 1 : 0;
      }
    }
    long pairs = (long) VALUES * VALUES;
    assertTrue(more < pairs / 50, "found and not wanted: " + more + ", -Dbg3.seed=" + seed);
  }

  @Test
  void twoClassesAndAPeriodHaveNoInterval() {
    IndexForm form = FORMS[0];
    Instant now = Instant.EPOCH;
    assertNull(IndexValue.between(now, Date.from(now), form));
    assertNull(IndexValue.between(now.atOffset(ZoneOffset.UTC), now, form));
    assertNull(IndexValue.between(Period.ofDays(1), null, form));
    assertNull(IndexValue.between('a', "b", form));
    assertNull(IndexValue.between(true, 1, form));
    assertNull(IndexValue.between(new Date(0) {}, null, form)); // compares as it likes
    assertEquals(1, IndexValue.equal(Period.ofDays(1), form).size());
  }
}
