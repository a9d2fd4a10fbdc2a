package io.bg3.core.graph;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.record.LinkState;
import io.bg3.core.record.OrderedEntry;
import io.bg3.core.record.PropertyCell;
import io.bg3.core.record.ValueCodec;
import io.bg3.core.record.VertexId;
import io.bg3.core.transaction.EdgeCursor;
import io.bg3.core.transaction.Transaction;
import java.util.Map;

/**
 * The edges of one transaction.
 *
 * <ul>
 *   <li>G3: an edge has two entries with the same label and sequence, one out of its source and one
 *       into its target; both are written and removed together.
 *   <li>G4: both ends of an edge exist. Adding an edge reads that they exist; removing a vertex
 *       reads the range of all its edges. Whichever commits second has read what the first changed.
 *       A loose edge has one entry, out of its source, and needs neither end.
 *   <li>G5: an id that the user gave stands in both entries, and in EDGE_IDS under its text.
 *   <li>G8: whatever changes of an edge that has a time to live, all its entries are written, so
 *       that they expire together (R13).
 * </ul>
 */
final class Edges {
  private final Transaction transaction;
  private final Vertices vertices;
  private final EdgeLabels labels;
  private final EdgeCounts counts;
  private final OrderedEdges ordered;
  private final OrderEntries orders;

  /**
   * @param vertices null where edges are only read
   */
  Edges(Transaction transaction, Vertices vertices, EdgeLabels labels) {
    this.transaction = transaction;
    this.vertices = vertices;
    this.labels = labels;
    this.counts = new EdgeCounts(transaction, labels);
    this.ordered = new OrderedEdges(transaction, vertices, counts);
    this.orders = new OrderEntries(transaction, labels);
  }

  /** The entries in orders that labels have got when they had edges. */
  OrderEntries orders() {
    return orders;
  }

  OrderedEdges ordered() {
    return ordered;
  }

  EdgeCounts counts() {
    return counts;
  }

  /** The ranges of all edges of a vertex that go with it. */
  EdgeRanges firmRanges() {
    return EdgeRanges.ofFirm(labels);
  }

  /** Sees to it that all edges that were added or removed are counted; behind the last change. */
  void flushCounts() {
    counts.flush();
  }

  EdgeId add(long source, int label, long target, Object id, Map<Integer, byte[]> properties) {
    EdgeLabel form = labels.of(label);
    boolean loose = isLoose(label);
    if (!loose) {
      vertices.require(source);
      vertices.require(target);
    }
    if (id != null && form != null && form.hasTtl()) {
      throw new IllegalArgumentException(
          "an edge with a time to live cannot have an id of the application, because the id would"
              + " remain; add the edge without an id: label="
              + form.name()
              + ", id="
              + id);
    }
    byte[] idKey = id == null ? null : idKey(id);
    if (idKey != null && transaction.exists(TreeIds.EDGE_IDS, idKey)) {
      throw new DuplicateIdException("edge", id);
    }
    int sequence = transaction.reserveSequence(source, EdgeTags.out(label), target);
    if (form != null && form.takesLinks()) {
      while (transaction.putsEdge(source, EdgeTags.out(label), target, sequence)) { // as a link
        sequence = transaction.reserveSequence(source, EdgeTags.out(label), target);
      }
    }
    EdgeId edge = new EdgeId(source, label, target, sequence);
    EdgeRecord record = new EdgeRecord(id);
    properties.forEach((key, value) -> record.set(new PropertyCell(key, value, 0, value.length)));
    if (form != null && form.isOrdered()) {
      putOrdered(form, edge, record, null);
    } else {
      putNew(edge, record, loose);
      counts.add(source, label, form, 1);
    }
    if (idKey != null) {
      transaction.put(TreeIds.EDGE_IDS, idKey, GraphKeys.edge(edge));
    }
    return edge;
  }

  /**
   * Writes a visible edge with an ordered label.
   *
   * @param old its out-entry, null if it is new
   */
  private void putOrdered(EdgeLabel label, EdgeId edge, EdgeRecord record, OrderedEntry old) {
    long sortKey = takeSortKey(label, record);
    boolean named = record.userId() != null;
    ordered.put(label, edge, sortKey, true, record.encode(), named, old);
  }

  /**
   * The value by which an edge is ordered, which it takes out of the record.
   *
   * @throws IllegalArgumentException if the record has none that is a long
   */
  static long takeSortKey(EdgeLabel label, EdgeRecord record) {
    PropertyCell cell = record.property(label.sortKeyCode());
    Object value = cell == null ? null : cell.value();
    if (!(value instanceof Long sortKey)) {
      throw new IllegalArgumentException(
          "the label is ordered by a property that must be a long: label="
              + label.name()
              + ", property="
              + label.form().sortKey()
              + ", found="
              + (value == null ? "none" : value.getClass().getSimpleName()));
    }
    record.remove(label.sortKeyCode());
    return sortKey;
  }

  /** Writes the entries of an edge that has none and whose label is not ordered. */
  void putNew(EdgeId edge, EdgeRecord record, boolean loose) {
    int sequence = edge.sequence();
    transaction.putNewEdge(
        edge.source(), EdgeTags.out(edge.label()), edge.target(), sequence, record.encode());
    if (!loose) {
      transaction.putNewEdge(
          edge.target(),
          EdgeTags.in(edge.label()),
          edge.source(),
          sequence,
          record.encodeTopology());
    }
  }

  /**
   * The key under which an id that the user gives is kept.
   *
   * @throws IllegalArgumentException if it cannot be the id of an edge
   */
  static byte[] idKey(Object id) {
    if (id instanceof String text && EdgeId.parse(text) != null) {
      throw new IllegalArgumentException(
          "an edge id must not have the form of a generated id; choose another: id=" + id);
    }
    return GraphKeys.edgeId(VertexId.canonical(id));
  }

  /** The edge with this id, given or allocated, null if there is none. */
  EdgeId find(Object id) {
    EdgeId edge = id instanceof EdgeId known ? known : null;
    if (edge == null && id instanceof String text) {
      edge = EdgeId.parse(text);
    }
    if (edge != null) {
      return exists(edge) ? edge : null;
    }
    Object sought = VertexId.sought(id);
    byte[] value =
        sought == null ? null : transaction.get(TreeIds.EDGE_IDS, GraphKeys.edgeId(sought));
    EdgeId found = value == null ? null : GraphKeys.edgeOf(value);
    return found == null || orderedLabel(found) == null || exists(found) ? found : null;
  }

  private EdgeLabel orderedLabel(EdgeId edge) {
    return orderedLabel(edge.label());
  }

  /** The declared label with this code, null if it is not declared. */
  EdgeLabel label(int code) {
    return labels.of(code);
  }

  /** The label with this code if the entries in its order hold the records, else null. */
  EdgeLabel orderedLabel(int code) {
    EdgeLabel label = labels.of(code);
    return label != null && label.isOrdered() ? label : null;
  }

  /** Whether any label is loose. */
  boolean hasLoose() {
    for (EdgeLabel label : labels.declared()) {
      if (label.isLoose()) {
        return true;
      }
    }
    return false;
  }

  /** Whether counters have the number of a vertex's edges with this label, at the snapshot. */
  boolean isCounted(int code) {
    EdgeLabel label = labels.of(code);
    return label != null && label.isCounted(transaction.snapshot());
  }

  boolean isLoose(int code) {
    EdgeLabel label = labels.of(code);
    return label != null && label.isLoose();
  }

  /**
   * A visible edge beside one, with its source, label and target; null if there is none. In every
   * isolation the transaction commits only if nobody changes the edges between the two meanwhile.
   */
  EdgeId guardedOther(EdgeId edge) {
    boolean isOrdered = orderedLabel(edge) != null;
    try (EdgeCursor between =
        transaction.guardEdgesBetween(
            edge.source(), EdgeTags.out(edge.label()), edge.target(), isOrdered)) {
      while (between.next()) {
        boolean isVisible = !isOrdered || !OrderedEntry.decode(between.value()).isHidden();
        if (between.sequence() != edge.sequence() && isVisible) {
          return new EdgeId(edge.source(), edge.label(), edge.target(), between.sequence());
        }
      }
    }
    return null;
  }

  boolean exists(EdgeId edge) {
    if (orderedLabel(edge) != null) {
      return OrderedEntry.state(ordered.entry(edge)) == LinkState.VISIBLE;
    }
    return transaction.edgeExists(
        edge.source(), EdgeTags.out(edge.label()), edge.target(), edge.sequence());
  }

  EdgeRecord record(EdgeId edge) {
    EdgeLabel label = orderedLabel(edge);
    if (label != null) {
      OrderedEntry entry = ordered.entry(edge);
      return OrderedEntry.state(entry) == LinkState.VISIBLE
          ? EdgeRecord.decode(ordered.record(label, edge, entry))
              .withSortKey(label.sortKeyCode(), entry.sortKey())
          : null;
    }
    byte[] value =
        transaction.edgeValue(
            edge.source(), EdgeTags.out(edge.label()), edge.target(), edge.sequence());
    return value == null ? null : EdgeRecord.decode(value);
  }

  /** The record that an edge had before this transaction, null if it was not there, or hidden. */
  EdgeRecord before(EdgeId edge) {
    byte[] out = transaction.edgeBefore(underSource(edge));
    EdgeLabel label = orderedLabel(edge);
    if (label == null) {
      return out == null ? null : EdgeRecord.decode(out);
    }
    OrderedEntry entry = OrderedEntry.decode(out);
    if (OrderedEntry.state(entry) != LinkState.VISIBLE) {
      return null;
    }
    byte[] record =
        transaction.edgeBefore(
            EdgeKey.encode(
                edge.source(),
                EdgeTags.index(edge.label()),
                label.sorted(entry.sortKey()),
                edge.target(),
                edge.sequence()));
    if (record == null) {
      throw OrderedEdges.withoutRecord(edge, entry.sortKey());
    }
    return EdgeRecord.decode(record).withSortKey(label.sortKeyCode(), entry.sortKey());
  }

  /** The key of the entry of an edge under its source. */
  static byte[] underSource(EdgeId edge) {
    return EdgeKey.encode(
        edge.source(), EdgeTags.out(edge.label()), edge.target(), edge.sequence());
  }

  /** The edge whose record an entry is part of; null if it is no such entry. */
  static EdgeId ofEntry(byte[] key) {
    int tagLabel = EdgeKey.tagLabel(key);
    int tag = EdgeTags.tag(tagLabel);
    return tag == EdgeTags.OUT || tag == EdgeTags.INDEX
        ? new EdgeId(
            EdgeKey.owner(key), EdgeTags.label(tagLabel), EdgeKey.other(key), EdgeKey.sequence(key))
        : null;
  }

  /**
   * The record of an edge, also of a hidden one, which lacks its sort key; null if there is none.
   */
  EdgeRecord kept(EdgeId edge) {
    EdgeLabel label = orderedLabel(edge);
    if (label == null) {
      return record(edge);
    }
    OrderedEntry entry = ordered.entry(edge);
    return entry == null ? null : EdgeRecord.decode(ordered.record(label, edge, entry));
  }

  void setProperty(EdgeId edge, int key, Object value) {
    byte[] encoded = ValueCodec.encode(value);
    EdgeRecord record = require(edge);
    record.set(new PropertyCell(key, encoded, 0, encoded.length));
    put(edge, record);
  }

  boolean removeProperty(EdgeId edge, int key) {
    EdgeLabel label = orderedLabel(edge);
    if (label != null && label.sortKeyCode() == key) {
      throw new IllegalArgumentException(
          "the property by which edges are ordered cannot be removed: edge="
              + edge
              + ", property="
              + label.form().sortKey());
    }
    EdgeRecord record = record(edge);
    if (record == null || !record.remove(key)) {
      return false;
    }
    put(edge, record);
    return true;
  }

  /** The record of an edge; throws MissingElementException if it does not exist. */
  EdgeRecord require(EdgeId edge) {
    EdgeRecord record = record(edge);
    if (record == null) {
      throw new MissingElementException("edge", edge);
    }
    return record;
  }

  /** Writes an edge in place of the one there. */
  void put(EdgeId edge, EdgeRecord record) {
    EdgeLabel label = orderedLabel(edge);
    if (label != null) {
      putOrdered(label, edge, record, ordered.entry(edge));
      return;
    }
    transaction.putEdge(
        edge.source(), EdgeTags.out(edge.label()), edge.target(), edge.sequence(), record.encode());
    EdgeLabel declared = labels.of(edge.label());
    if (declared != null && declared.hasTtl() && !declared.isLoose()) {
      transaction.putEdge(
          edge.target(),
          EdgeTags.in(edge.label()),
          edge.source(),
          edge.sequence(),
          record.encodeTopology());
    }
  }
}
