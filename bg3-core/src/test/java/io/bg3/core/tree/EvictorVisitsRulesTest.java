package io.bg3.core.tree;

import static io.bg3.core.tree.TopologyRulesTest.edges;
import static io.bg3.core.tree.TopologyRulesTest.readNeighbours;
import static io.bg3.core.tree.TopologyRulesTest.used;
import static io.bg3.core.tree.TopologyRulesTest.withTopology;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.Horizon;
import io.bg3.core.table.PageTable;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import io.bg3.storage.memory.MemoryBudget;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** How often the evictor looks at a page before it takes it, and at pages that it cannot take. */
class EvictorVisitsRulesTest {
  private static final String EVICTOR = "io.bg3.core.tree.PageEvictor";
  private static final int KEYS = 400;

  private static StoredTree edgesWithin(MemoryBudget budget) throws Exception {
    return edges(new StoredTree(TreeKind.EDGES, 512, 4, budget));
  }

  /** Asks for memory as if all of the budget were used; says how many pages were looked at. */
  private static int visits(
      TreeHarness harness, MemoryBudget budget, Consumer<PageEvictor> asking) {
    AtomicInteger visits = new AtomicInteger();
    long rest = budget.limit() - used(harness);
    budget.reserve(rest);
    Sites.always("visit", visits::incrementAndGet);
    try {
      asking.accept(new PageEvictor(harness.space));
    } finally {
      Sites.never("visit");
      budget.release(rest);
    }
    return visits.get();
  }

  private static void readAll(TreeHarness harness) {
    for (int i = 0; i < KEYS; i++) {
      assertNotNull(harness.actual(StoredTree.key(i), 1_000));
    }
  }

  @RuleTest(
      rule = 31,
      sites = @Site(name = "visit", in = EVICTOR, method = "visit"),
      twins =
          @Twin(
              name = "the evictor looks again and again at pages that cannot go",
              in = EVICTOR,
              method = "visit",
              without = "LeafEviction.mayLoseValues",
              result = 1))
  void pagesThatCannotGoAreLookedAtOnce() throws Exception {
    MemoryBudget budget = new MemoryBudget(1 << 20, "bg3.memory.budget");
    try (StoredTree stored = new StoredTree(TreeKind.BYTES, 512, 4, budget)) {
      TreeHarness harness = stored.harness;
      StoredTree.write(harness, 0, KEYS, new byte[30], 3);
      stored.flush(Horizon.at(3));
      StoredTree.write(harness, 0, KEYS, new byte[30], 6); // all of them are dirty
      harness.table.beginEvicting();
      readAll(harness);
      int visits = visits(harness, budget, evictor -> evictor.relieve(1));
      assertTrue(visits <= harness.table.end(), "visits: " + visits);
      int touched = 0;
      for (int page = 1; page < harness.table.end(); page++) {
        touched += harness.table.takeTouched(page) ? 1 : 0;
      }
      assertTrue(touched > 10, "leaves that were read count as not read: " + touched);
    }
  }

  @RuleTest(
      rule = 31,
      sites = @Site(name = "visit", in = EVICTOR, method = "visit"),
      twins = {
        @Twin(
            name = "topology that nobody reads goes at the first visit",
            in = EVICTOR,
            method = "visit",
            without = "PageTable.takeVisit"),
        @Twin(
            name = "topology that nobody reads never goes",
            in = EVICTOR,
            method = "visit",
            without = "PageTable.takeVisit",
            result = 1)
      })
  void topologyThatNobodyReadsGoesAtTheFourthVisit() throws Exception {
    evictSomeTopology(
        evictor -> evictor.relieve(1),
        (visits, leaves, pages) -> {
          int spared = (1 + PageTable.MOST_VISITS) * leaves; // once for having been read
          assertTrue(visits > spared, "visits: " + visits + ", leaves: " + leaves);
        });
  }

  /** Is told how many pages were looked at, for how many leaves, of how many pages in all. */
  private interface Visits {
    void check(int visits, int leaves, int pages);
  }

  /** Has some of the leaves go of which the topology was just read, and nothing else is there. */
  private static void evictSomeTopology(Consumer<PageEvictor> asking, Visits visits)
      throws Exception {
    MemoryBudget budget = new MemoryBudget(256 << 10, "bg3.memory.budget");
    try (StoredTree stored = edgesWithin(budget)) {
      TreeHarness harness = stored.harness;
      stored.evict();
      readNeighbours(harness);
      int leaves = withTopology(harness);
      visits.check(visits(harness, budget, asking), leaves, harness.table.end());
      assertTrue(withTopology(harness) < leaves, "nothing has gone");
      assertTrue(withTopology(harness) > 0, "everything has gone");
      assertEquals(0, harness.problems().size());
    }
  }

  /** A replay reads each leaf once, so what it has read is as good as any. */
  @RuleTest(
      rule = 31,
      sites = @Site(name = "visit", in = EVICTOR, method = "take"),
      twins =
          @Twin(
              name = "a replay takes nothing but the values of leaves",
              in = EVICTOR,
              method = "take",
              without = "LeafEviction.mayGo"))
  void aReplayTakesLeavesThatWereJustReadAtTheFirstVisit() throws Exception {
    evictSomeTopology(
        evictor -> evictor.relieveOfAny(1),
        (visits, leaves, pages) -> assertTrue(visits < pages, "visits: " + visits));
  }
}
