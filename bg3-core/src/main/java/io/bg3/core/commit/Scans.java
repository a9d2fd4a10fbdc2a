package io.bg3.core.commit;

import io.bg3.core.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Opens the scans of one transaction and ends them with it. Belongs to one thread. */
final class Scans {
  private final Transaction transaction;
  private final Trees trees;
  private final ReadSet reads;
  private final List<Scan> open = new ArrayList<>(2);

  /**
   * @param reads where to note what was read; null if that need not be remembered
   */
  Scans(Transaction transaction, Trees trees, ReadSet reads) {
    this.transaction = transaction;
    this.trees = trees;
    this.reads = reads;
  }

  /** Entries of a byte-key space. */
  ByteCursor bytes(int space, byte[] low, byte[] high, Order order) {
    LeafScan leaves = leaves(() -> trees.ofSpace(space), low, high, true, order);
    return new ByteScanCursor(this, open(space, low, high, order, leaves));
  }

  /** Edges of one owner. */
  EdgeCursor edges(long owner, byte[] low, byte[] high, boolean values, Order order) {
    LeafScan leaves = leaves(() -> trees.ofOwner(owner), low, high, values, order);
    Scan scan = open(KeySpace.EDGES, low, high, order, leaves);
    return new EdgeScanCursor(this, scan, EdgeScanCursor.ANY_TAG, values);
  }

  /** Edges of all owners with one tag. */
  EdgeCursor allEdges(int tag, boolean values) {
    List<Tree> all = trees.ofAllEdges();
    LeafScan[] each = new LeafScan[all.size()];
    for (int i = 0; i < each.length; i++) {
      Tree tree = all.get(i);
      each[i] = leaves(() -> tree, null, null, values, Order.FORWARD);
    }
    Scan scan = open(KeySpace.EDGES, null, null, Order.FORWARD, each);
    return new EdgeScanCursor(this, scan, tag, values);
  }

  private LeafScan leaves(
      Supplier<Tree> route, byte[] low, byte[] high, boolean values, Order order) {
    return new LeafScan(route, low, high, transaction, values, order, route.get().newEntries());
  }

  private Scan open(int space, byte[] low, byte[] high, Order order, LeafScan... leaves) {
    BaseScan base = new BaseScan(leaves, order);
    Scan scan = new Scan(transaction, space, low, high, order, base);
    open.add(scan);
    return scan;
  }

  /** Ends a scan. */
  void close(Scan scan) {
    if (!scan.isClosed()) {
      scan.close(reads);
      open.remove(scan);
    }
  }

  /** Ends all scans. */
  void close() {
    for (Scan scan : open) {
      scan.close(reads);
    }
    open.clear();
  }
}
