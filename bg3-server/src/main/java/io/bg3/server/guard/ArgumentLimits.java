package io.bg3.server.guard;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.Set;
import org.apache.commons.lang3.StringUtils;

/**
 * What the numbers and texts may be that a query gives to a step. The rule is a limit: the numbers
 * of a step that is not named here may size memory, so all of them together stay below the limit of
 * results, and its texts may be programs, so they are short. A step is named here only if its
 * arguments are no such thing, with the reason.
 */
final class ArgumentLimits {
  /** The largest number of a step that is not named, however many results a query may have. */
  static final long MOST = 1_000_000;

  /** The longest text of a step that is not named, in characters. */
  private static final int TEXT = 10_000;

  /** The longest expression for a calculation; reading one takes time by its square. */
  private static final int EXPRESSION = 1_000;

  /** Variables of a format times its length; the end of each is looked for in all that follows. */
  private static final long FORMAT = 200_000;

  /**
   * Steps whose arguments are values, labels or keys: they are compared, stored, joined or passed
   * on, and take the memory that they took in the message. What is made of them by joining is
   * counted while the query runs.
   */
  private static final Set<String> VALUES =
      AllowList.words(
          "E V addE addV aggregate all and any as asString both bothE branch by call"
              + " cap choose coalesce combine concat conjoin constant dateDiff dedup"
              + " difference disjunct drop element elementMap emit fail filter flatMap fold"
              + " from group groupCount has hasId hasKey hasLabel hasNot hasValue id in inE"
              + " index inject intersect is key label local loops map match max mean"
              + " merge mergeE mergeV min none not option optional or order out outE path"
              + " product profile project properties property propertyMap repeat replace"
              + " sack select sideEffect split subgraph sum to toE toV tree trim union until"
              + " value valueMap values where with");

  /** Numbers that are counted up to, or that fall on a text or a date that is there. */
  private static final Map<String, Range> POSITIONS =
      Map.of(
          "limit", new Range(-1, Long.MAX_VALUE), // -1 says "to the end"
          "skip", new Range(-1, Long.MAX_VALUE),
          "range", new Range(-1, Long.MAX_VALUE),
          "timeLimit", new Range(0, Long.MAX_VALUE), // milliseconds
          "times", new Range(Integer.MIN_VALUE, Integer.MAX_VALUE), // see Plan
          "substring", new Range(Integer.MIN_VALUE, Integer.MAX_VALUE), // cut to the text
          "dateAdd", new Range(Integer.MIN_VALUE, Integer.MAX_VALUE), // one addition
          "coin", new Range(Long.MIN_VALUE, Long.MAX_VALUE), // a probability
          "barrier", new Range(Integer.MIN_VALUE, Integer.MAX_VALUE), // as many as there are
          "next", new Range(Integer.MIN_VALUE, Integer.MAX_VALUE)); // as many as there are

  /** Steps that are held to the limit, since their numbers size memory or their texts are read. */
  private static final Set<String> LIMITED = AllowList.words("format math sample tail");

  /**
   * Numbers from one to another.
   *
   * @param least the smallest
   * @param most the largest
   */
  private record Range(long least, long most) {}

  private ArgumentLimits() {}

  /** Whether somebody has looked at the arguments of a step. */
  static boolean isKnown(String step) {
    return VALUES.contains(step) || POSITIONS.containsKey(step) || LIMITED.contains(step);
  }

  /**
   * Passes a number that a step is given.
   *
   * @return what it counts against the numbers of a query that size memory
   */
  static long requireNumber(String step, Number number, long limit) throws Refusal {
    if (VALUES.contains(step) || step.isEmpty()) {
      return 0;
    }
    Range position = POSITIONS.get(step);
    Range range = position == null ? new Range(-limit, limit) : position;
    long value = number.longValue(); // a double that is larger becomes the largest
    if (isBig(number) || value < range.least || value > range.most) {
      throw Refusal.forbidden(
          "number is outside the limits of the step: step="
              + step
              + ", argument="
              + AllowList.shown(number.toString())
              + ", least="
              + range.least
              + ", most="
              + range.most
              + (position == null ? ", setting=server.rows.limit" : ""));
    }
    return position == null ? Math.abs(value) : 0;
  }

  /** Passes a text that a step is given. */
  static void requireText(String step, String text) throws Refusal {
    long looks = (long) StringUtils.countMatches(text, "%{") * text.length();
    if (step.equals("format") && looks > FORMAT) {
      throw Refusal.forbidden(
          "text has too many variables for its length: step=format, length="
              + text.length()
              + ", product="
              + looks
              + ", limit="
              + FORMAT);
    }
    int limit = step.equals("math") ? EXPRESSION : TEXT;
    if (text.length() > limit && !VALUES.contains(step) && !step.isEmpty()) {
      throw Refusal.forbidden(
          "text is too long for the step: step="
              + step
              + ", length="
              + text.length()
              + ", limit="
              + limit);
    }
  }

  /** Whether a number has no counterpart among the longs, which a step would cut out of it. */
  private static boolean isBig(Number number) {
    return number instanceof BigInteger integer
        ? integer.bitLength() >= Long.SIZE
        : number instanceof BigDecimal decimal
            && decimal.abs().compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0;
  }
}
