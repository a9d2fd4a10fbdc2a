package io.bg3.core.transaction;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Entries;
import io.bg3.core.keyspace.KeySpace;
import io.bg3.core.keyspace.LeafScan;
import io.bg3.core.keyspace.MergingScan;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.keyspace.Trees;
import io.bg3.core.snapshot.SnapshotClaim;
import io.bg3.core.tree.LeafSource;
import io.bg3.core.tree.Neighbours;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Opens the scans of one transaction and ends them with it. Belongs to one thread. */
final class TransactionScans {
  private static final int ALL = Integer.MAX_VALUE;

  private final Transaction transaction;
  private final Trees trees;
  private final SnapshotClaim claim;
  private final ReadSet reads;
  private final List<TransactionScan> open = new ArrayList<>(0);

  /**
   * @param reads where to note what was read; null if that need not be remembered
   */
  TransactionScans(Transaction transaction, Trees trees, SnapshotClaim claim, ReadSet reads) {
    this.transaction = transaction;
    this.trees = trees;
    this.claim = claim;
    this.reads = reads;
  }

  /** Entries of a byte-key space. */
  ByteCursor bytes(int space, byte[] low, byte[] high, ScanOrder order) {
    return bytes(space, low, high, order, transaction.writes().now());
  }

  /**
   * Entries of a byte-key space.
   *
   * @param written keys that the transaction has put later than at this moment are not shown
   */
  ByteCursor bytes(int space, byte[] low, byte[] high, ScanOrder order, long written) {
    LeafScan leaves = leaves(space, trees.ofSpace(space), low, high, true, order, ALL);
    return new ByteScanCursor(this, open(space, low, high, order, written, false, leaves));
  }

  /** All entries of a byte-key space, in a steady cursor. */
  ByteCursor steadyBytes(int space) {
    LeafScan leaves = leaves(space, trees.ofSpace(space), null, null, true, ScanOrder.FORWARD, ALL);
    long now = transaction.writes().keepNow();
    return new ByteScanCursor(this, open(space, null, null, ScanOrder.FORWARD, now, true, leaves));
  }

  /** Edges of one owner. */
  EdgeCursor edges(long owner, byte[] low, byte[] high, boolean values, ScanOrder order) {
    return edges(owner, low, high, values, order, ALL);
  }

  /** The first edges of one owner, about {@code most} of them; more come all the same. */
  EdgeCursor edges(long owner, byte[] low, byte[] high, boolean values, ScanOrder order, int most) {
    LeafScan leaves =
        leaves(KeySpace.EDGES, trees.edges().leaves(owner), low, high, values, order, most);
    TransactionScan scan = open(KeySpace.EDGES, low, high, order, leaves);
    return new EdgeScanCursor(this, scan, EdgeScanCursor.ANY_TAG, values);
  }

  /**
   * Edges of one owner, in a steady cursor.
   *
   * @param kept the moment as of which they are shown, at which {@link WriteSet#keepNow} was called
   */
  EdgeCursor steadyEdges(long owner, byte[] low, byte[] high, boolean values, long kept) {
    LeafScan leaves =
        leaves(
            KeySpace.EDGES, trees.edges().leaves(owner), low, high, values, ScanOrder.FORWARD, ALL);
    TransactionScan scan = open(KeySpace.EDGES, low, high, ScanOrder.FORWARD, kept, true, leaves);
    return new EdgeScanCursor(this, scan, EdgeScanCursor.ANY_TAG, values);
  }

  /** Edges of all owners with one tag, from a key on. */
  EdgeCursor allEdges(int tag, byte[] from, boolean values) {
    long now = transaction.writes().now();
    return edges(trees.allEdges(), tag, from, values, now, false);
  }

  /** Edges of all owners, in a steady cursor. */
  EdgeCursor steadyEdges(boolean values) {
    long now = transaction.writes().keepNow();
    return edges(trees.allEdges(), EdgeScanCursor.ANY_TAG, null, values, now, true);
  }

  /** Edges of all owners that are in trees of some families, and own writes of any. */
  EdgeCursor edgesOf(BitSet families) {
    long now = transaction.writes().now();
    return edges(trees.edgesOf(families), EdgeScanCursor.ANY_TAG, null, false, now, false);
  }

  private EdgeCursor edges(
      List<LeafSource> sources,
      int tag,
      byte[] from,
      boolean values,
      long written,
      boolean steady) {
    LeafScan[] each = new LeafScan[sources.size()];
    for (int i = 0; i < each.length; i++) {
      each[i] = leaves(KeySpace.EDGES, sources.get(i), from, null, values, ScanOrder.FORWARD, ALL);
    }
    TransactionScan scan =
        open(KeySpace.EDGES, from, null, ScanOrder.FORWARD, written, steady, each);
    return new EdgeScanCursor(this, scan, tag, values);
  }

  /** Neighbours of some owners; from cursors where this transaction has written edges itself. */
  void neighbours(long[] owners, int from, int to, int tagLabel, int limit, Neighbours into) {
    if (transaction.writes().space(KeySpace.EDGES) != null) {
      trees.prefetch(KeySpace.EDGES, to - from, i -> EdgeKey.prefix(owners[from + i], tagLabel));
      for (int i = from; i < to; i++) {
        addNeighbours(owners[i], tagLabel, limit, into);
      }
      return;
    }
    if (reads != null) {
      reads.addOwners(owners, from, to, tagLabel);
    }
    trees
        .neighbourReader()
        .read(
            trees.ofLabel(tagLabel),
            owners,
            from,
            to,
            tagLabel,
            transaction.snapshot(),
            transaction.expiry(),
            limit,
            into);
  }

  /** Adds a range of edge entries to those that were read. */
  void reads(byte[] low, byte[] high) {
    if (reads != null) {
      reads.addRange(KeySpace.EDGES, low, high);
    }
  }

  /** Adds the edge entries of an owner with some tags and labels to those that were read. */
  void reads(long owner, int tagLabelLow, int tagLabelHigh) {
    if (reads != null) {
      reads.addOwner(owner, tagLabelLow, tagLabelHigh);
    }
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
      LeafSource source,
      byte[] low,
      byte[] high,
      boolean values,
      ScanOrder order,
      int most) {
    Entries page = trees.spares().take(space, source);
    int wanted = most > LeafScan.LARGE ? ALL : most;
    return new LeafScan(
        trees.buffers(),
        source,
        low,
        high,
        transaction.snapshot(),
        claim,
        values,
        order,
        wanted,
        page);
  }

  private TransactionScan open(
      int space, byte[] low, byte[] high, ScanOrder order, LeafScan... leaves) {
    return open(space, low, high, order, transaction.writes().now(), false, leaves);
  }

  private TransactionScan open(
      int space,
      byte[] low,
      byte[] high,
      ScanOrder order,
      long written,
      boolean steady,
      LeafScan... leaves) {
    MergingScan base = new MergingScan(leaves, order);
    TransactionScan scan =
        new TransactionScan(transaction, space, low, high, order, base, written, steady);
    open.add(scan);
    return scan;
  }

  /** Ends a scan. */
  void close(TransactionScan scan) {
    if (!scan.isClosed()) {
      open.remove(scan);
      close(scan, reads);
    }
  }

  /** Ends all scans. */
  void close() {
    for (TransactionScan scan : open) {
      close(scan, reads);
    }
    open.clear();
  }

  private void close(TransactionScan scan, ReadSet noted) {
    Entries columns = scan.close(noted);
    if (columns != null) {
      trees.spares().give(scan.space(), columns);
    }
  }
}
