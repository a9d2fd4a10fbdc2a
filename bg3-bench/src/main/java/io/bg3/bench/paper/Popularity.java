package io.bg3.bench.paper;

import io.bg3.bench.data.SeededHash;
import java.util.Arrays;

/** Decides which list the next write goes to. */
final class Popularity {
  private static final long DRAWS = 11;
  private static final long NAMES = 12;

  /** Writes after which one list becomes the newest. */
  private static final int WRITES_OF_A_NEWEST = 10;

  private final long seed;
  private final boolean cools;
  private final double[] sums;
  private final int[] names;

  /**
   * A popularity of some lists that falls with a rank by a power law.
   *
   * @param exponent of the power law
   * @param cools whether the rank of a list is its age: the lists become the newest one after the
   *     other. Otherwise the rank never changes
   */
  Popularity(int lists, double exponent, boolean cools, long seed) {
    this.seed = seed;
    this.cools = cools;
    this.sums = new double[lists];
    this.names = new int[lists];
    double sum = 0;
    for (int i = 0; i < lists; i++) {
      sum += Math.pow(i + 1, -exponent);
      sums[i] = sum;
      int other = (int) SeededHash.below(SeededHash.of(SeededHash.of(seed, NAMES), i), i + 1);
      names[i] = names[other];
      names[other] = i;
    }
  }

  /** The list that a write goes to; writes are counted from 0. */
  int list(int write) {
    double random = SeededHash.unit(SeededHash.of(SeededHash.of(seed, DRAWS), write));
    int found = Arrays.binarySearch(sums, random * sums[sums.length - 1]);
    int rank = found >= 0 ? found : Math.min(-found - 1, sums.length - 1);
    int newest = cools ? write / WRITES_OF_A_NEWEST : 0;
    return names[Math.floorMod(cools ? newest - rank : rank, names.length)];
  }
}
