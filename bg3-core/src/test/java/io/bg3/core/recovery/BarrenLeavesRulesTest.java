package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.Horizon;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.transaction.EdgeCursor;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.transaction.TransactionManager;
import io.bg3.core.tree.ReadTally;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Twin;
import java.io.IOException;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

/** Leaves of which all entries were removed, beside scans, snapshots, checkpoints and crashes. */
class BarrenLeavesRulesTest {
  private static final long OWNER = 5;
  private static final int EDGES = 3_000; // some inner pages of leaves
  private static final int REMOVED_FROM = 100;
  private static final int REMOVED_TO = 2_900;

  /** Edges of about one and a half leaf. */
  private static final int RUN = 44;

  /** A store in whose checkpoint there are edges that were removed since. */
  private static final class Store extends ModelledStore {
    Store() throws IOException {
      super(new EdgeModel(), 3);
      fill(OWNER, EDGES);
      opened.checkpoint();
    }

    void remove() {
      remove(edge -> true);
    }

    /** Removes edges in small commits, so that their leaves are not consolidated at the end. */
    void remove(IntPredicate which) {
      for (int i = REMOVED_FROM; i < REMOVED_TO; i++) {
        int other = i;
        if (which.test(other)) {
          opened.commit(transaction -> model.remove(transaction, OWNER, other));
        }
      }
    }

    /** Reads all edges, and says how many leaves that took. */
    long leavesOfScan(ScanOrder order) {
      long before = ReadTally.ofThread().counts().pages();
      try (Transaction reader = reader();
          EdgeCursor edges =
              reader.edges(OWNER, EdgeModel.TAG_LABEL, EdgeModel.TAG_LABEL, true, order)) {
        while (edges.next()) {}
      }
      return ReadTally.ofThread().counts().pages() - before;
    }

    @Override
    void compare(String at) {
      super.compare(at);
      assertNull(RowRulesTest.wrongUsage(opened), at);
    }
  }

  @RuleTest(
      rule = 55,
      twins =
          @Twin(
              name = "a leaf in which a scan has found nothing is not noticed",
              in = "io.bg3.core.tree.RoutedReads",
              method = "noticeIfBarren",
              without = "BarrenLeaves.notice"))
  void aScanFindsNoLeafThatAnotherHasFoundBarren() throws Exception {
    for (ScanOrder order : ScanOrder.values()) {
      Store store = new Store();
      long all = store.leavesOfScan(order);
      store.remove();
      long barren = store.leavesOfScan(order);
      assertTrue(barren > all / 2, "the removals have left few leaves: " + barren + " of " + all);
      store.opened.removeBarrenLeaves();
      long left = store.leavesOfScan(order);
      assertTrue(left < all / 3, "leaves that were removed: " + left + " of " + all);
      store.compare(order + ", removed");
      store.opened.checkpoint();
      store.compare(order + ", checkpoint");
      store.crash();
      store.compare(order + ", opened");
      store.opened.abandon();
    }
  }

  /** The first child of an inner page that has other children stays, empty. */
  @Test
  void aBarrenLeafThatCannotGoIsStoredWithoutEntries() throws Exception {
    for (int run = 0; run < 2 * RUN; run += RUN / 2) {
      int first = run;
      Store store = new Store();
      store.remove(edge -> (edge + first) % (2 * RUN) < RUN);
      store.leavesOfScan(ScanOrder.FORWARD);
      store.opened.removeBarrenLeaves();
      store.opened.checkpoint();
      store.crash();
      store.compare("opened, from " + first);
      store.opened.abandon();
    }
  }

  @RuleTest(
      rule = 55,
      twins =
          @Twin(
              name = "a leaf goes though a snapshot reads what was removed from it",
              in = "io.bg3.core.transaction.BarrenLeafRemover",
              method = "removeSome",
              without = "TransactionManager.horizon",
              instead = "ofNobody"))
  void aLeafThatASnapshotReadsStays() throws Exception {
    Store store = new Store();
    EdgeModel then = store.model.copy();
    try (Transaction old = store.reader()) {
      store.remove();
      store.leavesOfScan(ScanOrder.FORWARD);
      store.opened.removeBarrenLeaves();
      then.compare(old, "snapshot");
      store.compare("beside the snapshot");
    }
    long barren = store.leavesOfScan(ScanOrder.FORWARD);
    store.opened.removeBarrenLeaves();
    long left = store.leavesOfScan(ScanOrder.FORWARD);
    assertTrue(left < barren / 2, left + " of " + barren + " leaves behind the snapshot");
    store.compare("behind the snapshot");
    store.opened.abandon();
  }

  /** In place of a horizon that keeps what snapshots read. */
  static Horizon ofNobody(TransactionManager manager) {
    return Horizon.at(manager.horizon().cut());
  }

  @Test
  void theCrashBeforeTheCheckpointFindsTheLog() throws Exception {
    Store store = new Store();
    store.remove();
    store.leavesOfScan(ScanOrder.FORWARD);
    store.opened.removeBarrenLeaves();
    store.crash();
    store.compare("opened");
    store.opened.abandon();
  }

  @Test
  void aLeafThatIsWrittenToBeforeItGoesStays() throws Exception {
    Store store = new Store();
    store.remove();
    store.leavesOfScan(ScanOrder.FORWARD);
    for (int i = REMOVED_FROM; i < REMOVED_TO; i += 3) {
      int other = i;
      store.opened.commit(
          transaction -> store.model.put(transaction, OWNER, other, new byte[] {1}));
    }
    store.opened.removeBarrenLeaves();
    store.compare("written to");
    store.opened.checkpoint();
    store.crash();
    store.compare("opened");
    store.opened.abandon();
  }
}
