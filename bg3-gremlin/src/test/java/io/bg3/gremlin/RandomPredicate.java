package io.bg3.gremlin;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;

/**
 * Predicates drawn from a seed, over values that compare in ways that are easily got wrong: numbers
 * of several classes that are equal to each other or nearly so, not-a-number, both zeros, texts,
 * points in time.
 */
final class RandomPredicate {
  /** The values, which properties have, too. */
  static final List<Object> VALUES =
      Collections.unmodifiableList(
          Arrays.asList(
              20,
              35L,
              50,
              (byte) 20,
              20.0,
              20.5f,
              35.0f,
              new BigDecimal("20.00"),
              new BigDecimal("35.5"),
              BigInteger.valueOf(50),
              BigInteger.TWO.pow(70),
              Double.NaN,
              0.0,
              -0.0,
              0,
              Double.POSITIVE_INFINITY,
              Double.NEGATIVE_INFINITY,
              1L << 53,
              (1L << 53) + 1,
              (double) (1L << 53),
              16_777_217,
              16_777_216f,
              Long.MIN_VALUE,
              "20",
              "",
              "marko",
              'm',
              true,
              UUID.fromString("01234567-89ab-cdef-0123-456789abcdef"),
              Date.from(Instant.ofEpochSecond(1_600_000_000L)),
              OffsetDateTime.of(2020, 9, 13, 12, 26, 40, 0, ZoneOffset.UTC),
              OffsetDateTime.of(2020, 9, 13, 14, 26, 40, 0, ZoneOffset.ofHours(2)),
              OffsetDateTime.of(2020, 9, 13, 12, 26, 40, 1, ZoneOffset.UTC),
              OffsetDateTime.of(-4_712, 1, 1, 12, 0, 0, 0, ZoneOffset.UTC),
              Date.from(Instant.ofEpochMilli(-1)),
              Instant.ofEpochSecond(1_600_000_000L),
              LocalDate.of(2020, 9, 13),
              false));

  private static final List<Object> DATES =
      VALUES.stream().filter(value -> value instanceof OffsetDateTime).toList();

  private final Random random;

  RandomPredicate(Random random) {
    this.random = random;
  }

  Object value() {
    return VALUES.get(random.nextInt(VALUES.size()));
  }

  /** A predicate that may be made of others. */
  P<?> any() {
    return any(2);
  }

  private P<?> any(int depth) {
    if (depth > 0 && random.nextInt(3) == 0) {
      P<?> first = any(depth - 1);
      P<?> second = any(depth - 1);
      return switch (random.nextInt(4)) {
        case 0 -> both(first, second);
        case 1 -> either(first, second);
        case 2 -> P.not(first);
        default -> first.negate();
      };
    }
    return simple();
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // values of any class meet each other
  private static P<?> both(P first, P second) {
    return first.and(second);
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // as above
  private static P<?> either(P first, P second) {
    return first.or(second);
  }

  private P<?> simple() {
    return switch (random.nextInt(15)) {
      case 0 -> P.eq(value());
      case 1 -> P.neq(value());
      case 2 -> P.gt(value());
      case 3 -> P.gte(value());
      case 4 -> P.lt(value());
      case 5 -> P.lte(value());
      case 6 -> P.between(number(), number());
      case 7 -> P.inside(number(), number());
      case 8 -> P.outside(number(), number());
      case 9 -> P.within(values());
      case 10 -> P.without(values());
      case 11 -> P.eq(null);
      case 12 -> P.between(date(), date());
      case 13 -> P.outside(date(), date());
      default -> P.between(30, 40);
    };
  }

  /** A predicate for one value or some. */
  P<?> some() {
    return random.nextBoolean() ? P.eq(value()) : P.within(value(), value());
  }

  /** A predicate for texts alone: on other values TinkerPop's own throws. */
  P<?> onTexts() {
    String part = List.of("", "m", "mar", "o", "josh", "ripple", "p").get(random.nextInt(7));
    return switch (random.nextInt(11)) {
      case 0 -> TextP.startingWith(part);
      case 1 -> TextP.notStartingWith(part);
      case 2 -> TextP.endingWith(part);
      case 3 -> TextP.notEndingWith(part);
      case 4 -> TextP.containing(part);
      case 5 -> TextP.notContaining(part);
      case 6 -> TextP.regex("^[jm].*o?");
      case 7 -> TextP.notRegex("o$");
      case 8 -> either(TextP.startingWith(part), P.gt("p"));
      case 9 -> both(TextP.startingWith("m"), TextP.startingWith(part));
      default -> both(TextP.startingWith(part), TextP.endingWith("o").negate());
    };
  }

  private Object date() {
    return DATES.get(random.nextInt(DATES.size()));
  }

  private Number number() {
    return random.nextInt(60) - 5;
  }

  List<Object> values() {
    List<Object> values = new ArrayList<>();
    for (int left = random.nextInt(4); left > 0; left--) {
      values.add(value());
    }
    return values;
  }

  /** A predicate for ids, in forms that look-ups and comparisons take differently. */
  P<?> onIds() {
    List<Object> ids =
        Arrays.asList(1, 1L, "1", 1.0, 1.5, new BigDecimal("4.00"), 4f, "4.0", "01", 6, 99, null);
    return switch (random.nextInt(7)) {
      case 0 -> P.eq(ids.get(random.nextInt(ids.size())));
      case 1 -> P.within(some(ids));
      case 2 -> P.within(List.<Object>of(3, 3, 7, 7L));
      case 3 -> P.within(List.of("1", "7", "7"));
      case 4 -> P.eq(List.of(1, 2));
      case 5 -> P.gt(2).and(P.lt(9));
      default -> P.without(some(ids));
    };
  }

  private List<Object> some(List<Object> all) {
    List<Object> some = new ArrayList<>();
    for (int left = random.nextInt(4); left > 0; left--) {
      some.add(all.get(random.nextInt(all.size())));
    }
    return some;
  }
}
