package io.bg3.core.graph;

import io.bg3.core.record.EdgeId;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.record.LinkState;
import io.bg3.core.record.OrderedEntry;

/**
 * The edges of one transaction as links: each is named by its source, label and target, and is
 * written in place of the one there. Where the label was declared ordered, the entries in its order
 * hold the records ({@link OrderedEdges}); where it became ordered when it had edges, a link is an
 * edge like any other.
 */
final class EdgeLinks {
  private final Vertices vertices;
  private final Edges edges;
  private final GraphRemovals removals;

  EdgeLinks(Vertices vertices, Edges edges, GraphRemovals removals) {
    this.vertices = vertices;
    this.edges = edges;
    this.removals = removals;
  }

  /**
   * Writes a link in place of the one there; {@link Links#put} says what is thrown.
   *
   * @param record without the sort key and a user's id
   */
  LinkState put(EdgeLabel label, EdgeId edge, long sortKey, boolean visible, byte[] record) {
    if (label.isOrdered()) {
      return edges.ordered().put(label, edge, sortKey, visible, record);
    }
    if (!visible) {
      throw unhidden(label);
    }
    return putAdded(label, edge, sortKey, record);
  }

  /**
   * Writes a link whose label has become ordered when it had edges, in place of the one there.
   *
   * @param bytes its record without the sort key and a user's id
   */
  private LinkState putAdded(EdgeLabel label, EdgeId edge, long sortKey, byte[] bytes) {
    EdgeRecord old = edges.record(edge);
    EdgeRecord record = new EdgeRecord(old == null ? null : old.userId());
    record.withSortKey(label.sortKeyCode(), sortKey);
    EdgeRecord.decode(bytes).properties().forEach(record::set);
    if (old != null) {
      edges.put(edge, record);
      return LinkState.VISIBLE;
    }
    boolean loose = label.isLoose();
    if (!loose) {
      vertices.require(edge.source());
      vertices.require(edge.target());
    }
    edges.putNew(edge, record, loose);
    edges.counts().add(edge.source(), edge.label(), label, 1);
    return LinkState.ABSENT;
  }

  /** Hides a visible link. */
  LinkState hide(EdgeLabel label, EdgeId edge) {
    if (label.isOrdered()) {
      return edges.ordered().hide(label, edge);
    }
    throw unhidden(label);
  }

  private static IllegalArgumentException unhidden(EdgeLabel label) {
    return new IllegalArgumentException(
        "a label that became ordered when it had edges has no hidden links: label=" + label.name());
  }

  /** Removes a link, visible or hidden; returns what it was. */
  LinkState expunge(EdgeLabel label, EdgeId edge) {
    if (label.isOrdered()) {
      OrderedEntry entry = edges.ordered().entry(edge);
      if (entry != null) {
        removals.remove(label, edge, entry);
      }
      return OrderedEntry.state(entry);
    }
    EdgeRecord record = edges.record(edge);
    if (record == null) {
      return LinkState.ABSENT;
    }
    removals.remove(edge, record.userId());
    return LinkState.VISIBLE;
  }

  /** Reads a link, visible or hidden, into an object; null if there is none. */
  Link read(EdgeLabel label, EdgeId edge, Link into) {
    if (label.isOrdered()) {
      OrderedEntry entry = edges.ordered().entry(edge);
      return entry == null
          ? null
          : into.set(
              edge.source(),
              edge.target(),
              entry.sortKey(),
              !entry.isHidden(),
              edges.ordered().record(label, edge, entry));
    }
    EdgeRecord record = edges.record(edge);
    if (record == null) {
      return null;
    }
    Long sortKey = OrderEntries.sortKey(record, label.added());
    if (sortKey == null) { // it was so before the label became ordered, or is so until the commit
      throw new SchemaViolationException(OrderEntries.problem(label, edge, record));
    }
    record.remove(label.sortKeyCode());
    return into.set(edge.source(), edge.target(), sortKey, true, record.encode());
  }
}
