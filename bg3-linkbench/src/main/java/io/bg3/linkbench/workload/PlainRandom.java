package io.bg3.linkbench.workload;

import java.util.Random;

/**
 * The numbers of a {@link Random} with the same seed, for one thread: without the atomic step for
 * each of them, which is most of what a payload's bytes cost.
 *
 * <p>Threads: one.
 */
final class PlainRandom extends Random {
  private static final long serialVersionUID = 1;

  // The generator that the documentation of Random specifies.
  private static final long MULTIPLIER = 0x5DEECE66DL;
  private static final long INCREMENT = 0xBL;
  private static final int BITS = 48;
  private static final long MASK = (1L << BITS) - 1;

  private long state;

  PlainRandom(long seed) {
    super(seed); // sets it
  }

  @Override
  public synchronized void setSeed(long seed) { // also called by the constructor above this one
    super.setSeed(seed);
    state = (seed ^ MULTIPLIER) & MASK;
  }

  @Override
  protected int next(int bits) {
    state = (state * MULTIPLIER + INCREMENT) & MASK;
    return (int) (state >>> (BITS - bits));
  }
}
