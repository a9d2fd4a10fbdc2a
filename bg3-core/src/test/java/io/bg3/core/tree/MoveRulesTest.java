package io.bg3.core.tree;

import static io.bg3.core.tree.StoredTree.filled;
import static io.bg3.core.tree.StoredTree.key;
import static io.bg3.core.tree.StoredTree.write;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.block.PageHeader;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.Op;
import io.bg3.core.page.PageRead;
import io.bg3.core.table.PageTable;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import io.bg3.storage.memory.BlockMemory;
import io.bg3.storage.memory.MemoryBudget;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Leaves that are moved to other blocks while others use them; the audit of blocks is on. */
class MoveRulesTest {
  private static final String FLUSH = "io.bg3.core.tree.PageFlush";
  private static final String WRITE_ALL =
      "write(Lio/bg3/core/tree/NotedPages;Lio/bg3/core/tree/PageFlush$Result;)V";

  @RuleTest(
      rule = 32,
      sites = @Site(name = "noted", in = FLUSH, method = WRITE_ALL),
      twins = {
        @Twin(
            name = "a flush writes the block that a noted leaf had before it was moved",
            in = "io.bg3.core.tree.PageMover",
            method = "moveWhole",
            without = "PageTable.renote"),
        @Twin(
            name = "a noted leaf stays in a span that is being vacated",
            in = "io.bg3.core.tree.PageMover",
            method = "move",
            without = "TreeSpace.isNoteMovable")
      })
  void aNotedLeafIsMovedBeforeItIsWritten() throws Exception {
    try (StoredTree stored = filled(100)) {
      TreeHarness harness = stored.harness;
      write(harness, 40, 60, new byte[20], 303);
      int page = harness.tree.writes.leafPage(key(50));
      Sites.at(
          "noted",
          () -> {
            long block = harness.table.block(page);
            assertTrue(harness.table.isNoted(page));
            stored.move();
            assertTrue(block != harness.table.block(page), "the leaf was not moved");
          });
      stored.flush(Horizon.at(303));
      Sites.requirePassed("noted");
      assertFalse(harness.table.isDirty(page), "it was not written as it is");
      stored.evict();
      assertArrayEquals(new byte[20], harness.actual(key(50), 303));
      assertEquals(List.of(), harness.problems());
    }
  }

  @RuleTest(
      rule = 32,
      sites = @Site(name = "writing", in = FLUSH, method = "image", before = "PageFlush.needsBase"),
      twins =
          @Twin(
              name = "a leaf is moved while a flush writes it",
              in = "io.bg3.core.tree.PageMover",
              method = "move",
              without = "TreeSpace.isNoteMovable",
              result = 1))
  void aLeafThatIsBeingWrittenStaysWhereItIs() throws Exception {
    try (StoredTree stored = filled(100)) {
      write(stored.harness, 40, 60, new byte[20], 303);
      Sites.at("writing", stored::move);
      stored.flush(Horizon.at(303));
      Sites.requirePassed("writing");
      stored.evict();
      assertArrayEquals(new byte[20], stored.harness.actual(key(50), 303));
      assertEquals(List.of(), stored.harness.problems());
    }
  }

  static long newest(PageTable table, int page) {
    return table.block(page);
  }

  @RuleTest(
      rule = 32,
      sites = @Site(name = "noted", in = FLUSH, method = WRITE_ALL),
      twins =
          @Twin(
              name = "a leaf that was written to takes its note along",
              in = "io.bg3.core.tree.TreeSpace",
              method = "isNoteMovable",
              without = "PageTable.noted",
              instead = "newest"))
  void aNotedLeafThatWasWrittenToStaysWhereItIs() throws Exception {
    try (StoredTree stored = filled(100)) {
      TreeHarness harness = stored.harness;
      write(harness, 40, 60, new byte[20], 303);
      Sites.at(
          "noted",
          () -> {
            write(harness, 45, 55, new byte[10], 306);
            stored.move();
          });
      stored.flush(Horizon.at(303));
      Sites.requirePassed("noted");
      stored.flush(Horizon.at(306));
      stored.evict();
      assertArrayEquals(new byte[10], harness.actual(key(50), 306));
      assertArrayEquals(new byte[20], harness.actual(key(40), 306));
      assertEquals(List.of(), harness.problems());
      harness.epochs.reclaim();
      long used = 0;
      for (int each = 1; each < harness.table.end(); each++) {
        long block = harness.table.block(each);
        used += PageTable.isBlock(block) ? harness.space.bytes(block) : 0;
      }
      assertEquals(used, harness.memory.used(), "bytes of blocks that nobody has");
    }
  }

  @RuleTest(
      rule = 32,
      sites =
          @Site(
              name = "adding",
              in = "io.bg3.core.tree.LeafWrites",
              method = "addDelta",
              before = "PageTable.publish"),
      twins =
          @Twin(
              name = "a leaf is moved without its latch",
              in = "io.bg3.core.tree.PageMover",
              method = "move",
              without = "PageTable.tryLatch",
              result = 1))
  void aLeafThatIsWrittenToStaysWhereItIs() throws Exception {
    try (StoredTree stored = filled(100)) {
      TreeHarness harness = stored.harness;
      Sites.at("adding", stored::move);
      write(harness, 40, 60, new byte[20], 303);
      Sites.requirePassed("adding");
      harness.epochs.reclaim();
      for (int i = 0; i < 100; i++) {
        assertArrayEquals(new byte[i < 40 || i >= 60 ? 30 : 20], harness.actual(key(i), 303));
      }
      assertEquals(List.of(), harness.problems());
    }
  }

  static void freeNow(TreeSpace space, long block) {
    space.leaf(space.header(block).kind()).free(block);
  }

  @RuleTest(
      rule = 32,
      twins =
          @Twin(
              name = "the blocks of a leaf that was moved are given back under a reader",
              in = "io.bg3.core.tree.PageMover",
              method = "moveWhole",
              without = "TreeSpace.retireNow",
              instead = "freeNow"))
  void aReaderReadsOnInALeafThatWasMoved() throws Exception {
    try (StoredTree stored = filled(100)) {
      TreeHarness harness = stored.harness;
      int page = harness.tree.writes.leafPage(key(50));
      int ticket = harness.epochs.enter();
      try {
        long block = harness.table.block(page);
        assertTrue(stored.move() > 0);
        assertTrue(block != harness.table.block(page), "the leaf was not moved");
        PageRead read = new PageRead();
        assertTrue(harness.tree.format.get(block, key(50), 303, read));
        assertArrayEquals(new byte[30], read.version().value());
      } finally {
        harness.epochs.exit(ticket);
      }
    }
  }

  static ByteBuffer unchanged(ByteBuffer slab, int at, long value) {
    return slab;
  }

  @RuleTest(
      rule = 32,
      twins = {
        @Twin(
            name = "a base that was moved has its values where they were",
            in = "io.bg3.core.page.LeafFormat",
            method = "copyBlock",
            without = "ByteBuffer.putLong",
            instead = "unchanged"),
        @Twin(
            name = "a delta that was moved has its base where it was",
            in = "io.bg3.core.page.LeafFormat",
            method = "copy",
            without = "ByteBuffer.putLong",
            instead = "unchanged")
      })
  void aLeafThatWasMovedIsWhole() throws Exception {
    try (StoredTree stored = filled(100)) {
      TreeHarness harness = stored.harness;
      write(harness, 50, 52, new byte[20], 303); // a delta
      assertTrue(stored.move() > 0);
      harness.epochs.reclaim();
      assertEquals(0, harness.epochs.pending());
      for (int i = 0; i < 100; i++) {
        assertArrayEquals(new byte[i == 50 || i == 51 ? 20 : 30], harness.actual(key(i), 303));
      }
      assertEquals(List.of(), harness.problems());
    }
  }

  @RuleTest(
      rule = 32,
      twins =
          @Twin(
              name = "inner pages lie among leaves",
              in = "io.bg3.storage.memory.BlockMemory",
              method = "allocateFixed",
              without = "BlockMemory.allocate",
              instead = "movable"))
  void innerPagesKeepNoSpanOfLeaves() throws Exception {
    try (StoredTree stored = filled(1_000)) {
      TreeHarness harness = stored.harness;
      harness.memory.vacateAll();
      int inner = 0;
      for (int page = 1; page < harness.table.end(); page++) {
        long block = harness.table.block(page);
        if (PageTable.isBlock(block) && harness.space.header(block).kind() == PageHeader.INNER) {
          assertFalse(harness.memory.isLeaving(block), "page " + page);
          inner++;
        }
      }
      assertTrue(inner > 0, "no inner page");
    }
  }

  static long movable(BlockMemory memory, int bytes, boolean fixed) {
    return memory.allocate(bytes);
  }

  private static final int BUDGET = 64 << 20;
  private static final int TOGETHER = 128;

  /**
   * Leaves with large values, of which three quarters at random are replaced by leaves with small
   * ones, and then as many others with small ones as there is memory for.
   */
  @RuleTest(
      rule = 32,
      twins =
          @Twin(
              name = "no span is vacated for blocks of other sizes",
              in = "io.bg3.core.tree.PageEvictor",
              method = "compactNow",
              without = "BlockMemory.vacate"))
  void noMoreIsHeldThanTheBudgetWhenBlockSizesShift() {
    MemoryBudget budget = new MemoryBudget(BUDGET, "bg3.memory.budget");
    try (TreeHarness harness = new TreeHarness(TreeKind.BYTES, 16 << 10, 10, budget)) {
      PageEvictor evictor = new PageEvictor(harness.space);
      Random random = new Random(32);
      int end = 0;
      for (; budget.used() < BUDGET * 7L / 10; end += TOGETHER) {
        put(harness, evictor, end, 700);
      }
      for (int from = 0; from < end; from += TOGETHER) {
        if (random.nextInt(4) > 0) {
          put(harness, evictor, from, 60);
        }
      }
      for (; budget.used() < BUDGET * 7L / 10; end += TOGETHER) {
        put(harness, evictor, end, 60);
      }
      long held = harness.memory.held() + budget.onHeap();
      assertTrue(held <= BUDGET + (3 << 20), "held=" + held + ", " + budget);
      assertEquals(List.of(), harness.problems());
    }
  }

  /**
   * As above, without a thread that keeps spans free, until few are free: then a request for memory
   * wakes that thread while there is room, and moves leaves itself when there is none.
   */
  @RuleTest(
      rule = 32,
      twins = {
        @Twin(
            name = "a request moves leaves though there is room",
            in = "io.bg3.core.tree.PageEvictor",
            method = "serve",
            without = "HeldMemory.isShort",
            result = 1),
        @Twin(
            name = "a request leaves it to the other thread though there is no room",
            in = "io.bg3.core.tree.PageEvictor",
            method = "serve",
            without = "HeldMemory.isShort",
            result = 0)
      })
  void aRequestMovesLeavesOnlyWhereThereIsNoRoom() {
    MemoryBudget budget = new MemoryBudget(BUDGET, "bg3.memory.budget");
    try (TreeHarness harness = new TreeHarness(TreeKind.BYTES, 16 << 10, 10, budget)) {
      PageEvictor evictor = new PageEvictor(harness.space);
      evictor.relieveBudget();
      AtomicInteger woken = new AtomicInteger();
      evictor.helpedBy(woken::incrementAndGet);
      int end = 0;
      for (; budget.used() < BUDGET * 7L / 10; end += TOGETHER) {
        put(harness, end, 700);
      }
      Random random = new Random(32);
      for (int from = 0; from < end; from += TOGETHER) {
        if (random.nextInt(4) > 0) {
          put(harness, from, 60);
        }
      }
      for (; !budget.isPressed(); end += TOGETHER) {
        put(harness, end, 60);
        harness.space.epochs().reclaim(); // what waits for readers is no shortage
      }
      assertTrue(budget.used() < BUDGET * 9L / 10, budget::toString);
      long moves = evictor.moves();
      int before = woken.get();
      request(budget, 16 << 10);
      assertTrue(woken.get() > before, "the other thread is not woken");
      assertEquals(moves, evictor.moves());
      request(budget, 4 << 20);
      assertTrue(evictor.moves() > moves, "nothing is moved");
      evictor.close();
    }
  }

  private static void request(MemoryBudget budget, long bytes) {
    assertTrue(budget.tryRequest(bytes), budget::toString);
    budget.release(bytes);
  }

  /** The evictor rests then, and blocks that are taken meanwhile must not fill the spans again. */
  @RuleTest(
      rule = 32,
      twins =
          @Twin(
              name = "spans whose blocks wait for a reader take blocks again",
              in = "io.bg3.core.tree.PageEvictor",
              method = "moveOut",
              without = "PageMover.moveAll",
              instead = "moveAndSayThatSomeStayed"))
  void spansThatWereVacatedBesideAReaderBecomeFree() {
    MemoryBudget budget = new MemoryBudget(2 * BUDGET, "bg3.memory.budget");
    try (TreeHarness harness = new TreeHarness(TreeKind.BYTES, 16 << 10, 10, budget)) {
      PageEvictor evictor = new PageEvictor(harness.space);
      Random random = new Random(8);
      for (int from = 0; from < 200 * TOGETHER; from += TOGETHER) {
        put(harness, evictor, from, 700);
      }
      for (int from = 0; from < 200 * TOGETHER; from += TOGETHER) {
        if (random.nextInt(4) > 0) {
          put(harness, evictor, from, 60);
        }
      }
      harness.epochs.reclaim();
      BlockMemory memory = harness.memory;
      memory.vacate(0); // empties the caches
      long[] before = blocks(harness);
      long occupied = memory.occupied();
      Set<Integer> sizes = new HashSet<>();
      Set<Long> vacated = new HashSet<>();
      List<Long> taken = new ArrayList<>();
      int ticket = harness.epochs.enter();
      try {
        evictor.compact(budget.limit() - budget.onHeap() - occupied + 1);
        long[] now = blocks(harness);
        for (int page = 0; page < now.length; page++) {
          if (now[page] != before[page]) { // the old blocks wait for this thread
            long values = harness.space.header(before[page]).valueBlock();
            for (long block : new long[] {before[page], values}) {
              if (block != 0 && memory.isLeaving(block)) {
                sizes.add(memory.capacity(block));
                vacated.add(block / BlockMemory.SPAN);
              }
            }
          }
        }
        for (int size : sizes) {
          for (int bytes = 0; bytes < 32 << 20; bytes += size) {
            taken.add(memory.allocate(size));
          }
        }
      } finally {
        harness.epochs.exit(ticket);
      }
      assertTrue(vacated.size() > 2, "spans that stay closed: " + vacated.size());
      for (long block : taken) {
        assertFalse(vacated.contains(block / BlockMemory.SPAN), "a span was filled again");
      }
      taken.forEach(memory::free);
      harness.epochs.reclaim();
      memory.vacate(0);
      assertTrue(memory.occupied() < occupied, "no span has become free");
      assertEquals(List.of(), harness.problems());
    }
  }

  private static long[] blocks(TreeHarness harness) {
    long[] blocks = new long[harness.table.end()];
    for (int page = 1; page < blocks.length; page++) {
      blocks[page] = harness.table.block(page);
    }
    return blocks;
  }

  static boolean moveAndSayThatSomeStayed(PageMover mover) {
    mover.moveAll();
    return false;
  }

  /** Writes the values of some keys, past the model. */
  private static void put(TreeHarness harness, PageEvictor evictor, int from, int size) {
    put(harness, from, size);
    evictor.compact(0);
  }

  private static void put(TreeHarness harness, int from, int size) {
    Entries batch = harness.tree.newEntries();
    for (int i = from; i < from + TOGETHER; i++) {
      byte[] key = ByteBuffer.allocate(Integer.BYTES).putInt(i).array();
      batch.append(key, Op.PUT, 1_000 - size, new byte[size]);
    }
    PendingMaintenance due = new PendingMaintenance();
    harness.tree.apply(batch, 0, batch.count(), due);
    due.settle(Horizon.at(1_000));
  }
}
