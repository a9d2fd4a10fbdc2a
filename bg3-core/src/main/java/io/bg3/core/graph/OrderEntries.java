package io.bg3.core.graph;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.record.PropertyCell;
import io.bg3.core.transaction.Transaction;
import java.util.HashMap;
import java.util.Map;

/**
 * The entries that one transaction writes in the orders of labels which have become ordered when
 * they had edges (R49): for each edge that it has changed, the one that the edge has now is
 * written, and the one that it had before is removed if it stood elsewhere. The edges that it has
 * changed are those whose out-entries it has written, by whatever means.
 *
 * <p>They are written before the transaction reads from an order and before it commits; what was
 * written before and has become wrong since is removed.
 *
 * <p>Belongs to one transaction.
 */
final class OrderEntries {
  private final Transaction transaction;
  private final EdgeLabels labels;

  /** The sort keys at which it has put entries. */
  private Map<EdgeId, Long> made = Map.of(); // as a rule there is nothing

  /** How often the transaction had written when its edges were last looked at. */
  private long seen;

  /** The version of the orders with which they were looked at. */
  private long with;

  OrderEntries(Transaction transaction, EdgeLabels labels) {
    this.transaction = transaction;
    this.labels = labels;
    this.with = labels.orders();
  }

  /** Writes the entries of the edges that have changed since the last call. */
  void flush() {
    look(false);
  }

  /**
   * Writes the entries of all edges that have changed, in all orders that there are now; behind the
   * last change.
   *
   * @throws SchemaViolationException if an edge lacks the sort key
   */
  void require() {
    look(true);
  }

  private void look(boolean requires) {
    long now = labels.orders();
    boolean again = requires || now != with;
    if (!transaction.hasEdgesSince(again ? 0 : seen)) {
      return;
    }
    if (labels.hasAdded()) {
      for (byte[] key : transaction.edgesSince(again ? 0 : seen)) {
        int tagLabel = EdgeKey.tagLabel(key);
        EdgeLabel label =
            EdgeTags.tag(tagLabel) == EdgeTags.OUT ? labels.of(EdgeTags.label(tagLabel)) : null;
        AddedOrder added = label == null ? null : label.added();
        if (added != null) {
          write(label, added, key, requires);
        }
      }
    }
    seen = transaction.writesSoFar(); // the entries that it has just written among them
    with = now;
    transaction.orderedAt(now);
  }

  /** Writes the entries of the edge with an out-entry that was written. */
  private void write(EdgeLabel label, AddedOrder added, byte[] key, boolean requires) {
    EdgeId edge = Edges.ofEntry(key);
    EdgeRecord record = null;
    Long sortKey = null;
    if (transaction.putsEdge(key)) {
      record = EdgeRecord.decode(out(edge));
      sortKey = sortKey(record, added);
      if (sortKey == null && requires) {
        throw new SchemaViolationException(problem(label, edge, record));
      }
    }
    if (!added.isKept()) {
      return;
    }
    byte[] old = transaction.edgeBefore(key);
    Long before = old == null ? null : sortKey(EdgeRecord.decode(old), added);
    Long earlier = made.get(edge);
    if (before != null && !before.equals(sortKey)) {
      remove(label, edge, before);
    }
    if (earlier != null && !earlier.equals(sortKey) && !earlier.equals(before)) {
      remove(label, edge, earlier);
    }
    if (sortKey != null) {
      made = made.isEmpty() ? new HashMap<>() : made;
      made.put(edge, sortKey); // first: what is noted and not written is removed in vain
      put(transaction, label, edge, sortKey, record, added);
    } else if (earlier != null) {
      made.remove(edge);
    }
  }

  private byte[] out(EdgeId edge) {
    return transaction.edgeValue(
        edge.source(), EdgeTags.out(edge.label()), edge.target(), edge.sequence());
  }

  /** The sort key of an edge; null if it has none that is a long. */
  static Long sortKey(EdgeRecord record, AddedOrder added) {
    PropertyCell cell = record.property(added.sortKeyCode());
    return cell != null && cell.value() instanceof Long sortKey ? sortKey : null;
  }

  /** The fault of an edge that has no sort key. */
  static String problem(EdgeLabel label, EdgeId edge, EdgeRecord record) {
    PropertyCell cell = record.property(label.sortKeyCode());
    return "the label is ordered by a property that must be a long: label="
        + label.name()
        + ", edge="
        + RuleChecks.name(edge, record)
        + ", property="
        + label.form().sortKey()
        + ", found="
        + (cell == null ? "none" : cell.value().getClass().getSimpleName());
  }

  /**
   * Writes the entry of an edge in its order.
   *
   * @param record all of it; loses its sort key
   */
  static void put(
      Transaction transaction,
      EdgeLabel label,
      EdgeId edge,
      long sortKey,
      EdgeRecord record,
      AddedOrder added) {
    record.remove(added.sortKeyCode());
    transaction.putEdge(
        edge.source(),
        EdgeTags.index(edge.label()),
        label.sorted(sortKey),
        edge.target(),
        edge.sequence(),
        record.encode());
  }

  private void remove(EdgeLabel label, EdgeId edge, long sortKey) {
    transaction.deleteEdge(
        edge.source(),
        EdgeTags.index(edge.label()),
        label.sorted(sortKey),
        edge.target(),
        edge.sequence());
  }
}
