package io.bg3.linkbench.workload;

import java.util.Arrays;
import java.util.Random;

/**
 * A measured distribution: which share of the nodes has at most so many links, or was accessed at
 * most so often. The first id stands for the node with most.
 *
 * <p>Draws go through the ids in rings: a drawn access is the i-th of its node for some i, and the
 * i-th accesses of all nodes are given to the ids in turn. The rings belong to this object, so that
 * the thread that draws from it alone sees the same ids again.
 */
final class Empirical implements Distribution {
  private final Cdf cdf;
  private final long first;
  private final long count;
  private double[] mass;
  private long[] rings;

  /** The distribution over {@code count} ids. */
  Empirical(Cdf cdf, long first, long count) {
    this.cdf = cdf;
    this.first = first;
    this.count = count;
  }

  @Override
  public long choose(Random random) {
    if (mass == null) {
      mass = cdf.accessMass();
      rings = new long[mass.length];
    }
    double drawn = random.nextDouble() * mass[mass.length - 1];
    int found = Arrays.binarySearch(mass, drawn);
    int ring = Math.max(1, found >= 0 ? found : -found - 1);
    long offset = rings[ring] % count;
    rings[ring] = (offset + 1) % count;
    return first + offset;
  }

  @Override
  public double expected(long number) {
    return cdf.valueAt(1 - (number - first) / (double) count);
  }
}
