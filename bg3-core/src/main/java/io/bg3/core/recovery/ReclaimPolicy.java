package io.bg3.core.recovery;

import io.bg3.storage.extent.ExtentUsage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The order in which extents that are live in part are emptied: what is live in them is copied, and
 * the extent goes. A good order copies little for each byte that it frees.
 */
public enum ReclaimPolicy {
  /** Oldest first, whatever is live in it. */
  FIFO {
    @Override
    List<ExtentUsage> order(List<ExtentUsage> candidates, long window) {
      return sorted(candidates, AGE);
    }
  },

  /** Highest share of garbage first. */
  DIRTY {
    @Override
    List<ExtentUsage> order(List<ExtentUsage> candidates, long window) {
      return sorted(candidates, FRAGMENTATION);
    }
  },

  /**
   * Of the extents with some garbage, those first that gain the least of it, by quarters; in a
   * quarter the highest share of garbage first (BG3, Algorithm 2).
   */
  PAPER {
    @Override
    List<ExtentUsage> order(List<ExtentUsage> candidates, long window) {
      List<ExtentUsage> eligible =
          sorted(
              candidates.stream().filter(usage -> usage.fragmentation() >= PAPER_FLOOR).toList(),
              Comparator.comparingDouble(usage -> usage.updateGradient(window)));
      List<ExtentUsage> order = new ArrayList<>();
      int size = eligible.size();
      for (int quarter = 0; quarter < QUARTERS; quarter++) {
        order.addAll(
            sorted(
                eligible.subList(quarter * size / QUARTERS, (quarter + 1) * size / QUARTERS),
                FRAGMENTATION));
      }
      order.addAll(
          sorted(
              candidates.stream().filter(usage -> usage.fragmentation() < PAPER_FLOOR).toList(),
              FRAGMENTATION));
      return order;
    }
  },

  /**
   * The extent first of which waiting gains the least: the square of its share of garbage, over the
   * rate at which that share grows (minimum declining cost, after Lomet and Luo).
   */
  MDC {
    @Override
    List<ExtentUsage> order(List<ExtentUsage> candidates, long window) {
      return scored(
          candidates, usage -> usage.fragmentation() * usage.fragmentation() / rate(usage, window));
    }
  },

  /**
   * The extent first that frees the most for each byte copied, the more so the slower its garbage
   * grows: what is live in it will stay so, and need not be copied again soon. Between the dirty
   * ratio and the declining cost, since the rate counts by its square root.
   */
  COST_BENEFIT {
    @Override
    List<ExtentUsage> order(List<ExtentUsage> candidates, long window) {
      return scored(
          candidates,
          usage ->
              usage.fragmentation() / (1 - usage.fragmentation()) / Math.sqrt(rate(usage, window)));
    }
  };

  private static final double PAPER_FLOOR = 0.1;
  private static final int QUARTERS = 4;

  private static final Comparator<ExtentUsage> AGE =
      (a, b) -> Integer.compareUnsigned(a.extent(), b.extent());

  private static final Comparator<ExtentUsage> FRAGMENTATION =
      Comparator.comparingDouble((ExtentUsage usage) -> -usage.fragmentation()).thenComparing(AGE);

  /**
   * The candidates, those first that are to be emptied first.
   *
   * @param window bytes appended in which the weight of garbage falls to 1/e
   */
  abstract List<ExtentUsage> order(List<ExtentUsage> candidates, long window);

  private static List<ExtentUsage> sorted(
      List<ExtentUsage> candidates, Comparator<ExtentUsage> order) {
    return candidates.stream().sorted(order).toList();
  }

  private static List<ExtentUsage> scored(
      List<ExtentUsage> candidates, ToDoubleFunction<ExtentUsage> score) {
    return sorted(
        candidates,
        Comparator.comparingDouble((ExtentUsage usage) -> -scoreOf(usage, score))
            .thenComparing(FRAGMENTATION));
  }

  private static double scoreOf(ExtentUsage usage, ToDoubleFunction<ExtentUsage> score) {
    return usage.liveRecords() == 0 ? Double.POSITIVE_INFINITY : score.applyAsDouble(usage);
  }

  /**
   * By how much the share of garbage in an extent grows for each byte appended. An extent that
   * gained no garbage counts as one that gains a record in a window, and none as one that gains
   * more than is live in it: what was overwritten most has gone already.
   */
  private static double rate(ExtentUsage usage, long window) {
    double record = (double) usage.live() / usage.liveRecords();
    double gain = Math.max(Math.min(usage.garbage(), (double) usage.live()), record);
    return gain / window / usage.stored();
  }
}
