package io.bg3.core.transaction;

import static io.bg3.core.forest.TreeIds.EXTERNAL_IDS;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.Entries;
import io.bg3.core.keyspace.KeySpace;
import io.bg3.core.keyspace.LeafScan;
import io.bg3.core.keyspace.MergingScan;
import io.bg3.core.keyspace.ReadBuffers;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.keyspace.SpaceReads;
import io.bg3.core.page.PageRead;
import io.bg3.core.snapshot.SnapshotClaim;
import io.bg3.core.thread.PerThread;
import io.bg3.core.tree.LeafSource;
import io.bg3.core.tree.Tree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Scans that cannot read the next leaf. A transaction that meets that and commits all the same
 * counts as a reader of the whole range, because it is not known how far the scan came.
 */
class FailingScanTest {
  private static final int KEYS = 200;
  private static final byte[] LOW = key(20);
  private static final byte[] HIGH = key(180);

  private TestStore store;
  private Transaction transaction;
  private SnapshotClaim claim;

  @BeforeEach
  void fill() throws IOException {
    store = TestStore.create();
    try (Transaction filler = store.begin()) {
      for (int i = 0; i < KEYS; i++) {
        filler.put(EXTERNAL_IDS, key(i), new byte[] {1});
      }
      filler.commit();
    }
    transaction = store.begin();
    claim = new SnapshotClaim(store.manager.slots(), store.manager.age());
  }

  @AfterEach
  void close() throws IOException {
    claim.release();
    transaction.rollback();
    store.close();
  }

  @ParameterizedTest
  @CsvSource({"FORWARD, 0, false", "FORWARD, 2, false", "BACKWARD, 2, false", "FORWARD, 2, true"})
  void aScanThatFailsHalfWayHasReadItsWholeRange(ScanOrder order, int leaves, boolean writing) {
    if (writing) { // what is scanned is merged with own writes
      transaction.put(EXTERNAL_IDS, key(30), new byte[] {2});
    }
    TransactionScan scan = scan(order, leaves);
    int[] shown = new int[1];
    assertThrows(
        UncheckedIOException.class,
        () -> {
          while (scan.next()) {
            shown[0]++;
          }
        });
    assertEquals(leaves > 0, shown[0] > 0);
    SpaceReads.Range read = closed(scan);
    assertArrayEquals(LOW, read.low());
    assertArrayEquals(HIGH, read.high());
  }

  /** The page that the scan shows from is gone then, and with it the key that was shown last. */
  @ParameterizedTest
  @EnumSource(ScanOrder.class)
  void aScanThatHasFailedGoesOnBehindWhatItHasShown(ScanOrder order) {
    int before = order == ScanOrder.FORWARD ? 21 : 178; // passed before the scan fails
    transaction.delete(EXTERNAL_IDS, key(before));
    FailingLeaves leaves = new FailingLeaves(store.forest.bytes(EXTERNAL_IDS), 2);
    TransactionScan scan = scan(order, leaves);
    List<byte[]> shown = new ArrayList<>();
    assertThrows(UncheckedIOException.class, () -> showAll(scan, shown));
    int first = shown.size();
    leaves.left = Integer.MAX_VALUE;
    transaction.put(EXTERNAL_IDS, key(before), new byte[] {3}); // behind the scan: not shown
    showAll(scan, shown);
    assertTrue(0 < first && first < shown.size());
    for (int i = 1; i < shown.size(); i++) {
      int compared = Arrays.compareUnsigned(shown.get(i - 1), shown.get(i));
      assertEquals(order == ScanOrder.FORWARD, compared < 0);
    }
    assertEquals(159, shown.size());
  }

  private static void showAll(TransactionScan scan, List<byte[]> into) {
    while (scan.next()) {
      into.add(scan.key());
    }
  }

  @ParameterizedTest
  @EnumSource(ScanOrder.class)
  void aScanThatFailsWhileItSkipsHasReadItsWholeRange(ScanOrder order) {
    TransactionScan scan = scan(order, 2);
    assertThrows(UncheckedIOException.class, () -> scan.skip(Integer.MAX_VALUE));
    SpaceReads.Range read = closed(scan);
    assertArrayEquals(LOW, read.low());
    assertArrayEquals(HIGH, read.high());
  }

  @ParameterizedTest
  @EnumSource(ScanOrder.class)
  void aScanThatSkipsTheRestHasReadItsWholeRange(ScanOrder order) {
    TransactionScan scan = scan(order, Integer.MAX_VALUE);
    assertEquals(0, scan.skip(-1));
    assertEquals(160, scan.skip(1_000));
    assertEquals(0, scan.skip(1));
    SpaceReads.Range read = closed(scan);
    assertArrayEquals(LOW, read.low());
    assertArrayEquals(HIGH, read.high());
  }

  @ParameterizedTest
  @CsvSource({"FORWARD, 0", "FORWARD, 1", "FORWARD, 2", "BACKWARD, 0", "BACKWARD, 2"})
  void aScanThatIsLeftHasReadAsFarAsItCame(ScanOrder order, int skipped) {
    TransactionScan scan = scan(order, Integer.MAX_VALUE);
    assertEquals(skipped, scan.skip(skipped));
    for (int i = skipped; i < 2; i++) {
      assertTrue(scan.next());
    }
    boolean forward = order == ScanOrder.FORWARD;
    SpaceReads.Range read = closed(scan);
    assertArrayEquals(forward ? LOW : key(178), read.low());
    assertArrayEquals(forward ? KeySpace.successor(key(21)) : HIGH, read.high());
  }

  /** The leaves of a tree, some of which are copied and the next not. */
  private static final class FailingLeaves implements LeafSource {
    private final Tree tree;
    private int left;

    FailingLeaves(Tree tree, int left) {
      this.tree = tree;
      this.left = left;
    }

    private Tree next() {
      if (left-- == 0) {
        throw new UncheckedIOException(new IOException("planted"));
      }
      return tree;
    }

    @Override
    public byte[] copyForward(
        byte[] low,
        byte[] high,
        long snapshot,
        boolean values,
        int most,
        Entries into,
        PageRead read) {
      return next().copyForward(low, high, snapshot, values, most, into, read);
    }

    @Override
    public byte[] copyBackward(
        byte[] low, byte[] high, long snapshot, boolean values, int most, Entries into) {
      return next().copyBackward(low, high, snapshot, values, most, into);
    }

    @Override
    public void prefetch(byte[] low, byte[] high, boolean values, int leaves) {
      tree.prefetch(low, high, values, leaves);
    }

    @Override
    public Entries newEntries() {
      return tree.newEntries();
    }
  }

  private TransactionScan scan(ScanOrder order, int leaves) {
    return scan(order, new FailingLeaves(store.forest.bytes(EXTERNAL_IDS), leaves));
  }

  private TransactionScan scan(ScanOrder order, FailingLeaves leaves) {
    LeafScan leaf =
        new LeafScan(
            PerThread.of(ReadBuffers::new),
            leaves,
            LOW,
            HIGH,
            claim.snapshot(),
            claim,
            true,
            order,
            4,
            leaves.newEntries());
    MergingScan base = new MergingScan(new LeafScan[] {leaf}, order);
    return new TransactionScan(
        transaction, EXTERNAL_IDS, LOW, HIGH, order, base, transaction.writtenBy(), false);
  }

  private static SpaceReads.Range closed(TransactionScan scan) {
    ReadSet reads = new ReadSet();
    scan.close(reads);
    List<SpaceReads.Range> ranges = reads.spaces().get(0).ranges();
    assertEquals(1, ranges.size());
    return ranges.get(0);
  }

  private static byte[] key(int number) {
    return new byte[] {'k', (byte) (number >> 8), (byte) number};
  }
}
