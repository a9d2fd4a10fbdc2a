package io.bg3.core.recovery;

import io.bg3.storage.extent.ExtentUsage;
import io.bg3.storage.extent.Stream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Counts how many records a policy copies for each record that a program appends, where all records
 * are equal, and the space is held to a bound. Copies go to extents of their own. No file is
 * written: a trace is a sequence of the numbers of the records that are written anew.
 */
final class ReclaimSimulation {
  private static final int RECORD = 1_000;
  private static final int RECORDS_OF_AN_EXTENT = 300;
  private static final int WINDOW_SHARE = 8;

  /** An extent, and the recent garbage in it at one moment. */
  private static final class Pool {
    final int number;
    final boolean moved;
    final Set<Integer> live = new HashSet<>();
    int stored;
    double garbage;
    long at;

    Pool(int number, boolean moved) {
      this.number = number;
      this.moved = moved;
    }

    boolean isFull() {
      return stored == RECORDS_OF_AN_EXTENT;
    }
  }

  private final ReclaimPolicy policy;
  private final double bound;
  private final Pool[] where;
  private final Map<Integer, Pool> extents = new HashMap<>();
  private final Pool[] tails = new Pool[2];
  private final long window;
  private int last;
  private long appended;
  private long stored;
  private long moved;

  private ReclaimSimulation(ReclaimPolicy policy, double bound, int records) {
    this.policy = policy;
    this.bound = bound;
    this.where = new Pool[records];
    this.window = (long) records * RECORD / WINDOW_SHARE;
  }

  /**
   * Runs a trace and counts in its second half.
   *
   * @param records number of the records
   * @param bound stored records for each live one
   */
  static double movedForEachAppended(ReclaimPolicy policy, double bound, int records, int[] trace) {
    ReclaimSimulation simulation = new ReclaimSimulation(policy, bound, records);
    for (int record = 0; record < records; record++) {
      simulation.append(record, false);
    }
    long before = 0;
    for (int i = 0; i < trace.length; i++) {
      if (i == trace.length / 2) {
        before = simulation.moved;
      }
      simulation.append(trace[i], false);
      simulation.keepWithinBound();
    }
    return (simulation.moved - before) / (trace.length / 2.0);
  }

  /** A trace in which record r is written by a power law of r. */
  static int[] powerLaw(Random random, int records, int length, double exponent) {
    double[] sums = sums(records, exponent);
    int[] names = shuffled(random, records);
    int[] trace = new int[length];
    for (int i = 0; i < length; i++) {
      trace[i] = names[rank(random, sums)];
    }
    return trace;
  }

  /** A trace in which a record is written the less the longer ago it was new. */
  static int[] cooling(Random random, int records, int length, double exponent) {
    double[] sums = sums(records, exponent);
    int[] names = shuffled(random, records);
    int[] trace = new int[length];
    for (int i = 0; i < length; i++) {
      int newest = i / 10;
      trace[i] = names[Math.floorMod(newest - rank(random, sums), records)];
    }
    return trace;
  }

  private static double[] sums(int records, double exponent) {
    double[] sums = new double[records];
    double sum = 0;
    for (int i = 0; i < records; i++) {
      sum += Math.pow(i + 1, -exponent);
      sums[i] = sum;
    }
    return sums;
  }

  private static int rank(Random random, double[] sums) {
    int found = Arrays.binarySearch(sums, random.nextDouble() * sums[sums.length - 1]);
    return found >= 0 ? found : Math.min(-found - 1, sums.length - 1);
  }

  private static int[] shuffled(Random random, int records) {
    int[] names = new int[records];
    for (int i = 0; i < records; i++) {
      int other = random.nextInt(i + 1);
      names[i] = names[other];
      names[other] = i;
    }
    return names;
  }

  private void append(int record, boolean copy) {
    Pool tail = tails[copy ? 1 : 0];
    if (tail == null || tail.isFull()) {
      tail = new Pool(++last, copy);
      extents.put(tail.number, tail);
      tails[copy ? 1 : 0] = tail;
    }
    tail.stored++;
    stored++;
    appended += RECORD;
    Pool old = where[record];
    if (old != null) {
      old.live.remove(record);
      decay(old);
      old.garbage += RECORD;
      if (old.isFull() && old.live.isEmpty()) {
        delete(old);
      }
    }
    where[record] = tail;
    tail.live.add(record);
  }

  private void delete(Pool extent) {
    extents.remove(extent.number);
    stored -= extent.stored;
  }

  private void decay(Pool extent) {
    extent.garbage *= Math.exp(-(double) (appended - extent.at) / window);
    extent.at = appended;
  }

  private void keepWithinBound() {
    while (stored > bound * where.length) {
      List<ExtentUsage> candidates = new ArrayList<>();
      for (Pool extent : extents.values()) {
        if (extent.isFull() && extent.live.size() < extent.stored) {
          decay(extent);
          candidates.add(usage(extent));
        }
      }
      Pool victim = extents.get(policy.order(candidates, window).get(0).extent());
      for (int record : List.copyOf(victim.live)) {
        append(record, true);
        moved++;
      }
    }
  }

  private static ExtentUsage usage(Pool extent) {
    long bytes = (long) extent.stored * RECORD;
    long live = (long) extent.live.size() * RECORD;
    return new ExtentUsage(
        extent.number,
        Stream.BASE,
        true,
        extent.moved,
        bytes,
        bytes,
        live,
        extent.live.size(),
        0,
        extent.garbage,
        extent.at);
  }
}
