package io.bg3.testing;

import java.util.Random;
import java.util.stream.LongStream;

/**
 * Seeds of randomised tests: fresh ones, or the one given by {@code -Dbg3.seed=N} to repeat a
 * failure.
 */
public final class Seeds {
  private Seeds() {}

  public static LongStream of(int count) {
    Long seed = Long.getLong("bg3.seed");
    return seed == null ? new Random().longs(count) : LongStream.of(seed);
  }

  public static String say(long seed) {
    return "-Dbg3.seed=" + seed;
  }
}
