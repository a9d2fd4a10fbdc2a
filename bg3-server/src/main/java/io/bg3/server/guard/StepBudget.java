package io.bg3.server.guard;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import org.apache.tinkerpop.gremlin.process.traversal.Path;

/**
 * The memory that one step may still use for one traverser. {@link ValueGrowth} and {@link
 * ValueLimit} charge the allowance before the step allocates: first for the traverser's value, then
 * for the step's arguments, then for each result of a nested traversal.
 *
 * <p>The unit is the {@link ValueSize} of a value, about one per character; the limit is the
 * setting {@code server.value.limit}. A method that finds a limit exceeded throws {@link
 * IllegalStateException}, which ends the query.
 *
 * <p>Threads: one. A single thread runs a query, and a step finishes a traverser before it takes
 * the next.
 */
final class StepBudget {
  /** The most decimal digits of a number in a calculation. */
  static final int DIGITS = 10_000;

  /** The limit for a whole value, as a multiple of the limit for what one step makes. */
  private static final int WHOLE = 16;

  /** The most values below the first level of one value, as a multiple of the limit. */
  private static final int WALKED = 4;

  /** The most comparisons in one step, as a multiple of the limit. */
  private static final int COMPARED = 256;

  /** The most elements that one step moves within a list, as a multiple of the limit. */
  private static final int TAKEN = 1_024;

  private final String step;
  private final long limit;
  private long left;
  private long perEntry;
  private boolean hashed;
  private long compared;

  StepBudget(String step, long limit) {
    this.step = step;
    this.limit = limit;
  }

  /** Starts a new traverser: resets the budget and the rules for nested results. */
  void begin() {
    left = limit;
    perEntry = 0;
    hashed = false;
    compared = 0;
  }

  /** Declares that the step puts the elements of nested results into a hash table. */
  void nestedHashed() {
    hashed = true;
  }

  /** Declares that the step compares each element of a nested result with {@code each} others. */
  void nestedCompared(long each) {
    compared = each;
  }

  /** Charges nested results by {@code each} per element instead of by weight. */
  void nestedPerEntry(long each) {
    perEntry = each;
  }

  /** Charges a result of a nested traversal that the step uses {@code times} times. */
  void nested(Object value, long times) {
    if (hashed) {
      requireHashable(value);
    }
    requireComparisons(compared, value);
    if (perEntry > 0) {
      requireWhole(value);
      spend(times(times(ValueSize.entries(value), perEntry), times));
    } else {
      weigh(value, times);
    }
  }

  /** Charges the weight of a value that the step copies {@code times} times into its result. */
  void weigh(Object value, long times) {
    if (value != null && times > 0) {
      spend(times(ValueSize.of(value, left / times + 1), times));
    }
  }

  /** Charges an amount that the caller has computed. */
  void spend(long amount) {
    left -= amount;
    if (left < 0) {
      throw tooLarge("value would grow too large", limit);
    }
  }

  /**
   * Requires that the weight of a whole value allows the server to walk, hash and send it.
   *
   * @return the weight
   */
  long requireWhole(Object value) {
    long weight = ValueSize.of(value, limit * WHOLE);
    if (weight > limit * WHOLE) {
      throw tooLarge("value is too large", limit * WHOLE);
    }
    return weight;
  }

  /**
   * Requires that a value can be walked, hashed and sent even if it holds another value many times.
   */
  void requireWalkable(Object value) {
    if (!ValueSize.isWalkable(value, limit * WALKED)) {
      throw tooLarge("value is too large, or nested too deeply", limit * WALKED);
    }
  }

  /** Requires that a hash table of the value's elements has few collisions. */
  void requireHashable(Object value) {
    Collection<?> elements =
        value instanceof Collection<?> collection
            ? collection
            : value instanceof Map<?, ?> map
                ? map.entrySet()
                : value instanceof Path path ? path.objects() : List.of();
    if (!HashCollisions.areFew(elements)) {
      throw new IllegalStateException(
          "collection has too many elements with equal hash codes: step="
              + step
              + ", elements="
              + elements.size());
    }
  }

  /** Limits the comparisons of {@code each} elements with every element of a value. */
  void requireComparisons(long each, Object value) {
    long most = limit * COMPARED;
    if (each > 0 && times(each, ValueSize.of(value, most / each + 1)) > most) {
      throw tooLarge("collections take too many comparisons", most);
    }
  }

  /** Limits the cost of removing {@code taken} elements, one by one, from the middle of a list. */
  void requireTaken(long elements, long taken) {
    if (elements > taken && times(elements, taken) > limit * TAKEN) {
      throw tooLarge("list is too long to take elements out of it one by one", limit * TAKEN);
    }
  }

  /** Limits the number of elements that a step copies. */
  void requireEntries(long entries) {
    if (entries > limit * WHOLE / ValueSize.ENTRY) {
      throw tooLarge("value has too many elements", limit * WHOLE / ValueSize.ENTRY);
    }
  }

  /** Requires that a number, or each number of a list, is short enough for a calculation. */
  void requireNumbers(Object value) {
    if (value instanceof Iterable<?> numbers) {
      numbers.forEach(this::requireDigits);
    } else {
      requireDigits(value);
    }
  }

  /** Wraps an operator so that it checks its operands before it runs. */
  BinaryOperator<Object> before(BinaryOperator<Object> operator) {
    return new Checked(operator, this);
  }

  private void operands(Object a, Object b) {
    requireDigits(a);
    requireDigits(b);
    begin();
    spend(times(ValueSize.entries(a), ValueSize.ENTRY));
    spend(times(ValueSize.entries(b), ValueSize.ENTRY));
  }

  private void requireDigits(Object value) {
    if (ValueSize.digits(value) > DIGITS) {
      throw new IllegalStateException(
          "number has too many digits: step=" + step + ", limit=" + DIGITS);
    }
  }

  private IllegalStateException tooLarge(String what, long most) {
    return new IllegalStateException(
        what + ": step=" + step + ", limit=" + most + ", setting=server.value.limit");
  }

  /** The product of two non-negative numbers, at most {@code Long.MAX_VALUE / 2}. */
  static long times(long a, long b) {
    long high = Math.multiplyHigh(a, b);
    return high == 0 && a * b >= 0 ? a * b : Long.MAX_VALUE / 2;
  }

  /** An operator with a check; prints as the operator that it wraps, for {@code explain()}. */
  private record Checked(BinaryOperator<Object> operator, StepBudget allowance)
      implements BinaryOperator<Object> {
    @Override
    public Object apply(Object a, Object b) {
      allowance.operands(a, b);
      return operator.apply(a, b);
    }

    @Override
    public String toString() {
      return operator.toString();
    }
  }
}
