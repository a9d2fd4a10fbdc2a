package io.bg3.core.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.testing.Seeds;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Adds, removes and asks at random, beside a set. A failure prints its seed. */
class FlushedPagesTest {
  static LongStream seeds() {
    return Seeds.of(10);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void answersLikeASet(long seed) {
    Random random = new Random(seed);
    FlushedPages pages = new FlushedPages();
    Set<Integer> model = new TreeSet<>();
    for (int step = 0; step < 1_000; step++) {
      int page = 1 + random.nextInt(2 * FlushedPages.MOST);
      if (random.nextBoolean()) {
        pages.remove(page);
        model.remove(page);
      } else if (model.size() < FlushedPages.MOST || model.contains(page)) {
        pages.add(page);
        model.add(page);
      }
      for (int each = 1; each <= 2 * FlushedPages.MOST; each++) {
        assertEquals(model.contains(each), pages.contains(each), "-Dbg3.seed=" + seed);
      }
    }
  }
}
