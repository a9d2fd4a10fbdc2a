package io.bg3.core.tree;

import static io.bg3.core.tree.StoredTree.filled;
import static io.bg3.core.tree.StoredTree.key;
import static io.bg3.core.tree.StoredTree.write;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Expiry;
import io.bg3.core.entry.Horizon;
import io.bg3.core.table.StoredState;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.memory.MemoryBudget;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Pages that are loaded together for a group of reads. */
class GroupLoadRulesTest {
  private static final int KEYS = 300;

  private static LeafPrefetch wantAll(TreeHarness harness) {
    LeafPrefetch prefetch = new LeafPrefetch(harness.space);
    for (int i = 0; i < KEYS; i++) {
      prefetch.want(harness.tree, key(i));
    }
    return prefetch;
  }

  private static void readAll(TreeHarness harness) {
    for (int i = 0; i < KEYS; i++) {
      assertArrayEquals(new byte[30], harness.actual(key(i), 1_000), "key " + i);
    }
  }

  /** Bytes in use when all leaves that can go have gone. */
  private static long usedWithoutLeaves(StoredTree stored) {
    stored.evict();
    stored.harness.epochs.reclaim();
    return stored.harness.budget.used();
  }

  @RuleTest(
      rule = 30,
      twins = {
        @Twin(
            name = "a group of pages takes memory without asking for it",
            in = "io.bg3.core.tree.GroupLoader",
            method = "load",
            without = "MemoryBudget.tryRequest",
            result = 1),
        @Twin(
            name = "the memory that a group of pages was granted is never given back",
            in = "io.bg3.core.tree.GroupLoader",
            method = "loadGranted",
            without = "MemoryBudget.release"),
        @Twin(
            name = "a page that leaves memory does not count as stored",
            in = "io.bg3.core.table.PageTable",
            method = "publishEvicted",
            without = "AtomicInteger.incrementAndGet")
      })
  void aGroupIsInMemoryWhenItHasBeenLoaded() throws Exception {
    try (StoredTree stored = filled(KEYS)) {
      TreeHarness harness = stored.harness;
      long used = usedWithoutLeaves(stored);
      int leaves = harness.table.storedPages();
      assertTrue(leaves > 20, "leaves: " + leaves);
      wantAll(harness).load();
      assertEquals(0, harness.table.storedPages());
      assertEquals(leaves, harness.space.loader().loads(), "each is loaded once");
      readAll(harness);
      assertEquals(leaves, harness.space.loader().loads());
      assertEquals(used, usedWithoutLeaves(stored));
    }
  }

  /** A leaf is known to be missing only when its parents have been loaded. */
  @Test
  void theInnerPagesOfAStoreThatWasJustOpenedAreLoadedToo() throws Exception {
    try (StoredTree stored = filled(KEYS)) {
      stored.reopen(300);
      TreeHarness harness = stored.harness;
      wantAll(harness).load();
      assertEquals(0, harness.table.storedPages());
    }
  }

  @Test
  void theLeavesOfARangeAreLoadedTogetherAndNoOthers() throws Exception {
    try (StoredTree stored = filled(KEYS)) {
      TreeHarness harness = stored.harness;
      stored.evict();
      harness.tree.prefetch(key(100), key(120), true, LeafPrefetch.AHEAD);
      long loads = harness.space.loader().loads();
      assertTrue(loads > 1 && loads < 10, "loads: " + loads);
      for (int i = 100; i < 120; i++) {
        assertArrayEquals(new byte[30], harness.actual(key(i), 1_000));
      }
      assertEquals(loads, harness.space.loader().loads());
    }
  }

  @RuleTest(
      rule = 30,
      twins =
          @Twin(
              name = "the memory for a page that cannot be loaded is never given back",
              in = "io.bg3.core.tree.GroupLoader",
              method = "loadGranted",
              without = "MemoryBudget.release"))
  void aDamagedPageFailsItsReaderAndNotTheGroup() throws Exception {
    try (StoredTree stored = filled(KEYS)) {
      TreeHarness harness = stored.harness;
      int page = harness.tree.writes.leafPage(key(100));
      long used = usedWithoutLeaves(stored);
      long base = harness.table.base(page);
      harness.table.store(page, stored.base(harness.tree.writes.leafPage(key(200))), 0);
      stored.evict();
      wantAll(harness).load();
      assertEquals(1, harness.table.storedPages());
      assertThrows(CorruptionException.class, () -> harness.actual(key(100), 1_000));
      harness.table.store(page, base, 0);
      readAll(harness);
      assertEquals(used, usedWithoutLeaves(stored));
    }
  }

  @RuleTest(
      rule = 30,
      sites = @Site(name = "loads", in = "io.bg3.core.tree.PageLoader", method = "loadGranted"),
      twins =
          @Twin(
              name = "a page that there is no heap for fails the group",
              in = "io.bg3.core.tree.GroupReads$Group",
              method = "make",
              without = "GroupReads.isLeftToReader"))
  void aPageThatThereIsNoHeapForDoesNotFailTheGroup() throws Exception {
    try (StoredTree stored = filled(KEYS)) {
      TreeHarness harness = stored.harness;
      long used = usedWithoutLeaves(stored);
      Sites.at(
          "loads",
          () -> {
            throw new OutOfMemoryError("planted");
          });
      try {
        wantAll(harness).load();
      } catch (OutOfMemoryError e) {
        throw new AssertionError("the group has failed", e);
      }
      Sites.requirePassed("loads");
      assertEquals(1, harness.table.storedPages());
      readAll(harness);
      assertEquals(used, usedWithoutLeaves(stored));
    }
  }

  @Test
  void aGroupIsLoadedThoughNoThreadHelps() throws Exception {
    try (StoredTree stored = filled(KEYS)) {
      stored.evict();
      stored.helpedBy(task -> {});
      wantAll(stored.harness).load();
      assertEquals(0, stored.harness.table.storedPages(), "the helpers are busy");
      stored.evict();
      stored.helpedBy(
          task -> {
            throw new RejectedExecutionException("planted");
          });
      wantAll(stored.harness).load();
      assertEquals(0, stored.harness.table.storedPages(), "the helpers are gone");
    }
  }

  @Test
  void aGroupThatThereIsNoMemoryForIsLeftToItsReaders() throws Exception {
    try (StoredTree stored = filled(KEYS)) {
      TreeHarness harness = stored.harness;
      long used = usedWithoutLeaves(stored);
      long rest = harness.budget.limit() - used;
      harness.budget.reserve(rest);
      wantAll(harness).load();
      assertTrue(harness.table.storedPages() > 20, "it has taken memory that was not there");
      harness.budget.release(rest);
      readAll(harness);
      assertEquals(used, usedWithoutLeaves(stored));
    }
  }

  @RuleTest(
      rule = 30,
      twins =
          @Twin(
              name = "a group of pages takes all of the memory",
              in = "io.bg3.core.tree.GroupLoader",
              method = "share",
              result = Integer.MAX_VALUE))
  void aGroupTakesNoMoreThanItsShareOfTheMemory() throws Exception {
    try (StoredTree stored = filled(KEYS)) {
      stored.evict();
      TreeHarness harness = stored.harness;
      PageLoader loader = harness.space.loader();
      int[] pages =
          IntStream.range(1, harness.table.end())
              .filter(page -> StoredState.isStored(harness.table.block(page)))
              .toArray();
      long[] bytes = IntStream.of(pages).mapToLong(loader::bytes).toArray();
      long most = 10 * bytes[0];
      MemoryBudget budget = new MemoryBudget(16 * most, "bg3.memory.budget");
      Map<Integer, PageLoader.Part> wanted = new LinkedHashMap<>();
      IntStream.of(pages).forEach(page -> wanted.put(page, PageLoader.Part.ALL));
      int loaded = new GroupLoader(loader, budget, new GroupReads(Runnable::run, 2)).load(wanted);
      assertTrue(loaded > 1 && loaded < pages.length, "loaded: " + loaded);
      long sum = LongStream.of(bytes).limit(loaded).sum();
      assertTrue(sum <= most, "bytes: " + sum + ", most: " + most);
      assertEquals(pages.length - loaded, harness.table.storedPages(), "the first ones");
      assertEquals(0, budget.used());
    }
  }

  @RuleTest(
      rule = 30,
      sites =
          @Site(
              name = "finds",
              in = "io.bg3.core.tree.LeafWrites",
              method = "find",
              before = "Descent.leaf"),
      twins =
          @Twin(
              name = "a commit has its leaves loaded together as often as they are evicted",
              in = "io.bg3.core.tree.LeafWrites",
              method = "mayFetch",
              result = 1))
  void aCommitEndsThoughItsLeavesAreEvictedBeforeItFindsThem() throws Exception {
    try (StoredTree stored = filled(KEYS)) {
      TreeHarness harness = stored.harness;
      AtomicInteger groups = new AtomicInteger();
      stored.helpedBy(task -> groups.incrementAndGet());
      AtomicInteger left = new AtomicInteger(60);
      Sites.always(
          "finds",
          () -> {
            if (left.getAndDecrement() > 0 && left.get() % 2 == 0) {
              stored.evict(); // every other time, or it would not end at all
            }
          });
      write(harness, 0, KEYS, new byte[31], 1_000);
      Sites.requirePassed("finds");
      assertTrue(
          groups.get() > 0 && groups.get() <= 2 * (StoredTree.READS - 1), "groups: " + groups);
      assertArrayEquals(new byte[31], harness.actual(key(KEYS - 1), 1_000));
    }
  }

  @RuleTest(
      rule = 30,
      sites =
          @Site(
              name = "reads",
              in = "io.bg3.core.tree.NeighbourReader",
              method = "readGroup",
              before = "NeighbourReader.lookUp"),
      twins =
          @Twin(
              name = "a reader has its leaves loaded together as often as they are evicted",
              in = "io.bg3.core.tree.NeighbourReader",
              method = "mayFetch",
              result = 1))
  void aReaderEndsThoughItsLeavesAreEvictedBeforeItReadsThem() throws Exception {
    try (StoredTree stored = edges()) {
      TreeHarness harness = stored.harness;
      AtomicInteger groups = new AtomicInteger();
      Sites.always(
          "reads",
          () -> {
            stored.evict();
            if (groups.incrementAndGet() > 100) {
              throw new AssertionError("the reader goes round and round");
            }
          });
      long[] owners = new long[20];
      Arrays.setAll(owners, i -> i);
      Neighbours found = new Neighbours();
      new NeighbourReader(harness.space)
          .read(
              owner -> harness.tree,
              owners,
              0,
              20,
              LABEL,
              1_000,
              Expiry.NEVER,
              Integer.MAX_VALUE,
              found);
      assertEquals(20 * EDGES, found.size());
      Sites.requirePassed("reads");
    }
  }

  private static final int LABEL = EdgeKey.tagLabel(EdgeKey.OUT, 3);
  private static final int EDGES = 25;

  private static StoredTree edges() throws IOException {
    StoredTree stored = new StoredTree(TreeKind.EDGES, 512, 4);
    TreeMap<byte[], byte[]> batch = new TreeMap<>(Arrays::compareUnsigned);
    for (int owner = 0; owner < 20; owner++) {
      for (int other = 0; other < EDGES; other++) {
        batch.put(EdgeKey.encode(owner, LABEL, other, 0), new byte[20]);
      }
    }
    stored.harness.write(batch, 3);
    stored.harness.settle(Horizon.at(3));
    stored.flush(Horizon.at(3));
    assertEquals(List.of(), stored.harness.problems());
    return stored;
  }
}
