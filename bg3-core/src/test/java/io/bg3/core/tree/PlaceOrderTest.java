package io.bg3.core.tree;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.bg3.testing.Seeds;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the order of random places with that of a sort of objects. */
class PlaceOrderTest {
  private static final int RUNS = 100;
  private static final int MOST = 300;

  static LongStream seeds() {
    return Seeds.of(10);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void indexesComeInTheOrderOfTheirPlaces(long seed) {
    Random random = new Random(seed);
    for (int run = 0; run < RUNS; run++) {
      int count = random.nextInt(MOST);
      int different = 1 + random.nextInt(MOST); // so that some keys are the same
      long[] of = random.longs(different).toArray(); // above 2^63 too, as places are unsigned
      long[] keys = new long[count];
      for (int i = 0; i < count; i++) {
        keys[i] = of[random.nextInt(different)];
      }
      int[] indexes = IntStream.range(0, count).map(i -> 7 + i).toArray();
      int[] expected =
          IntStream.range(0, count)
              .boxed()
              .sorted((a, b) -> Long.compareUnsigned(keys[a], keys[b]))
              .mapToInt(i -> 7 + i)
              .toArray();
      assertArrayEquals(expected, PlaceOrder.sorted(keys.clone(), indexes), "seed=" + seed);
    }
  }
}
