package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.block.PageHeader;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.table.PageTable;
import io.bg3.core.tree.FamilyOwner;
import io.bg3.core.tree.FamilySettings;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.memory.BlockMemory;
import io.bg3.storage.memory.MemoryExceededException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Measures the memory that a dedicated tree takes beyond the pages with the edges. */
class DedicatedTreesMemoryTest {
  private static final int OWNERS = 5_000;
  private static final int EDGES = 9;
  private static final int IN_COMMIT = 100;
  private static final long MOST_BYTES = 200;

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aTreeCostsItsRowsInDirectoryAndPageTable(int family) throws IOException {
    try (CheckpointedStore store = CheckpointedStore.open(new CrashingDisk())) {
      store.defineFamily(1, FamilySettings.OF_STORE);
      int label = family == 0 ? EdgeModel.TAG_LABEL : EdgeModel.OF_FAMILY;
      for (int owner = 0; owner < OWNERS; owner += IN_COMMIT) {
        putEdges(store, owner, EDGES, label);
      }
      store.checkpoint();
      long before = besidesEdges(store);
      for (long owner = 0; owner < OWNERS; owner++) {
        assertTrue(store.moveOut(new FamilyOwner(owner, family), 1), "vertex " + owner);
      }
      store.checkpoint();
      assertEquals(OWNERS, store.opened().forest().dedicatedTrees(family));
      long each = (besidesEdges(store) - before) / OWNERS;
      assertTrue(each > 0 && each <= MOST_BYTES, each + " bytes a tree");
    }
  }

  private static void putEdges(CheckpointedStore store, long first, int edges) {
    putEdges(store, first, edges, EdgeModel.TAG_LABEL);
  }

  private static void putEdges(CheckpointedStore store, long first, int edges, int label) {
    store.commit(
        transaction -> {
          for (int i = 0; i < IN_COMMIT * edges; i++) {
            long owner = first + i / edges;
            transaction.putEdge(owner, label, i % edges, 0, new byte[8]);
          }
        });
  }

  private static void moveOut(CheckpointedStore store, int owners) {
    for (long owner = 0; owner < owners; owner++) {
      assertTrue(store.moveOut(owner, 1), "vertex " + owner);
    }
  }

  @RuleTest(
      rule = 24,
      twins =
          @Twin(
              name = "the directory is read as a whole into memory at the opening",
              in = "io.bg3.core.recovery.StoreLoader",
              method = "openForest",
              without = "PageEvictor.relieveBudget"))
  void aStoreOpensWithTheBudgetThatItRanWith() throws Exception {
    int owners = 20 * IN_COMMIT;
    CrashingDisk disk = new CrashingDisk();
    try (CheckpointedStore store = CheckpointedStore.open(disk)) {
      for (int owner = 0; owner < owners; owner += IN_COMMIT) {
        putEdges(store, owner, 2);
      }
      moveOut(store, owners);
      store.checkpoint();
    }
    long budget = CheckpointedStore.BUDGET;
    long directory = 0; // bytes of its leaves
    for (int i = 0; i < 4; i++) { // with a smaller budget some tables are smaller too
      CheckpointedStore.Replay replay = new CheckpointedStore.Replay(budget, 0, budget, budget);
      try (CheckpointedStore reopened = CheckpointedStore.open(disk, replay)) {
        assertEquals(owners, reopened.opened().forest().dedicatedTrees());
        long used = used(reopened);
        reopened.evict();
        directory = i == 0 ? used - used(reopened) : directory;
        budget = used(reopened) + directory / 2;
      } catch (MemoryExceededException e) {
        throw new AssertionError("the directory does not fit", e);
      }
    }
    assertTrue(directory > 32 << 10, "directory: " + directory);
  }

  private static long used(CheckpointedStore store) {
    store.opened().space().epochs().reclaim();
    return store.opened().space().memory().budget().used();
  }

  @RuleTest(
      rule = 19,
      sites = {
        @Site(
            name = "compares trees",
            in = "io.bg3.core.commit.TreeBatches",
            method = "partOf",
            before = "Tree.equals"),
        @Site(
            name = "makes columns",
            in = "io.bg3.core.commit.TreeBatches",
            method = "add",
            before = "Tree.newEntries")
      },
      twins = {
        @Twin(
            name = "a commit looks through all of its trees for that of a vertex",
            in = "io.bg3.core.commit.TreeBatches",
            method = "partOf",
            without = "TreeBatches.isShared",
            result = 1),
        @Twin(
            name = "a committer keeps the columns of all trees of its largest commit",
            in = "io.bg3.core.commit.TreeBatches",
            method = "keep",
            without = "List.size")
      })
  void aCommitToManyTreesLooksForNoneAndKeepsFew() throws Exception {
    AtomicInteger compared = new AtomicInteger();
    AtomicInteger made = new AtomicInteger();
    try (CheckpointedStore store = CheckpointedStore.open(new CrashingDisk())) {
      putEdges(store, 0, 2);
      moveOut(store, IN_COMMIT);
      putEdges(store, 0, 2);
      Sites.always("compares trees", compared::incrementAndGet);
      Sites.always("makes columns", made::incrementAndGet);
      putEdges(store, 0, 2);
    } finally {
      Sites.never("compares trees");
      Sites.never("makes columns");
    }
    assertEquals(0, compared.get(), "comparisons");
    assertTrue(made.get() >= IN_COMMIT - 64, "columns: " + made);
  }

  @RuleTest(
      rule = 24,
      sites =
          @Site(
              name = "applies",
              in = "io.bg3.core.commit.Replayer",
              method = "applyGathered",
              before = "ParallelTasks.run"),
      twins =
          @Twin(
              name = "replay does not count the columns of the trees that it gathers for",
              in = "io.bg3.core.commit.Replayer$Gatherer",
              method = "newEntries",
              without = "Gatherer.charge"))
  void replayCountsTheColumnsOfEachTree() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    try (CheckpointedStore store = CheckpointedStore.open(disk)) {
      putEdges(store, 0, 2);
      moveOut(store, IN_COMMIT);
      store.checkpoint();
      store.commit(
          transaction -> {
            for (int owner = 0; owner < IN_COMMIT; owner++) {
              transaction.putEdge(owner, EdgeModel.TAG_LABEL, 5, 0, new byte[8]);
            }
          });
      store.commit(transaction -> transaction.putEdge(1, EdgeModel.TAG_LABEL, 6, 0, new byte[8]));
    }
    long budget = CheckpointedStore.BUDGET;
    AtomicInteger applied = new AtomicInteger();
    Sites.always("applies", applied::incrementAndGet);
    long half = IN_COMMIT * 1_024 / 2;
    try (CheckpointedStore reopened =
        CheckpointedStore.open(disk, new CheckpointedStore.Replay(budget, 0, half, budget))) {
      assertEquals(IN_COMMIT, reopened.opened().forest().dedicatedTrees());
    } finally {
      Sites.never("applies");
    }
    assertTrue(applied.get() > 1, "the first commit is applied before the second is read");
  }

  /** Bytes of the budget that are not in pages of edges. */
  private static long besidesEdges(CheckpointedStore store) {
    store.opened().space().epochs().reclaim();
    PageTable table = store.opened().space().table();
    BlockMemory memory = store.opened().space().memory();
    PageHeader header = new PageHeader(memory);
    long bytes = table.budget().used();
    for (int page = 1; page < table.end(); page++) {
      long block = table.block(page);
      if (PageTable.isBlock(block) && header.wrap(block).treeId() >= TreeIds.FIRST_INIT) {
        bytes -= bytes(memory, header);
        long base = header.wrap(block).base();
        bytes -= memory.capacity(block) + (base == 0 ? 0 : base(memory, header.wrap(base), base));
      }
    }
    return bytes;
  }

  private static long base(BlockMemory memory, PageHeader header, long base) {
    return memory.capacity(base) + bytes(memory, header);
  }

  private static long bytes(BlockMemory memory, PageHeader header) {
    long values = header.valueBlock();
    return values == 0 ? 0 : memory.capacity(values);
  }
}
