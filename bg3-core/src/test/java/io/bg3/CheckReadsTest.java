package io.bg3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.tree.ReadCounts;
import io.bg3.storage.file.MemoryDisk;
import io.bg3.testing.Seeds;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Counts what a check reads of a store that does not stay in memory: all leaves are evicted each
 * time the check tells its progress.
 */
class CheckReadsTest {
  private static final int VERTICES = 2_000;
  private static final int EDGES = 12_000;

  /** Leaves are read by the scans of pages, out-entries and in-entries, and for what these name. */
  private static final int TIMES = 8;

  @Test
  void aCheckReadsALeafAFewTimesAndNotForEachEdge() throws Exception {
    Random random = new Random(Seeds.one());
    try (Bg3 store =
        Bg3.open(
            Settings.defaults()
                .with(Setting.MEMORY_BUDGET, "32m")
                .with(Setting.PAGE_CAPACITY, "512")
                .with(Setting.SPLIT_OUT, "0")
                .with(Setting.DURABILITY, "none"),
            new MemoryDisk())) {
      try (GraphTransaction graph = store.graph().begin()) {
        for (long id = 1; id <= VERTICES; id++) {
          graph.addVertex(id, "node");
        }
        for (int i = 0; i < EDGES; i++) {
          long source = 1L + random.nextInt(VERTICES);
          long target = 1L + random.nextInt(VERTICES);
          graph.addEdge(source, "knows", target, null, Map.of("n", i));
        }
        graph.commit();
      }
      store.checkpoint();
      int leaves = store.evict();
      ReadCounts before = ReadCounts.ofThread();
      assertEquals(List.of(), store.check(looked -> store.evict()));
      long reads = ReadCounts.ofThread().since(before).deviceReads();
      assertTrue(
          leaves > 400 && reads < (long) TIMES * leaves,
          () -> "leaves=" + leaves + ", reads=" + reads);
    }
  }
}
