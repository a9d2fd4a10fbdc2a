package io.bg3.core.graph;

import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.record.IndexKey;
import io.bg3.core.transaction.ByteCursor;
import io.bg3.core.transaction.Transaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * A way to find the elements that meet some conditions: indexes of the same keys that together hold
 * the elements, and the ranges of their entries that may name one. The ranges ascend and have no
 * entry in common.
 *
 * <p>A plan has conditions on the first keys of the indexes, one on each; all but the last one seek
 * values that have one place each.
 *
 * @param sought what is sought of the first keys
 */
record IndexPlan(List<GraphIndex> indexes, List<Sought> sought, List<IndexKey.Range> ranges) {
  /** A plan that reads so few entries is taken without a look at the others. */
  private static final int FEW = 2;

  /** The entries of a plan are counted up to this number, to choose between several. */
  private static final int MOST_COUNTED = 256;

  /** More plans are not looked at. */
  private static final int MOST_PLANS = 16;

  /** Those first of which fewer elements may meet the conditions, as far as these tell. */
  private static final Comparator<IndexPlan> BY_GUESS =
      Comparator.comparingInt((IndexPlan plan) -> -plan.equalities())
          .thenComparingInt(plan -> -plan.sought.size())
          .thenComparingInt(plan -> plan.last().width());

  private int equalities() {
    return sought.size() - (last().width() == 0 ? 0 : 1);
  }

  private Sought last() {
    return sought.get(sought.size() - 1);
  }

  /** The property keys whose values decide how many entries an element has. */
  List<Integer> keys() {
    return indexes.get(0).keys();
  }

  /** A condition on the property with a key. */
  record On(int key, Sought sought) {}

  /**
   * The plans for some conditions, those first that are likely to read less.
   *
   * @param kind of the elements that are sought
   * @param snapshot finds all entries of their indexes
   * @param labels codes; none for all elements
   */
  static List<IndexPlan> of(
      ElementKind kind, IndexCatalogue indexes, List<On> conditions, long snapshot, int... labels) {
    List<IndexPlan> plans = new ArrayList<>();
    for (List<Integer> keys : indexes.keys(kind)) {
      List<GraphIndex> covering = indexes.covering(kind, keys, snapshot, labels);
      if (covering == null) {
        continue;
      }
      addPlans(covering, conditions, List.of(), plans);
      if (labels.length > 0 && !covering.stream().allMatch(GraphIndex::ordered)) {
        List<GraphIndex> all = indexes.covering(kind, keys, snapshot); // may know more ranges
        if (all != null && !all.equals(covering)) {
          addPlans(all, conditions, List.of(), plans);
        }
      }
    }
    plans.sort(BY_GUESS);
    return plans;
  }

  /** Adds the plans that seek some values of the first keys. */
  private static void addPlans(
      List<GraphIndex> indexes, List<On> conditions, List<Sought> first, List<IndexPlan> plans) {
    int key = indexes.get(0).keys().get(first.size());
    for (On condition : conditions) {
      if (condition.key == key && plans.size() < MOST_PLANS) {
        List<Sought> sought = new ArrayList<>(first);
        sought.add(condition.sought);
        int before = plans.size();
        if (sought.size() < indexes.get(0).keys().size() && condition.sought.isEquality()) {
          addPlans(indexes, conditions, sought, plans);
        }
        List<IndexKey.Range> ranges = plans.size() == before ? ranges(indexes, sought) : null;
        if (ranges != null) {
          plans.add(new IndexPlan(indexes, List.copyOf(sought), ranges));
        }
      }
    }
  }

  /**
   * The ranges of the values, each entry in one. Null if a value has no place in indexes, and if
   * there are too many ranges: reading them may cost more than reading all elements.
   */
  private static List<IndexKey.Range> ranges(List<GraphIndex> indexes, List<Sought> sought) {
    List<IndexKey.Range> ranges = new ArrayList<>();
    for (GraphIndex index : indexes) {
      List<IndexKey.Range> ofIndex = index.ranges(sought);
      if (ofIndex == null) {
        return null;
      }
      ranges.addAll(ofIndex);
      ranges.add(IndexKey.untold(index.number()));
      if (ranges.size() > VertexLookup.MOST_RANGES) {
        return null;
      }
    }
    ranges.sort((a, b) -> Arrays.compareUnsigned(a.low(), b.low()));
    return apart(ranges);
  }

  /**
   * Joins ranges that overlap, as those of a float and of an integer near it may, and leaves out
   * what comes again.
   */
  private static List<IndexKey.Range> apart(Collection<IndexKey.Range> ascending) {
    List<IndexKey.Range> apart = new ArrayList<>(ascending.size());
    for (IndexKey.Range range : ascending) {
      IndexKey.Range last = apart.isEmpty() ? null : apart.get(apart.size() - 1);
      if (last == null || Arrays.compareUnsigned(range.low(), last.high()) >= 0) {
        apart.add(range);
      } else if (!isSame(range, last)) {
        boolean isIn = Arrays.compareUnsigned(range.high(), last.high()) <= 0;
        byte[] high = isIn ? last.high() : range.high();
        apart.set(apart.size() - 1, new IndexKey.Range(last.low(), high, false));
      }
    }
    return apart;
  }

  private static boolean isSame(IndexKey.Range range, IndexKey.Range other) {
    return Arrays.equals(range.low(), other.low()) && Arrays.equals(range.high(), other.high());
  }

  /**
   * The plan with the fewest entries, as far as they are counted; null if there is none. Entries
   * are counted as they are now, which is no read, and without what a transaction has changed.
   */
  static IndexPlan best(List<IndexPlan> plans, GraphStore store) {
    IndexPlan best = plans.isEmpty() ? null : plans.get(0);
    int fewest = MOST_COUNTED;
    for (int i = 0; plans.size() > 1 && i < plans.size() && fewest > FEW; i++) {
      int count = plans.get(i).count(store, fewest);
      if (count < fewest) {
        best = plans.get(i);
        fewest = count;
      }
    }
    return best;
  }

  /**
   * Whether the entries of each range have one value of each key of their index: then they are in
   * the order of their elements.
   */
  boolean seeksWholeValues() {
    return ranges.stream().allMatch(IndexKey.Range::oneValue);
  }

  /** The number of entries that there are now, up to a bound; which is no read. */
  int count(GraphStore store, int most) {
    int count = 0;
    try (Transaction newest = store.beginCounting()) {
      for (int i = 0; i < ranges.size() && count < most; i++) {
        IndexKey.Range range = ranges.get(i);
        try (ByteCursor cursor =
            newest.scan(TreeIds.INDEX_ENTRIES, range.low(), range.high(), ScanOrder.FORWARD)) {
          while (count < most && cursor.next()) {
            count++;
          }
        }
      }
    }
    return count;
  }
}
