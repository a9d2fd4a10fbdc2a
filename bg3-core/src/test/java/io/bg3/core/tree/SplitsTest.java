package io.bg3.core.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.page.Entries;
import io.bg3.core.page.Horizon;
import io.bg3.core.page.LeafPieces;
import io.bg3.core.page.PageFrame;
import io.bg3.storage.memory.MemoryExceededException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Splits a leaf whose pieces run out of memory, the root and one below it, first at once, then ever
 * later: until a split succeeds the tree is as it was, and nothing of the attempt is left.
 */
class SplitsTest {
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

  /** How often the split of one leaf failed before it did not. */
  private static int failures(TreeHarness harness, long stamp) {
    Tree tree = harness.tree;
    int page = largestLeaf(harness);
    for (int fail = 0; ; fail++) {
      tree.structure.lock();
      try {
        long block = harness.table.block(page);
        Entries all = tree.format.merged(block, Horizon.at(stamp));
        LeafPieces pieces = tree.format.pieces(all, true, CAPACITY, false);
        LeafPieces failing = new Failing(pieces, fail);
        long used = harness.budget.used();
        try {
          tree.splits.replace(page, failing, stamp);
          return fail;
        } catch (MemoryExceededException e) {
          assertEquals(used, harness.budget.used(), "memory is lost: fail=" + fail);
          assertEquals(block, harness.table.block(page), "fail=" + fail);
        }
      } finally {
        tree.structure.unlock();
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
