package io.bg3.bench.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.recovery.ReclaimPolicy;
import io.bg3.core.recovery.ReclaimSettings;
import io.bg3.storage.file.MemoryDisk;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The policies keep the same data in the same space, and copy different amounts for it. */
class ReclaimRunTest {
  private static final double SPACE = 1.5;
  private static final ReclaimRun.Size SIZE =
      new ReclaimRun.Size(1_000, 12, 1 << 10, 16 << 10, 10, 100, 2_500, 5_000, 3);

  private static ReclaimRun.Counts run(WritePattern pattern, ReclaimPolicy policy)
      throws IOException {
    return new ReclaimRun(SIZE).run(pattern, new ReclaimSettings(policy, SPACE), new MemoryDisk());
  }

  @Test
  void everyPolicyKeepsTheDataAndTheBound() throws IOException {
    ReclaimRun.Counts fifo = run(WritePattern.POWER_LAW, ReclaimPolicy.FIFO);
    for (ReclaimPolicy policy : ReclaimPolicy.values()) {
      ReclaimRun.Counts run = run(WritePattern.POWER_LAW, policy);
      assertEquals(fifo.answer(), run.answer(), policy::toString);
      assertEquals(fifo.appended(), run.appended(), policy::toString);
      assertTrue(run.mostSpace() <= SPACE, () -> policy + ": " + run);
      assertTrue(run.moved() > 0, () -> policy + ": " + run);
      assertTrue(policy == ReclaimPolicy.FIFO || run.moved() < fifo.moved(), policy::toString);
    }
  }

  @Test
  void thePatternsDiffer() throws IOException {
    Set<Long> answers = new HashSet<>();
    for (WritePattern pattern : WritePattern.values()) {
      answers.add(run(pattern, ReclaimPolicy.DIRTY).answer());
    }
    assertEquals(WritePattern.values().length, answers.size());
  }

  @Test
  void theSameSeedCountsTheSame() throws IOException {
    assertEquals(
        run(WritePattern.COOLING, ReclaimPolicy.COST_BENEFIT),
        run(WritePattern.COOLING, ReclaimPolicy.COST_BENEFIT));
  }
}
