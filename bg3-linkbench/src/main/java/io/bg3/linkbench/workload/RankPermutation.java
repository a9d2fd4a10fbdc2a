package io.bg3.linkbench.workload;

import java.util.Random;

/**
 * A permutation of the numbers from 0 to n - 1 that both ways cost nothing: number i is in group i
 * modulo the number of groups, and each group is rotated by an amount of its own. Ranks of
 * popularity become ids with it that lie apart.
 *
 * <p>Threads: any.
 */
final class RankPermutation {
  private static final int GROUPS = 1024;

  private final long size;
  private final int groups;
  private final long[] turns;

  /** The permutation of a seed. */
  RankPermutation(long seed, long size) {
    this.size = size;
    this.groups = (int) Math.min(GROUPS, size);
    this.turns = new long[groups];
    Random random = new Random(seed);
    int smallest = (int) (size / groups);
    for (int group = 0; group < groups; group++) {
      turns[group] = random.nextInt(smallest);
    }
  }

  /** The number that a number is mapped to. */
  long apply(long number) {
    return turned(number, turns[(int) (number % groups)]);
  }

  /** The number that is mapped to a number. */
  long invert(long number) {
    int group = (int) (number % groups);
    return turned(number, members(group) - turns[group]);
  }

  private long turned(long number, long turn) {
    assert number >= 0 && number < size : number;
    long group = number % groups;
    return (number / groups + turn) % members(group) * groups + group;
  }

  /**
   * The number of members of the group: the first groups have one more, if the rest is not zero.
   */
  private long members(long group) {
    return size / groups + (group < size % groups ? 1 : 0);
  }
}
