package io.bg3.bench.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.bench.data.PowerLawGraph;
import io.bg3.storage.codec.Compressor;
import io.bg3.storage.file.MemoryDisk;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The rules give the same answers, and their counts are what the rules say. */
class PageRunTest {
  private static final int WRITES = 2_000;

  private final PowerLawGraph graph = new PowerLawGraph(300, 6_000, 7);

  private PageRun.Counts run(FlushRule rule, int capacity) throws IOException {
    return new PageRun(graph, Compressor.none(), capacity, WRITES, WRITES)
        .run(rule, new MemoryDisk());
  }

  @Test
  void everyRuleFindsWhatWasWrittenLast() throws IOException {
    PageRun.Counts chain = run(FlushRule.CHAIN, 8 << 10);
    assertEquals(chain.answer(), run(FlushRule.DELTA_TEN, 8 << 10).answer());
    assertEquals(chain.answer(), run(FlushRule.DELTA, 8 << 10).answer());
    assertTrue(chain.answer() != 0);
  }

  @Test
  void aLookUpReadsAtMostTwoRecordsOfAPageWithOneDelta() throws IOException {
    for (FlushRule rule : new FlushRule[] {FlushRule.DELTA_TEN, FlushRule.DELTA}) {
      double reads = (double) run(rule, 16 << 10).reads() / WRITES;
      assertTrue(reads > 1.5 && reads <= 2, rule + ": reads=" + reads);
    }
    double chain = (double) run(FlushRule.CHAIN, 16 << 10).reads() / WRITES;
    assertTrue(chain > 5 && chain < 7, "a base and 0 to 10 records: reads=" + chain);
  }

  @Test
  void theSameSeedCountsTheSame() throws IOException {
    assertEquals(run(FlushRule.DELTA, 8 << 10), run(FlushRule.DELTA, 8 << 10));
  }
}
