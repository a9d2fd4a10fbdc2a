package io.bg3.linkbench.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The permutation reaches every number once, and its inverse leads back. */
class RankPermutationTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 1_023, 1_024, 1_025, 10_000, 12_345})
  void reachesEveryNumberOnceAndLeadsBack(long size) {
    RankPermutation rotation = new RankPermutation(4_711, size);
    BitSet reached = new BitSet();
    for (long number = 0; number < size; number++) {
      long other = rotation.apply(number);
      assertEquals(number, rotation.invert(other));
      reached.set((int) other);
    }
    assertEquals(size, reached.cardinality());
  }

  @Test
  void keepsANumberInItsGroup() {
    RankPermutation rotation = new RankPermutation(1, 5_000);
    assertEquals(7, rotation.apply(7 + 3 * 1_024) % 1_024);
  }
}
