package io.bg3.core.graph;

import io.bg3.core.record.IndexForm;
import io.bg3.core.record.IndexValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The condition of a look-up on the values of a property: equal to one of some, between two bounds,
 * a text with a beginning, or one of several of these. Equal, less and greater are as Gremlin has
 * them, for numbers of all classes. An index names all vertices that have such a value, and perhaps
 * others.
 *
 * <p>Threads: any; immutable, if the collection is that it was made from.
 */
public final class Sought {
  /** The form of index that answers most. */
  private static final IndexForm ORDERED = new IndexForm(false, true);

  private final Collection<?> values; // null unless it is one of these
  private final Object low;
  private final Object high;
  private final String prefix; // null unless it is a beginning
  private final List<Sought> alternatives; // null unless it is one of these

  private Sought(
      Collection<?> values, Object low, Object high, String prefix, List<Sought> alternatives) {
    this.values = values;
    this.low = low;
    this.high = high;
    this.prefix = prefix;
    this.alternatives = alternatives;
  }

  /** Values that are equal to one of these. */
  public static Sought anyOf(Collection<?> values) {
    return new Sought(values, null, null, null, null);
  }

  /**
   * Values that are neither less than the one bound nor greater than the other; the caller tests
   * whether the bounds themselves are wanted.
   *
   * @param low null for none
   * @param high null for none; not both are null
   */
  public static Sought between(Object low, Object high) {
    return new Sought(null, low, high, null, null);
  }

  /** Texts that begin with this. */
  public static Sought startingWith(String prefix) {
    return new Sought(null, null, null, prefix, null);
  }

  /** Values that are what one of these seeks. */
  public static Sought either(List<Sought> alternatives) {
    return new Sought(null, null, null, null, List.copyOf(alternatives));
  }

  /** Whether an index may answer: if its values are ordered, it knows where such values are. */
  public boolean isAnswered() {
    return intervals(ORDERED, false) != null;
  }

  /** Whether an index knows one place for each value that is sought. */
  boolean isEquality() {
    List<IndexValue.Interval> intervals = intervals(ORDERED, false);
    return intervals != null && intervals.stream().allMatch(IndexValue.Interval::isOneValue);
  }

  /**
   * A guess how few vertices have such a value, for a caller that has nothing better: less is
   * fewer.
   */
  public int width() {
    if (values != null) {
      return 0;
    }
    if (alternatives != null) {
      return alternatives.stream().mapToInt(Sought::width).max().orElse(0);
    }
    return prefix != null ? 1 : low != null && high != null ? 2 : 3;
  }

  /**
   * The intervals in which such values stand in an index, except those that are not told from
   * others, in any order, some of which may overlap; null if that is not known, or if there are too
   * many.
   *
   * @param form how the index has values
   * @param wide whether a value may be sought that has not one place alone: a float from 2^24 on
   *     equals many integers
   */
  List<IndexValue.Interval> intervals(IndexForm form, boolean wide) {
    if (alternatives != null) {
      List<IndexValue.Interval> all = new ArrayList<>();
      for (Sought alternative : alternatives) {
        List<IndexValue.Interval> some = alternative.intervals(form, wide);
        if (some == null || all.size() + some.size() > VertexLookup.MOST_RANGES) {
          return null;
        }
        all.addAll(some);
      }
      return all;
    }
    if (prefix != null) {
      return List.of(IndexValue.startingWith(prefix, form));
    }
    if (values == null) {
      IndexValue.Interval interval = IndexValue.between(low, high, form);
      return interval == null ? null : List.of(interval);
    }
    Map<byte[], IndexValue.Interval> intervals = new TreeMap<>(Arrays::compareUnsigned);
    for (Object value : values) {
      List<IndexValue.Interval> ofValue = IndexValue.equal(value, form);
      if (ofValue == null
          || !(wide
              || form.exact()
              || ofValue.stream().allMatch(IndexValue.Interval::isOneValue))) {
        return null;
      }
      ofValue.forEach(each -> intervals.merge(each.low(), each, IndexValue.Interval::wider));
      if (intervals.size() > VertexLookup.MOST_RANGES) {
        return null; // reading them may cost more than reading all vertices
      }
    }
    return List.copyOf(intervals.values());
  }
}
