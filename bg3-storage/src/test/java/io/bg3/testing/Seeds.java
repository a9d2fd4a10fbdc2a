package io.bg3.testing;

import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * Chooses the seeds of the randomised tests of all modules. Every run has new seeds; {@code
 * -Dbg3.seed=N} repeats a run with one seed. A test prints its seed when it fails.
 */
public final class Seeds {
  private static final String KEY = "bg3.seed";

  private Seeds() {}

  /** Returns {@code count} new seeds, or only the one that the property names. */
  public static LongStream of(int count) {
    Long seed = Long.getLong(KEY);
    return seed == null ? new Random().longs(count) : LongStream.of(seed);
  }

  /** Returns a new seed, or the one that the property names. */
  public static long one() {
    return of(1).findFirst().orElseThrow();
  }

  /**
   * Returns a source of numbers for one of many seeds that follow each other. The first numbers of
   * {@code new Random(seed)} hardly differ for them, so a generator would draw some things never.
   */
  public static Random random(long seed) {
    return new Random(new SplittableRandom(seed).nextLong());
  }

  /** Returns the option that repeats a run with this seed, for the message of a failure. */
  public static String say(long seed) {
    return "-D" + KEY + "=" + seed;
  }
}
