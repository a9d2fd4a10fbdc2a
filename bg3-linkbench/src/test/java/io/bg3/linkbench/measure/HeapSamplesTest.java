package io.bg3.linkbench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.linkbench.workload.Operation;
import org.junit.jupiter.api.Test;

class HeapSamplesTest {
  private static final int ARRAY = 100_000;

  /** So that nothing is optimised away. */
  private static volatile byte[] kept;

  @Test
  void theMeanOfAKindIsWhatItsOperationsAllocate() throws InterruptedException {
    HeapSamples one = new HeapSamples();
    HeapSamples two = new HeapSamples();
    allocate(one);
    Thread other = new Thread(() -> allocate(two));
    other.start();
    other.join();
    HeapSamples sum = new HeapSamples();
    sum.add(one);
    sum.add(two);
    assertEquals(ARRAY, kept.length);
    long mean = sum.mean(Operation.ADD_LINK);
    assertTrue(mean >= ARRAY && mean < 2 * ARRAY, "mean=" + mean);
    assertTrue(sum.mean(Operation.COUNT_LINK) < ARRAY);
    assertEquals(HeapSamples.NONE, sum.mean(Operation.GET_NODE));
  }

  /** So many of each that both kinds are sampled. */
  private static void allocate(HeapSamples samples) {
    for (int i = 0; i < 300; i++) {
      samples.begin();
      if (i % 3 == 0) {
        kept = new byte[ARRAY];
      }
      samples.end(i % 3 == 0 ? Operation.ADD_LINK : Operation.COUNT_LINK);
    }
  }
}
