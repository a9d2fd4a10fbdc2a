package io.bg3.core.commit;

import io.bg3.core.page.EdgeKey;
import io.bg3.core.page.Entries;
import io.bg3.core.tree.Neighbours;
import io.bg3.core.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Opens the scans of one transaction and ends them with it. Belongs to one thread. */
final class Scans {
  private static final int ALL = Integer.MAX_VALUE;
  private static final int SPARES = 4;

  /** Entries of the last page copied, above which columns are not worth keeping. */
  private static final int MOST_SPARE = 4_096;

  private final Transaction transaction;
  private final Trees trees;
  private final ReadSet reads;
  private final List<Scan> open = new ArrayList<>(2);

  /** Columns of scans that have ended, for the next ones: of edges, and of byte keys. */
  private final List<Entries> spareEdges = new ArrayList<>(2);

  private final List<Entries> spareBytes = new ArrayList<>(2);

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
    LeafScan leaves = leaves(() -> trees.ofSpace(space), low, high, true, order, ALL, spareBytes);
    return new ByteScanCursor(this, open(space, low, high, order, leaves));
  }

  /** Edges of one owner. */
  EdgeCursor edges(long owner, byte[] low, byte[] high, boolean values, Order order) {
    return edges(owner, low, high, values, order, ALL);
  }

  /** The first edges of one owner, about {@code most} of them; more come all the same. */
  EdgeCursor edges(long owner, byte[] low, byte[] high, boolean values, Order order, int most) {
    LeafScan leaves =
        leaves(() -> trees.ofOwner(owner), low, high, values, order, most, spareEdges);
    Scan scan = open(KeySpace.EDGES, low, high, order, leaves);
    return new EdgeScanCursor(this, scan, EdgeScanCursor.ANY_TAG, values);
  }

  /** Edges of all owners with one tag. */
  EdgeCursor allEdges(int tag, boolean values) {
    List<Tree> all = trees.ofAllEdges();
    LeafScan[] each = new LeafScan[all.size()];
    for (int i = 0; i < each.length; i++) {
      Tree tree = all.get(i);
      each[i] = leaves(() -> tree, null, null, values, Order.FORWARD, ALL, List.of());
    }
    Scan scan = open(KeySpace.EDGES, null, null, Order.FORWARD, each);
    return new EdgeScanCursor(this, scan, tag, values);
  }

  /** Neighbours of some owners; from cursors where this transaction has written edges itself. */
  void neighbours(long[] owners, int from, int to, int tagLabel, int limit, Neighbours into) {
    if (transaction.writes().space(KeySpace.EDGES) != null) {
      for (int i = from; i < to; i++) {
        addNeighbours(owners[i], tagLabel, limit, into);
      }
      return;
    }
    if (reads != null) {
      for (int i = from; i < to; i++) {
        byte[] low = EdgeKey.prefix(owners[i], tagLabel);
        reads.addRange(KeySpace.EDGES, low, EdgeKey.after(low));
      }
    }
    trees
        .neighbourReader()
        .read(trees, owners, from, to, tagLabel, transaction.snapshot(), limit, into);
  }

  private void addNeighbours(long owner, int tagLabel, int limit, Neighbours into) {
    byte[] low = EdgeKey.prefix(owner, tagLabel);
    try (EdgeCursor cursor = edges(owner, low, EdgeKey.after(low), false, Order.FORWARD)) {
      for (int i = 0; i < limit && cursor.next(); i++) {
        into.add(cursor.other());
      }
    }
    into.endVertex();
  }

  private LeafScan leaves(
      Supplier<Tree> route,
      byte[] low,
      byte[] high,
      boolean values,
      Order order,
      int most,
      List<Entries> spare) {
    Entries page = spare.isEmpty() ? route.get().newEntries() : spare.remove(spare.size() - 1);
    int wanted = most > LeafScan.LARGE ? ALL : most;
    return new LeafScan(route, low, high, transaction, values, order, wanted, page);
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
      open.remove(scan);
      Entries columns = scan.close(reads);
      List<Entries> spare = scan.space() == KeySpace.EDGES ? spareEdges : spareBytes;
      if (columns != null && columns.count() <= MOST_SPARE && spare.size() < SPARES) {
        spare.add(columns);
      }
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
