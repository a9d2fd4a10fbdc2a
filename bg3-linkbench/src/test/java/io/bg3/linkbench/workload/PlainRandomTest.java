package io.bg3.linkbench.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;

class PlainRandomTest {
  @Test
  void drawsTheNumbersOfJavasRandom() {
    for (long seed : new long[] {0, 1, -1, 42, Long.MIN_VALUE, System.nanoTime()}) {
      Random expected = new Random(seed);
      Random random = new PlainRandom(seed);
      for (int i = 1; i < 5_000; i++) {
        String where = "seed=" + seed + ", draw=" + i;
        assertEquals(expected.nextLong(), random.nextLong(), where);
        assertEquals(expected.nextInt(), random.nextInt(), where);
        assertEquals(expected.nextInt(i), random.nextInt(i), where);
        assertEquals(expected.nextDouble(), random.nextDouble(), where);
        assertEquals(expected.nextGaussian(), random.nextGaussian(), where);
        assertEquals(expected.nextBoolean(), random.nextBoolean(), where);
      }
    }
  }

  @Test
  void beginsAnewWithAnotherSeed() {
    Random random = new PlainRandom(7);
    random.nextGaussian(); // leaves a second one for the next call
    random.setSeed(8);
    assertEquals(new Random(8).nextGaussian(), random.nextGaussian());
  }
}
