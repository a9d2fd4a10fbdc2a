package io.bg3.core.tree;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.block.PageFrame;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.Op;
import io.bg3.core.page.LeafFormat;
import io.bg3.core.page.LeafPieces;
import io.bg3.core.table.PageTable;
import io.bg3.storage.memory.MemoryExceededException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Splits a leaf whose pieces run out of memory, the root and one below it, first at once, then ever
 * later: until a split succeeds the tree is as it was, and nothing of the attempt is left. Then one
 * whose new page gets the number of a page that was removed, while others still believe in that.
 */
class PageSplitterTest {
  private static final long SEED = 3;
  private static final int CAPACITY = 512;
  private static final int KEYS = 5_000;

  /** Pieces of which one thing too many is asked. */
  private static final class Failing implements LeafPieces {
    private final LeafPieces pieces;
    private int left;

    Failing(LeafPieces pieces, int left) {
      this.pieces = pieces;
      this.left = left;
    }

    private void use() {
      if (left-- == 0) {
        throw new MemoryExceededException("planted", "none", 1, 1, 1);
      }
    }

    @Override
    public int count() {
      return pieces.count();
    }

    @Override
    public byte[] low(int piece) {
      use();
      return pieces.low(piece);
    }

    @Override
    public long write(int piece, PageFrame frame, long cut) {
      use();
      return pieces.write(piece, frame, cut);
    }
  }

  @ParameterizedTest
  @EnumSource(TreeKind.class)
  void aSplitThatRunsOutOfMemoryLeavesNothingBehind(TreeKind kind) {
    Random random = new Random(SEED);
    try (TreeHarness harness = new TreeHarness(kind, CAPACITY, KEYS)) {
      long stamp = 1;
      for (int round = 0; round < 2; round++) { // the root is a leaf, then it is not
        for (int i = 0; i < 3; i++) {
          harness.write(TreeModelTest.batch(kind, random, KEYS, 60, 0, 20), stamp++);
        }
        assertTrue(failures(harness, stamp) > 5);
        assertEquals(List.of(), harness.problems());
        assertEquals(
            text(harness.expected(null, null, stamp)),
            text(harness.actual(null, null, stamp, false)));
        harness.settle(Horizon.at(stamp));
      }
    }
  }

  /** Pieces that let others in when all but the first are written. */
  private record Halting(LeafPieces pieces, Runnable others) implements LeafPieces {
    @Override
    public int count() {
      return pieces.count();
    }

    @Override
    public byte[] low(int piece) {
      return pieces.low(piece);
    }

    @Override
    public long write(int piece, PageFrame frame, long cut) {
      if (piece == 0) {
        others.run();
      }
      return pieces.write(piece, frame, cut);
    }
  }

  @ParameterizedTest
  @EnumSource(TreeKind.class)
  void whoBelievesInAPageThatIsUsedAgainLosesNothingBySplits(TreeKind kind) throws Exception {
    for (boolean fails : new boolean[] {true, false}) {
      try (TreeHarness harness = new TreeHarness(kind, CAPACITY, 4)) {
        splitIntoARemovedPage(harness, kind, fails);
      }
    }
  }

  private static void splitIntoARemovedPage(TreeHarness harness, TreeKind kind, boolean fails)
      throws InterruptedException {
    Random random = new Random(SEED);
    for (int stamp = 1; stamp <= 20; stamp++) {
      harness.write(TreeModelTest.batch(kind, random, 300, 60, 0, 20), stamp);
      harness.settle(Horizon.at(stamp));
    }
    NavigableMap<byte[], byte[]> removed = removeALeaf(harness, 21);
    int page = harness.tree.shape.removed.element();
    int left = harness.tree.writes.leafPage(removed.firstKey());
    removed.replaceAll((key, value) -> new byte[60]);
    harness.write(removed, 300); // not settled
    LeafPieces pieces = pieces(harness, left);
    byte[] high =
        pieces.count() > 2 ? pieces.low(2) : harness.space.header(harness.table.block(left)).high();
    List<byte[]> again = List.copyOf(removed.subMap(pieces.low(1), high).keySet());
    byte[] first = again.get(0);
    byte[] second = again.get(1);
    Entries one = entry(harness, first, 999);
    Entries two = entry(harness, second, 999);
    LocatedLeaves leaves = new LocatedLeaves();
    leaves.add(0, page);
    harness.table.reuse(page);
    if (kind == TreeKind.EDGES) {
      harness.space.hints.put(EdgeKey.owner(first), page, 0);
      harness.space.hints.put(EdgeKey.owner(second), page, 0);
    }

    Thread writer =
        new Thread(
            () -> {
              harness.tree.apply(one, leaves, () -> Horizon.KEEP_ALL, new PendingMaintenance());
              harness.tree.apply(two, 0, two.count(), new PendingMaintenance());
            });
    Runnable meanwhile =
        () -> {
          assertEquals(0, harness.table.block(page));
          assertArrayEquals(harness.expected(first, 998), harness.actual(first, 998));
          writer.start();
          waitFor(writer);
          if (fails) {
            throw new MemoryExceededException("planted", "none", 1, 1, 1);
          }
        };
    if (fails) {
      assertThrows(MemoryExceededException.class, () -> splitMeanwhile(harness, left, meanwhile));
    } else {
      splitMeanwhile(harness, left, meanwhile);
      assertTrue(PageTable.isBlock(harness.table.block(page)));
    }
    writer.join();
    for (byte[] key : List.of(first, second)) {
      harness.model.get(key).put(999L, new byte[] {1});
    }
    assertEquals(List.of(), harness.problems());
    assertEquals(
        text(harness.expected(null, null, 999)), text(harness.actual(null, null, 999, false)));
    if (fails) {
      splitMeanwhile(harness, left, () -> {});
      assertEquals(List.of(), harness.problems());
      assertEquals(
          text(harness.expected(null, null, 999)), text(harness.actual(null, null, 999, false)));
    }
  }

  /** Time enough for a write that nothing stops; this one is to be stopped by a latch. */
  private static void waitFor(Thread writer) {
    try {
      writer.join(200);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void splitMeanwhile(TreeHarness harness, int page, Runnable meanwhile) {
    Tree tree = harness.tree;
    tree.shape.lock.lock();
    try {
      tree.splits().replace(page, new Halting(pieces(harness, page), meanwhile), 0);
    } finally {
      tree.shape.lock.unlock();
    }
  }

  private static LeafPieces pieces(TreeHarness harness, int page) {
    LeafFormat format = harness.tree.format;
    Entries all = format.merged(harness.table.block(page), Horizon.KEEP_ALL);
    return format.pieces(all, Horizon.KEEP_ALL, true, CAPACITY, false);
  }

  /** Removes what is in one leaf after the other until a leaf goes, and says what was in it. */
  private static NavigableMap<byte[], byte[]> removeALeaf(TreeHarness harness, long from) {
    long stamp = from;
    byte[] key = harness.model.firstKey();
    while (true) {
      byte[] high = harness.space.header(block(harness, key)).high();
      key = high;
      byte[] next = harness.space.header(block(harness, key)).high();
      TreeMap<byte[], byte[]> batch = new TreeMap<>(Arrays::compareUnsigned);
      harness.model.subMap(high, next).keySet().forEach(each -> batch.put(each, null));
      harness.write(batch, ++stamp);
      harness.settle(Horizon.at(stamp));
      if (!harness.tree.shape.removed.isEmpty()) {
        return batch;
      }
    }
  }

  private static long block(TreeHarness harness, byte[] key) {
    return harness.table.block(harness.tree.writes.leafPage(key));
  }

  private static Entries entry(TreeHarness harness, byte[] key, long stamp) {
    Entries entries = harness.tree.newEntries();
    entries.append(key, Op.PUT, stamp, new byte[] {1});
    return entries;
  }

  /** How often the split of one leaf failed before it did not. */
  private static int failures(TreeHarness harness, long stamp) {
    Tree tree = harness.tree;
    int page = largestLeaf(harness);
    for (int fail = 0; ; fail++) {
      tree.shape.lock.lock();
      try {
        long block = harness.table.block(page);
        Entries all = tree.format.merged(block, Horizon.at(stamp));
        LeafPieces pieces = tree.format.pieces(all, Horizon.KEEP_ALL, true, CAPACITY, false);
        LeafPieces failing = new Failing(pieces, fail);
        long used = harness.budget.used();
        try {
          tree.splits().replace(page, failing, stamp);
          return fail;
        } catch (MemoryExceededException e) {
          assertEquals(used, harness.budget.used(), "memory is lost: fail=" + fail);
          assertEquals(block, harness.table.block(page), "fail=" + fail);
        }
      } finally {
        tree.shape.lock.unlock();
      }
      assertEquals(List.of(), harness.problems());
    }
  }

  private static int largestLeaf(TreeHarness harness) {
    return harness.model.keySet().stream()
        .map(harness.tree.writes::leafPage)
        .max(
            Comparator.comparingLong(
                page -> harness.tree.format.imageBytes(harness.table.block(page))))
        .orElseThrow();
  }

  private static List<String> text(NavigableMap<byte[], byte[]> entries) {
    List<String> text = new ArrayList<>();
    entries.forEach((key, value) -> text.add(Arrays.toString(key) + Arrays.toString(value)));
    return text;
  }
}
