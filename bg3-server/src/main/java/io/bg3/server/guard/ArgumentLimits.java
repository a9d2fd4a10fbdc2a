package io.bg3.server.guard;

import io.bg3.server.answer.Refusal;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.Set;
import org.apache.commons.lang3.StringUtils;

/**
 * The numbers and texts that a query may pass to a step. By default an argument is suspect: a
 * number may set the size of an allocation, and a text may be a program. So the numbers of all
 * steps that this class does not list share one limit, and their texts are short. The lists below
 * name the steps whose arguments are harmless, each with the reason.
 */
final class ArgumentLimits {
  /** The largest number for a step that is not listed, whatever the limit of results is. */
  static final long MOST = 1_000_000;

  /** The longest text for a step that is not listed, in characters. */
  private static final int TEXT = 10_000;

  /** The longest expression of {@code math()}, in characters; parsing takes quadratic time. */
  private static final int EXPRESSION = 1_000;

  /**
   * The most placeholders of a format, times its length: for the end of each placeholder, {@code
   * format()} searches the rest of the text.
   */
  private static final long FORMAT = 200_000;

  /**
   * Steps whose arguments are values, labels or keys. These steps compare, store, join or pass on
   * an argument, which takes no more memory than it took in the message. {@link StepBudget} charges
   * what a step joins from arguments while the query runs.
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

  /** Steps whose numbers are counted to, or select a part of an existing text or date. */
  private static final Map<String, Range> POSITIONS =
      Map.of(
          "limit", new Range(-1, Long.MAX_VALUE), // -1 means "to the end"
          "skip", new Range(-1, Long.MAX_VALUE),
          "range", new Range(-1, Long.MAX_VALUE),
          "timeLimit", new Range(0, Long.MAX_VALUE), // milliseconds
          "times", new Range(Integer.MIN_VALUE, Integer.MAX_VALUE), // see Plan
          "substring", new Range(Integer.MIN_VALUE, Integer.MAX_VALUE), // clipped to the text
          "dateAdd", new Range(Integer.MIN_VALUE, Integer.MAX_VALUE), // one addition
          "coin", new Range(Long.MIN_VALUE, Long.MAX_VALUE), // a probability
          "barrier", new Range(Integer.MIN_VALUE, Integer.MAX_VALUE), // holds existing traversers
          "next", new Range(Integer.MIN_VALUE, Integer.MAX_VALUE)); // returns existing results

  /** Steps under the default limits, because a number sets a size or the step parses its text. */
  private static final Set<String> LIMITED = AllowList.words("format math sample tail");

  /**
   * The numbers that a step accepts.
   *
   * @param least the smallest, inclusive
   * @param most the largest, inclusive
   */
  private record Range(long least, long most) {}

  private ArgumentLimits() {}

  /** Whether one of the lists names the step. A test requires this of every allowed step. */
  static boolean isKnown(String step) {
    return VALUES.contains(step) || POSITIONS.containsKey(step) || LIMITED.contains(step);
  }

  /**
   * Checks a number that a query passes to a step.
   *
   * @param limit the largest number for a step that is not listed
   * @return the part of the number that counts toward the sum of all sizes in the query; 0 for a
   *     listed step
   */
  static long requireNumber(String step, Number number, long limit) throws Refusal {
    if (VALUES.contains(step) || step.isEmpty()) {
      return 0;
    }
    Range position = POSITIONS.get(step);
    Range range = position == null ? new Range(-limit, limit) : position;
    long value = number.longValue(); // a larger double becomes Long.MAX_VALUE
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

  /** Checks a text that a query passes to a step. */
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

  /** Whether the number is outside the range of {@code long}, so that a step would truncate it. */
  private static boolean isBig(Number number) {
    return number instanceof BigInteger integer
        ? integer.bitLength() >= Long.SIZE
        : number instanceof BigDecimal decimal
            && decimal.abs().compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0;
  }
}
