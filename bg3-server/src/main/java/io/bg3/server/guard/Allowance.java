package io.bg3.server.guard;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import org.apache.tinkerpop.gremlin.process.traversal.Path;

/**
 * What one step may make of one traverser, and how much of it is spoken for. What the step will
 * make is added up before it makes it: from its input, from its arguments and, one after the other,
 * from the results of its nested traversals. One thread runs a query, and a step is done with a
 * traverser before it takes the next.
 */
final class Allowance {
  /** The longest number with which a query may calculate. */
  static final int DIGITS = 10_000;

  /** How much heavier a whole value may be than what one step makes of smaller ones. */
  private static final int WHOLE = 16;

  /** How many more values may be in those that one value holds, for each character. */
  private static final int WALKED = 4;

  /** How much more may be compared in one step, for each character. */
  private static final int COMPARED = 256;

  /** How many more elements may be moved in one step, for each character. */
  private static final int TAKEN = 1_024;

  private final String step;
  private final long limit;
  private long left;
  private long perEntry;
  private boolean hashed;
  private long compared;

  Allowance(String step, long limit) {
    this.step = step;
    this.limit = limit;
  }

  /** Begins with a traverser. */
  void begin() {
    left = limit;
    perEntry = 0;
    hashed = false;
    compared = 0;
  }

  /** Elements of results of nested traversals are put into a hash table. */
  void nestedHashed() {
    hashed = true;
  }

  /** Each element of a result of a nested traversal is compared with so many. */
  void nestedCompared(long each) {
    compared = each;
  }

  /** Results of nested traversals count so much for each of their elements, not by weight. */
  void nestedPerEntry(long each) {
    perEntry = each;
  }

  /** Counts a result of a nested traversal that is used so many times. */
  void nested(Object value, long times) {
    if (hashed) {
      requireHashable(value);
    }
    requireComparisons(compared, value);
    if (perEntry > 0) {
      requireWhole(value);
      spend(times(times(Weight.entries(value), perEntry), times));
    } else {
      weigh(value, times);
    }
  }

  /** Counts the weight of a value that becomes part of what is made, so many times. */
  void weigh(Object value, long times) {
    if (value != null && times > 0) {
      spend(times(Weight.of(value, left / times + 1), times));
    }
  }

  void spend(long amount) {
    left -= amount;
    if (left < 0) {
      throw tooLarge("value would grow too large", limit);
    }
  }

  /** Requires that a value as a whole can be walked, hashed and sent. */
  void requireWhole(Object value) {
    if (Weight.of(value, limit * WHOLE) > limit * WHOLE) {
      throw tooLarge("value is too large", limit * WHOLE);
    }
  }

  /** Requires that a value, however often it holds another, can be walked, hashed and sent. */
  void requireWalkable(Object value) {
    if (!Weight.isWalkable(value, limit * WALKED)) {
      throw tooLarge("value is too large, or nested too deeply", limit * WALKED);
    }
  }

  /** Requires that a hash table can be made of the elements of a value. */
  void requireHashable(Object value) {
    Collection<?> elements =
        value instanceof Collection<?> collection
            ? collection
            : value instanceof Map<?, ?> map
                ? map.entrySet()
                : value instanceof Path path ? path.objects() : List.of();
    if (!Collisions.areFew(elements)) {
      throw new IllegalStateException(
          "collection has too many elements of one hash: step="
              + step
              + ", elements="
              + elements.size());
    }
  }

  /** Requires that each of so many elements can be compared with each of a value. */
  void requireComparisons(long each, Object value) {
    long most = limit * COMPARED;
    if (each > 0 && times(each, Weight.of(value, most / each + 1)) > most) {
      throw tooLarge("collections take too many comparisons", most);
    }
  }

  /** Requires that elements can be taken out of the middle of a list so many times. */
  void requireTaken(long elements, long taken) {
    if (elements > taken && times(elements, taken) > limit * TAKEN) {
      throw tooLarge("list is too long to take elements out of it one by one", limit * TAKEN);
    }
  }

  /** Requires that so many elements can be copied. */
  void requireEntries(long entries) {
    if (entries > limit * WHOLE / Weight.ENTRY) {
      throw tooLarge("value has too many elements", limit * WHOLE / Weight.ENTRY);
    }
  }

  /** Requires numbers, also those in a list, to be of a length with which can be calculated. */
  void requireNumbers(Object value) {
    if (value instanceof Iterable<?> numbers) {
      numbers.forEach(this::requireDigits);
    } else {
      requireDigits(value);
    }
  }

  /** An operator that looks at its operands first. */
  BinaryOperator<Object> before(BinaryOperator<Object> operator) {
    return new Checked(operator, this);
  }

  private void operands(Object a, Object b) {
    requireDigits(a);
    requireDigits(b);
    begin();
    spend(times(Weight.entries(a), Weight.ENTRY));
    spend(times(Weight.entries(b), Weight.ENTRY));
  }

  private void requireDigits(Object value) {
    if (Weight.digits(value) > DIGITS) {
      throw new IllegalStateException(
          "number has too many digits: step=" + step + ", limit=" + DIGITS);
    }
  }

  private IllegalStateException tooLarge(String what, long most) {
    return new IllegalStateException(
        what + ": step=" + step + ", limit=" + most + ", setting=server.value.limit");
  }

  static long times(long a, long b) {
    long high = Math.multiplyHigh(a, b);
    return high == 0 && a * b >= 0 ? a * b : Long.MAX_VALUE / 2;
  }

  /** Shown as what it runs. */
  private record Checked(BinaryOperator<Object> operator, Allowance allowance)
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
