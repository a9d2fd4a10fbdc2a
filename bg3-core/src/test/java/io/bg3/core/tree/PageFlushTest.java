package io.bg3.core.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.Horizon;
import io.bg3.storage.extent.Location;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** When a flush writes a base, and when a delta. */
class PageFlushTest {
  private static final int KEYS = 100;
  private static final byte[] VALUE = new byte[100];

  private static void write(StoredTree stored, int from, int to, long stamp) throws Exception {
    TreeMap<byte[], byte[]> batch = new TreeMap<>(Arrays::compareUnsigned);
    for (int i = from; i < to; i++) {
      batch.put(String.format("key-%04d", i).getBytes(StandardCharsets.US_ASCII), VALUE);
    }
    stored.harness.write(batch, stamp);
    stored.harness.settle(Horizon.at(stamp));
    stored.flush(Horizon.at(stamp));
  }

  @Test
  void theDeltasBetweenTwoBasesWeighNoMoreThanABase() throws Exception {
    try (StoredTree stored = new StoredTree(TreeKind.BYTES, 16 << 10, 10).uncompressed()) {
      write(stored, 0, KEYS, 3);
      int page = stored.harness.tree.root();
      int bases = 0;
      long deltas = 0;
      long base = stored.base(page);
      for (int i = 0; i < 3 * KEYS; i++) { // a flush for each entry
        write(stored, i % KEYS, i % KEYS + 1, 6 + 3L * i);
        if (stored.base(page) == base) {
          deltas += Location.bytes(stored.delta(page));
          assertTrue(deltas < Location.bytes(base) * 5 / 4, "deltas=" + deltas);
        } else {
          assertTrue(deltas > Location.bytes(base) / 2, "deltas=" + deltas);
          base = stored.base(page);
          deltas = 0;
          bases++;
        }
      }
      assertTrue(bases > 1, "bases=" + bases);
    }
  }

  @Test
  void aDeltaIsSmallBesideItsBase() throws Exception {
    try (StoredTree stored = new StoredTree(TreeKind.BYTES, 16 << 10, 10).uncompressed()) {
      write(stored, 0, KEYS, 3);
      int page = stored.harness.tree.root();
      long base = stored.base(page);
      write(stored, 0, KEYS / 5, 6);
      assertTrue(stored.base(page) == base && stored.delta(page) != 0, "a fifth is a delta");
      assertTrue(marks(stored) > 0, "a small delta leaves its marks");
      write(stored, KEYS / 5, 2 * KEYS / 3, 9);
      assertTrue(stored.base(page) != base && stored.delta(page) == 0, "two thirds are a base");
    }
  }

  @Test
  void aLeafWithAThirdInItsDeltaHasNoMarksAndGetsABaseNext() throws Exception {
    try (StoredTree stored = new StoredTree(TreeKind.BYTES, 16 << 10, 10).uncompressed()) {
      write(stored, 0, KEYS, 3);
      int page = stored.harness.tree.root();
      long base = stored.base(page);
      write(stored, 0, KEYS / 3, 6);
      assertTrue(stored.base(page) == base && stored.delta(page) != 0, "a third is a delta");
      assertEquals(0, marks(stored));
      write(stored, 0, 1, 9);
      assertTrue(stored.base(page) != base && stored.delta(page) == 0, "then comes a base");
    }
  }

  private static int marks(StoredTree stored) {
    Tree tree = stored.harness.tree;
    return tree.format.markedCount(stored.harness.table.block(tree.root()));
  }
}
