package io.bg3.core.graph;

import io.bg3.core.commit.Order;
import io.bg3.core.commit.Transaction;
import io.bg3.core.forest.TreeIds;
import java.util.Map;

/**
 * The edges of one transaction.
 *
 * <ul>
 *   <li>G3: an edge has two entries with the same label and sequence, one out of its source and one
 *       into its target; both are written and removed together.
 *   <li>G4: both ends of an edge exist. Adding an edge reads that they exist; removing a vertex
 *       reads the range of all its edges. Whichever commits second has read what the first changed.
 *   <li>G5: an id that the user gave stands in both entries, and in EDGE_IDS under its text.
 * </ul>
 */
final class Edges {
  private final Transaction transaction;
  private final Vertices vertices;

  Edges(Transaction transaction, Vertices vertices) {
    this.transaction = transaction;
    this.vertices = vertices;
  }

  EdgeId add(long source, int label, long target, Object id, Map<Integer, byte[]> properties) {
    requireVertex(source);
    requireVertex(target);
    byte[] idKey = id == null ? null : idKey(id);
    if (idKey != null && transaction.exists(TreeIds.EDGE_IDS, idKey)) {
      throw new DuplicateIdException("edge", id);
    }
    int sequence = transaction.reserveSequence(source, Tags.out(label), target);
    EdgeId edge = new EdgeId(source, label, target, sequence);
    EdgeRecord record = new EdgeRecord(id);
    properties.forEach((key, value) -> record.set(new PropertyCell(key, value, 0, value.length)));
    transaction.putEdge(source, Tags.out(label), target, sequence, record.encode());
    transaction.putEdge(target, Tags.in(label), source, sequence, record.encodeTopology());
    if (idKey != null) {
      transaction.put(TreeIds.EDGE_IDS, idKey, GraphKeys.edge(edge));
    }
    count(label, 1);
    return edge;
  }

  private void requireVertex(long vertex) {
    if (!vertices.exists(vertex)) {
      throw new MissingElementException("vertex", vertex);
    }
  }

  /** The key under which an id that the user gives is kept. */
  private static byte[] idKey(Object id) {
    if (id instanceof String text && EdgeId.parse(text) != null) {
      throw new IllegalArgumentException(
          "an edge id must not have the form of an allocated one: id=" + id);
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
    return value == null ? null : GraphKeys.edgeOf(value);
  }

  boolean exists(EdgeId edge) {
    return transaction.edgeExists(
        edge.source(), Tags.out(edge.label()), edge.target(), edge.sequence());
  }

  EdgeRecord record(EdgeId edge) {
    byte[] value =
        transaction.edgeValue(
            edge.source(), Tags.out(edge.label()), edge.target(), edge.sequence());
    return value == null ? null : EdgeRecord.decode(value);
  }

  void setProperty(EdgeId edge, int key, Object value) {
    byte[] encoded = ValueCodec.encode(value);
    EdgeRecord record = require(edge);
    record.set(new PropertyCell(key, encoded, 0, encoded.length));
    put(edge, record);
  }

  boolean removeProperty(EdgeId edge, int key) {
    EdgeRecord record = record(edge);
    if (record == null || !record.remove(key)) {
      return false;
    }
    put(edge, record);
    return true;
  }

  private EdgeRecord require(EdgeId edge) {
    EdgeRecord record = record(edge);
    if (record == null) {
      throw new MissingElementException("edge", edge);
    }
    return record;
  }

  private void put(EdgeId edge, EdgeRecord record) {
    transaction.putEdge(
        edge.source(), Tags.out(edge.label()), edge.target(), edge.sequence(), record.encode());
  }

  void remove(EdgeId edge) {
    remove(edge, require(edge).userId());
  }

  /** Removes all edges of a vertex, reading its whole range (G4). */
  void removeAllOf(long vertex) {
    int last = Tags.in(EdgeId.MAX_LABEL);
    transaction.guardEdges(vertex, 0, last);
    try (EdgeScan scan =
        new EdgeScan(
            transaction, 1, range -> transaction.edges(vertex, 0, last, true, Order.FORWARD))) {
      while (scan.next()) {
        // A loop has both its entries here and went with the first.
        if (scan.isOut() || scan.other() != vertex) {
          remove(scan.edge(), scan.userId());
        }
      }
    }
  }

  private void remove(EdgeId edge, Object userId) {
    int sequence = edge.sequence();
    transaction.deleteEdge(edge.source(), Tags.out(edge.label()), edge.target(), sequence);
    transaction.deleteEdge(edge.target(), Tags.in(edge.label()), edge.source(), sequence);
    if (userId != null) {
      transaction.delete(TreeIds.EDGE_IDS, GraphKeys.edgeId(VertexId.canonical(userId)));
    }
    count(edge.label(), -1);
  }

  private void count(int label, int delta) {
    transaction.addTotal(Tags.ALL_EDGES, delta);
    transaction.addTotal(Tags.edgesWith(label), delta);
  }
}
