package io.bg3.core.graph;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.transaction.EdgeCursor;
import io.bg3.core.transaction.Transaction;

/**
 * The entries in the order of a label that has become ordered when it had edges, without those that
 * are wrong by now: while the cursor is open, its transaction may remove an edge or change it, and
 * writes the entries of that later ({@link OrderEntries}). An edge that stays in its place has its
 * newest record.
 *
 * <p>Threads: those of the cursor that it reads.
 */
final class AddedOrderCursor implements EdgeCursor {
  private final EdgeCursor entries;
  private final Transaction transaction;
  private final EdgeLabel label;
  private byte[] changed; // the value of the current entry; null if it is as it was

  private AddedOrderCursor(EdgeCursor entries, Transaction transaction, EdgeLabel label) {
    this.entries = entries;
    this.transaction = transaction;
    this.label = label;
  }

  /** A cursor over the order of a label, which may have been there before its first edge. */
  static EdgeCursor of(EdgeCursor entries, Transaction transaction, EdgeLabel label) {
    return label.isOrdered() ? entries : new AddedOrderCursor(entries, transaction, label);
  }

  @Override
  public boolean next() {
    while (entries.next()) {
      if (isCurrent()) {
        return true;
      }
    }
    return false;
  }

  private boolean isCurrent() {
    changed = null;
    if (!transaction.hasEdgesSince(0)) {
      return true;
    }
    int tagLabel = EdgeTags.out(label.code());
    byte[] key = EdgeKey.encode(owner(), tagLabel, other(), sequence());
    if (!transaction.writesEdge(key)) {
      return true;
    }
    if (!transaction.putsEdge(key)) {
      return false;
    }
    EdgeRecord record =
        EdgeRecord.decode(transaction.edgeValue(owner(), tagLabel, other(), sequence()));
    Long sortKey = OrderEntries.sortKey(record, label.added());
    if (sortKey == null || label.sorted(sortKey) != sortKey()) {
      return false;
    }
    record.remove(label.sortKeyCode());
    changed = record.encode();
    return true;
  }

  @Override
  public long owner() {
    return entries.owner();
  }

  @Override
  public int tagLabel() {
    return entries.tagLabel();
  }

  @Override
  public long sortKey() {
    return entries.sortKey();
  }

  @Override
  public long other() {
    return entries.other();
  }

  @Override
  public int sequence() {
    return entries.sequence();
  }

  @Override
  public byte[] value() {
    return changed == null ? entries.value() : changed;
  }

  @Override
  public boolean isRemoved() {
    return entries.isRemoved();
  }

  @Override
  public void close() {
    entries.close();
  }
}
