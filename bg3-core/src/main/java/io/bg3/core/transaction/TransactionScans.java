package io.bg3.core.transaction;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Entries;
import io.bg3.core.keyspace.KeySpace;
import io.bg3.core.keyspace.LeafScan;
import io.bg3.core.keyspace.MergingScan;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.keyspace.Trees;
import io.bg3.core.tree.Neighbours;
import io.bg3.core.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Opens the scans of one transaction and ends them with it. Belongs to one thread. */
final class TransactionScans {
  private static final int ALL = Integer.MAX_VALUE;

  private final TransactionState transaction;
  private final PointReads lookups;
  private final Trees trees;
  private final List<TransactionScan> open = new ArrayList<>(0);

  /**
   * @param lookups reads the large values of entries that a scan shows
   */
  TransactionScans(TransactionState transaction, PointReads lookups, Trees trees) {
    this.transaction = transaction;
    this.lookups = lookups;
    this.trees = trees;
  }

  /** Entries of a byte-key space. */
  ByteCursor bytes(int space, byte[] low, byte[] high, ScanOrder order) {
    LeafScan leaves = leaves(space, () -> trees.ofSpace(space), low, high, true, order, ALL);
    return open(space, low, high, order, TransactionScan.ANY_TAG, true, leaves);
  }

  /** Edges of one owner. */
  EdgeCursor edges(long owner, byte[] low, byte[] high, boolean values, ScanOrder order) {
    return edges(owner, low, high, values, order, ALL);
  }

  /** The first edges of one owner, about {@code most} of them; more come all the same. */
  EdgeCursor edges(long owner, byte[] low, byte[] high, boolean values, ScanOrder order, int most) {
    LeafScan leaves =
        leaves(KeySpace.EDGES, () -> trees.ofOwner(owner), low, high, values, order, most);
    return open(KeySpace.EDGES, low, high, order, TransactionScan.ANY_TAG, values, leaves);
  }

  /** Edges of all owners with one tag. */
  EdgeCursor allEdges(int tag, boolean values) {
    List<Tree> all = trees.ofAllEdges();
    LeafScan[] each = new LeafScan[all.size()];
    for (int i = 0; i < each.length; i++) {
      Tree tree = all.get(i);
      each[i] = leaves(KeySpace.EDGES, () -> tree, null, null, values, ScanOrder.FORWARD, ALL);
    }
    return open(KeySpace.EDGES, null, null, ScanOrder.FORWARD, tag, values, each);
  }

  /** Neighbours of some owners; from cursors where this transaction has written edges itself. */
  void neighbours(long[] owners, int from, int to, int tagLabel, int limit, Neighbours into) {
    if (transaction.writes().space(KeySpace.EDGES) != null) {
      for (int i = from; i < to; i++) {
        addNeighbours(owners[i], tagLabel, limit, into);
      }
      return;
    }
    if (transaction.remembersAll()) {
      for (int i = from; i < to; i++) {
        byte[] low = EdgeKey.prefix(owners[i], tagLabel);
        transaction.reads().addRange(KeySpace.EDGES, low, EdgeKey.after(low));
      }
    }
    trees
        .neighbourReader()
        .read(trees, owners, from, to, tagLabel, transaction.snapshot(), limit, into);
  }

  private void addNeighbours(long owner, int tagLabel, int limit, Neighbours into) {
    byte[] low = EdgeKey.prefix(owner, tagLabel);
    try (EdgeCursor cursor = edges(owner, low, EdgeKey.after(low), false, ScanOrder.FORWARD)) {
      for (int i = 0; i < limit && cursor.next(); i++) {
        into.add(cursor.other());
      }
    }
    into.endVertex();
  }

  private LeafScan leaves(
      int space,
      Supplier<Tree> route,
      byte[] low,
      byte[] high,
      boolean values,
      ScanOrder order,
      int most) {
    Entries page = trees.spares().take(space, route.get());
    int wanted = most > LeafScan.LARGE ? ALL : most;
    return new LeafScan(
        route, low, high, transaction.snapshot(), transaction.claim(), values, order, wanted, page);
  }

  private TransactionScan open(
      int space,
      byte[] low,
      byte[] high,
      ScanOrder order,
      int tag,
      boolean values,
      LeafScan... leaves) {
    TransactionScan scan =
        new TransactionScan(
            this, space, low, high, order, tag, values, new MergingScan(leaves, order));
    open.add(scan);
    return scan;
  }

  /** The transaction that scans. */
  TransactionState transaction() {
    return transaction;
  }

  /** A value that is stored apart from its entry. */
  byte[] largeValue(int space, byte[] key) {
    return lookups.applied(space, key);
  }

  /** Ends a scan. */
  void close(TransactionScan scan) {
    if (!scan.isClosed()) {
      open.remove(scan);
      end(scan);
    }
  }

  /** Ends all scans. */
  void close() {
    open.forEach(this::end);
    open.clear();
  }

  private void end(TransactionScan scan) {
    Entries columns = scan.end(transaction.remembersAll() ? transaction.reads() : null);
    if (columns != null) {
      trees.spares().give(scan.space(), columns);
    }
  }
}
