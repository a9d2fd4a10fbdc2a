package io.bg3.core.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.block.PageHeader;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.LargeValueLocations;
import io.bg3.core.entry.Op;
import io.bg3.core.table.PageRow;
import io.bg3.core.table.PageTable;
import io.bg3.core.table.Pins;
import io.bg3.storage.extent.ExtentSettings;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.file.MemoryDisk;
import io.bg3.storage.memory.MemoryExceededException;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Refuses the first allocation of a change of a tree's shape, then the second, and so on until the
 * change meets no refusal; for changes of every kind, from the same state each time.
 *
 * <p>After each, whether it was refused or not: every page is reachable and right, every answer is
 * the model's, all memory in use belongs to a page, and the change succeeds when it is tried again.
 */
class RefusedMemoryTest {
  private static final long SEED = 1;
  private static final int CAPACITY = 512;
  private static final Duration LONG = Duration.ofMinutes(10);

  /** A change. */
  private enum Change {
    /** Deltas that are due become bases, and those that are too large several pages. */
    SETTLE(60, 0),
    /** Nearly all that was written is removed, so that leaves and inner pages go. */
    SETTLE_REMOVALS(60, 100),
    /** Batches of many entries are written into the leaves at once. */
    APPLY(40, 20),
    /** Pages that changed are stored, and empty ones removed. */
    FLUSH(60, 60),
    /** The tree is stored when most of it is removed and nothing is settled. */
    FLUSH_REMOVALS(60, 100);

    final int batch;
    final int deletes;

    Change(int batch, int deletes) {
      this.batch = batch;
      this.deletes = deletes;
    }
  }

  @ParameterizedTest
  @EnumSource(Change.class)
  void aByteTreeIsWholeWhicheverAllocationIsRefused(Change change) throws IOException {
    refuseEach(TreeKind.BYTES, change);
  }

  @ParameterizedTest
  @EnumSource(Change.class)
  void anEdgeTreeIsWholeWhicheverAllocationIsRefused(Change change) throws IOException {
    refuseEach(TreeKind.EDGES, change);
  }

  private static void refuseEach(TreeKind kind, Change change) throws IOException {
    boolean refused = true;
    int allocation = 0;
    for (; refused; allocation++) {
      String at = kind + ", " + change + ", allocation " + allocation;
      try (State state = new State(kind, change)) {
        state.budget.refuseAfter(allocation);
        state.run();
        refused = state.budget.end();
        state.check(at);
        state.run();
        state.check(at + ", again");
      }
    }
    assertTrue(allocation > 5, change + " allocates " + allocation + " times only");
  }

  /** A tree before a change. */
  private static final class State implements AutoCloseable {
    private final RefusingBudget budget = new RefusingBudget();
    private final Change change;
    private final TreeHarness harness;
    private final ExtentStore extents;
    private final Map<Integer, long[]> rows = new HashMap<>();
    private final NavigableMap<byte[], byte[]> next;
    private long stamp;

    State(TreeKind kind, Change change) throws IOException {
      this.change = change;
      this.harness = new TreeHarness(kind, CAPACITY, 4, budget);
      this.extents = ExtentStore.open(new MemoryDisk(), ExtentSettings.of(1, 64 << 10), List.of());
      Random random = new Random(SEED);
      for (int i = 0; i < 6; i++) {
        harness.write(TreeModelTest.batch(kind, random, 200, 25, 0, 30), ++stamp);
        harness.settle(Horizon.at(stamp));
      }
      if (change
          != Change.SETTLE_REMOVALS) { // where a base is stored, tombstones stay until the next
        flush();
      }
      NavigableMap<byte[], byte[]> batch = new TreeMap<>(Arrays::compareUnsigned);
      if (change.deletes == 100) {
        harness.model.keySet().forEach(key -> batch.put(key, null));
        batch.remove(harness.model.lastKey());
      } else {
        batch.putAll(TreeModelTest.batch(kind, random, 600, 150, change.deletes, 30));
      }
      for (byte[] key : batch.keySet()) { // one by one, so that they become deltas
        NavigableMap<byte[], byte[]> one = new TreeMap<>(Arrays::compareUnsigned);
        one.put(key, batch.get(key));
        apply(one);
      }
      next = TreeModelTest.batch(kind, random, 600, change.batch, change.deletes, 30);
    }

    void run() throws IOException {
      switch (change) {
        case SETTLE, SETTLE_REMOVALS -> settleAll();
        case APPLY -> apply(next);
        case FLUSH, FLUSH_REMOVALS -> flush();
      }
    }

    private void settleAll() {
      PendingMaintenance due = new PendingMaintenance();
      for (int page = 1; page < harness.table.end(); page++) {
        due.add(harness.tree, page);
      }
      due.settle(Horizon.at(stamp));
      assertTrue(due.isEmpty());
    }

    /** Writes; after a refusal once more, as replay would, which changes what is missing only. */
    private void apply(NavigableMap<byte[], byte[]> batch) {
      stamp++;
      Entries entries = harness.tree.newEntries();
      batch.forEach(
          (key, value) -> {
            entries.append(key, value == null ? Op.TOMBSTONE : Op.PUT, stamp, value);
            harness.model.computeIfAbsent(key, k -> new TreeMap<>());
            harness.model.get(key).put(stamp, value == null ? new byte[0] : value);
          });
      try {
        apply(entries);
      } catch (MemoryExceededException e) {
        apply(entries);
      }
    }

    private void apply(Entries entries) {
      LocatedLeaves leaves = new LocatedLeaves();
      try (Pins.Registration pins = harness.space.pins.register()) {
        LeafAdmission by = LeafAdmission.unbounded(pins);
        harness.tree.find(entries, Long.MAX_VALUE, leaves, by);
      }
      harness.tree.apply(entries, leaves, () -> Horizon.at(stamp - 1), new PendingMaintenance());
    }

    private void flush() throws IOException {
      NotedPages noted = new NotedPages();
      harness.tree.shape.note(noted);
      PageFlush.Result result =
          new PageFlush.Result() {
            @Override
            public void stored(int page, PageRow old, PageRow now, LargeValueLocations references) {
              rows.put(page, new long[] {now.base(), now.delta()});
            }
          };
      new PageFlush(harness.space, extents, Horizon.at(stamp)).write(noted, result);
      for (int page : noted.removed()) {
        rows.remove(page);
        harness.table.reuse(page);
      }
    }

    void check(String at) throws IOException {
      assertEquals(List.of(), Assertions.assertTimeoutPreemptively(LONG, harness::problems), at);
      Runnable answers =
          () -> {
            assertEquals(
                text(harness.expected(null, null, stamp)),
                text(harness.actual(null, null, stamp, false)),
                at);
            for (byte[] key : harness.model.keySet()) {
              assertEquals(
                  Arrays.toString(harness.expected(key, stamp)),
                  Arrays.toString(harness.actual(key, stamp)),
                  at);
            }
          };
      Assertions.assertTimeoutPreemptively(LONG, answers::run, at);
      assertEquals(blocksOfPages(), used(), at);
    }

    /** Bytes of the blocks that the page table leads to. */
    private long blocksOfPages() {
      long bytes = 0;
      for (int page = 1; page < harness.table.end(); page++) {
        long block = harness.table.block(page);
        assertFalse(harness.table.isNoted(page), "noted: " + page);
        if (PageTable.isBlock(block)) {
          PageHeader header = harness.space.header(block);
          bytes += bytes(block) + (header.isDelta() ? bytes(header.base()) : 0);
        }
      }
      return bytes;
    }

    private long bytes(long block) {
      long values = harness.space.header(block).valueBlock();
      long own = harness.memory.capacity(block);
      return values == 0 ? own : own + harness.memory.capacity(values);
    }

    private long used() {
      harness.epochs.awaitQuiescence();
      return harness.memory.used() - harness.epochs.pending();
    }

    private static String text(NavigableMap<byte[], byte[]> entries) {
      StringBuilder text = new StringBuilder();
      entries.forEach(
          (key, value) ->
              text.append(Arrays.toString(key)).append('=').append(Arrays.toString(value)));
      return text.toString();
    }

    @Override
    public void close() throws IOException {
      harness.close();
      extents.close();
    }
  }
}
