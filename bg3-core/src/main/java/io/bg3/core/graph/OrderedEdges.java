package io.bg3.core.graph;

import io.bg3.core.record.EdgeId;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.record.LinkState;
import io.bg3.core.record.OrderedEntry;
import io.bg3.core.transaction.Transaction;
import io.bg3.storage.format.CorruptionException;
import java.util.List;

/**
 * The edges of one transaction whose labels are ordered.
 *
 * <ul>
 *   <li>G6: a visible edge has one entry in the order, which holds its record; its out-entry says
 *       where that is. A hidden edge has its record in the out-entry, and no other entry.
 *   <li>G7: totals and counters are of the visible edges.
 * </ul>
 *
 * <p>All entries that an operation changes are those of one source, but for the in-entry of an edge
 * that is not loose.
 */
final class OrderedEdges {
  private static final byte[] NOTHING = {};

  private final Transaction transaction;
  private final Vertices vertices;
  private final EdgeCounts counts;

  OrderedEdges(Transaction transaction, Vertices vertices, EdgeCounts counts) {
    this.transaction = transaction;
    this.vertices = vertices;
    this.counts = counts;
  }

  /** The out-entry of an edge, null if there is none. */
  OrderedEntry entry(EdgeId edge) {
    return OrderedEntry.decode(
        transaction.edgeValue(
            edge.source(), EdgeTags.out(edge.label()), edge.target(), edge.sequence()));
  }

  /** The bytes of an edge's record, which has its sort key not in it. */
  byte[] record(EdgeLabel label, EdgeId edge, OrderedEntry entry) {
    if (entry.isHidden()) {
      return entry.record();
    }
    byte[] record =
        transaction.edgeValue(
            edge.source(),
            EdgeTags.index(label.code()),
            label.sorted(entry.sortKey()),
            edge.target(),
            edge.sequence());
    if (record == null) {
      throw withoutRecord(edge, entry.sortKey());
    }
    return record;
  }

  /** The exception for an edge whose entry in the order is not where its out-entry says. */
  static CorruptionException withoutRecord(EdgeId edge, long sortKey) {
    return new CorruptionException("edge " + edge, 0, "an entry at sort key " + sortKey, "none");
  }

  /**
   * Writes an edge, in place of the one there.
   *
   * @param record without the sort key and, if there is an edge already, without a user's id: that
   *     is kept
   * @throws MissingElementException if the edge becomes visible, is not loose and an end does not
   *     exist
   */
  LinkState put(EdgeLabel label, EdgeId edge, long sortKey, boolean visible, byte[] record) {
    OrderedEntry old = entry(edge);
    boolean named = old != null && old.isNamed();
    byte[] kept = named ? EdgeRecord.withIdOf(record(label, edge, old), record) : record;
    return put(label, edge, sortKey, visible, kept, named, old);
  }

  /** Writes an edge with all of its record, in place of the one with this out-entry or of none. */
  LinkState put(
      EdgeLabel label,
      EdgeId edge,
      long sortKey,
      boolean visible,
      byte[] record,
      boolean named,
      OrderedEntry old) {
    LinkState before = OrderedEntry.state(old);
    boolean wasVisible = before == LinkState.VISIBLE;
    if (visible && !wasVisible && !label.isLoose()) {
      vertices.require(edge.source());
      vertices.require(edge.target());
    }
    if (old == null) {
      putNew(label, edge, sortKey, visible, record, named);
    } else {
      replace(label, edge, sortKey, visible, record, named, old);
    }
    if (visible != wasVisible) {
      counts.add(edge.source(), edge.label(), label, visible ? 1 : -1);
    }
    return before;
  }

  /** Writes the entries of an edge that has none. */
  private void putNew(
      EdgeLabel label, EdgeId edge, long sortKey, boolean visible, byte[] record, boolean named) {
    if (!visible) {
      putNewOut(edge, OrderedEntry.hidden(sortKey, named, record));
      return;
    }
    putNewOut(edge, OrderedEntry.visible(sortKey, named));
    transaction.putNewEdge(
        edge.source(),
        EdgeTags.index(label.code()),
        label.sorted(sortKey),
        edge.target(),
        edge.sequence(),
        record);
    if (!label.isLoose()) {
      transaction.putNewEdge(
          edge.target(),
          EdgeTags.in(edge.label()),
          edge.source(),
          edge.sequence(),
          named ? EdgeRecord.topology(record) : NOTHING);
    }
  }

  /** Writes the entries of an edge that has others, and takes away those that it has no more. */
  private void replace(
      EdgeLabel label,
      EdgeId edge,
      long sortKey,
      boolean visible,
      byte[] record,
      boolean named,
      OrderedEntry old) {
    boolean wasVisible = !old.isHidden();
    if (wasVisible && (!visible || old.sortKey() != sortKey)) {
      deleteFromOrder(label, edge, old.sortKey());
    }
    if (visible) {
      transaction.putEdge(
          edge.source(),
          EdgeTags.index(label.code()),
          label.sorted(sortKey),
          edge.target(),
          edge.sequence(),
          record);
      if (!wasVisible || old.sortKey() != sortKey || label.hasTtl()) {
        putOut(edge, OrderedEntry.visible(sortKey, named));
      }
    } else {
      putOut(edge, OrderedEntry.hidden(sortKey, named, record));
    }
    boolean renews = visible && label.hasTtl(); // all entries, so that they expire together
    if ((visible != wasVisible || renews) && !label.isLoose()) {
      changeIn(edge, visible, named ? EdgeRecord.topology(record) : NOTHING);
    }
  }

  /**
   * Writes links with loose labels that are in the order of their keys and of which no two have one
   * key.
   */
  void putAll(List<LinkBatch.Entry> links) {
    new BulkLinks(transaction, this, counts).put(links);
  }

  /** Takes a visible edge out of the order and keeps it. */
  LinkState hide(EdgeLabel label, EdgeId edge) {
    OrderedEntry old = entry(edge);
    LinkState before = OrderedEntry.state(old);
    if (before == LinkState.VISIBLE) {
      byte[] record = record(label, edge, old);
      put(label, edge, old.sortKey(), false, record, old.isNamed(), old);
    }
    return before;
  }

  /**
   * Removes an edge, visible or hidden.
   *
   * @param old its out-entry, not null
   */
  void remove(EdgeLabel label, EdgeId edge, OrderedEntry old) {
    if (!old.isHidden()) {
      deleteFromOrder(label, edge, old.sortKey());
      if (!label.isLoose()) {
        changeIn(edge, false, NOTHING);
      }
      counts.add(edge.source(), edge.label(), label, -1);
    }
    transaction.deleteEdge(
        edge.source(), EdgeTags.out(edge.label()), edge.target(), edge.sequence());
  }

  private void deleteFromOrder(EdgeLabel label, EdgeId edge, long sortKey) {
    transaction.deleteEdge(
        edge.source(),
        EdgeTags.index(label.code()),
        label.sorted(sortKey),
        edge.target(),
        edge.sequence());
  }

  /** Writes the out-entry of an edge. */
  void putOut(EdgeId edge, byte[] value) {
    transaction.putEdge(
        edge.source(), EdgeTags.out(edge.label()), edge.target(), edge.sequence(), value);
  }

  /** Writes the out-entry of an edge that has none. */
  void putNewOut(EdgeId edge, byte[] value) {
    transaction.putNewEdge(
        edge.source(), EdgeTags.out(edge.label()), edge.target(), edge.sequence(), value);
  }

  private void changeIn(EdgeId edge, boolean put, byte[] value) {
    int tagLabel = EdgeTags.in(edge.label());
    if (put) {
      transaction.putEdge(edge.target(), tagLabel, edge.source(), edge.sequence(), value);
    } else {
      transaction.deleteEdge(edge.target(), tagLabel, edge.source(), edge.sequence());
    }
  }
}
