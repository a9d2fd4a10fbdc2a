package io.bg3.core.page;

import java.util.Random;
import java.util.stream.LongStream;

/**
 * Seeds of the tests that draw at random: new ones in every run, or the one of {@code
 * -Dbg3.seed=N}.
 */
final class Seeds {
  private Seeds() {}

  static LongStream of(int count) {
    Long seed = Long.getLong("bg3.seed");
    return seed == null ? new Random().longs(count) : LongStream.of(seed);
  }
}
