package io.bg3.bench.snb;

import io.bg3.bench.data.SeededHash;

/** A sequence of numbers that look random, a function of a seed and of what they are drawn for. */
final class SnbDraws {
  /** The exponent of what follows a power law. */
  private static final double EXPONENT = 1.5;

  private final long seed;
  private long next;

  /** The sequence for the {@code of}th element of one kind. */
  SnbDraws(long seed, int kind, long of) {
    this.seed = SeededHash.of(SeededHash.of(seed, kind), of);
  }

  /** A number from 0 to {@code bound}, the bound excluded. */
  int below(int bound) {
    return (int) below((long) bound);
  }

  /** A number from 0 to {@code bound}, the bound excluded. */
  long below(long bound) {
    return SeededHash.below(SeededHash.of(seed, next++), bound);
  }

  /** A number from {@code low} to {@code high}, the upper one excluded. */
  long between(long low, long high) {
    return low + below(high - low);
  }

  /** Whether something happens that happens in so many of a hundred cases. */
  boolean percent(int of) {
    return below(100) < of;
  }

  /** A number from 0 to {@code bound}, the bound excluded: small ones are drawn more often. */
  int skewed(int bound) {
    double unit = SeededHash.unit(SeededHash.of(seed, next++));
    return (int) (unit * unit * bound);
  }

  /**
   * A number by a Pareto law, from {@code least} on.
   *
   * @param most the largest
   */
  int pareto(int least, int most) {
    double unit = 1 - SeededHash.unit(SeededHash.of(seed, next++));
    return (int) Math.min(most, least * Math.pow(unit, -1 / EXPONENT));
  }
}
