package io.bg3.bench.data;

/**
 * Numbers that look random and are a function of what they are made from: the only source of chance
 * in the benchmark, so that every process makes the same data from the same seed.
 */
public final class SeededHash {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private SeededHash() {}

  /** A bijection of 64-bit numbers whose bits all depend on all bits (the finish of SplitMix64). */
  public static long of(long number) {
    long mixed = (number ^ (number >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }

  /** The {@code index}th number of the sequence that {@code seed} names. */
  public static long of(long seed, long index) {
    return of(seed + (index + 1) * GOLDEN);
  }

  /** A number from 0 to 1, 1 excluded, out of random bits. */
  public static double unit(long random) {
    return (random >>> 11) * 0x1p-53;
  }

  /** A number from 0 to {@code bound}, the bound excluded, out of random bits. */
  public static long below(long random, long bound) {
    return Math.multiplyHigh(random >>> 1, bound << 1);
  }
}
