package io.bg3.core.graph;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.limit.Limit;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.record.LinkState;
import io.bg3.core.record.OrderedEntry;
import io.bg3.core.record.VertexId;
import io.bg3.core.record.VertexRecord;
import io.bg3.core.transaction.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The removals of one transaction: of edges, and of vertices with all their edges but loose ones.
 * All entries of an edge go together (G3, G5), and the edges of a vertex are read before it goes
 * (G4). Belongs to one transaction.
 */
final class GraphRemovals {
  private final Transaction transaction;
  private final Vertices vertices;
  private final Edges edges;

  /** Keys of edge entries whose removals are yet to be written; null if each is written at once. */
  private List<byte[]> gathered;

  /** Whether the removal of a vertex, or of its edges, has begun and not come to its end. */
  private boolean holdsPart;

  GraphRemovals(Transaction transaction, Vertices vertices, Edges edges) {
    this.transaction = transaction;
    this.vertices = vertices;
    this.edges = edges;
  }

  /**
   * Whether the removal of a vertex has begun and not come to its end: then nothing may be
   * committed.
   */
  boolean holdsPart() {
    return holdsPart;
  }

  /** Does what {@link GraphTransaction#removeVertexIfPresent} says. */
  boolean removeVertexIfPresent(long vertex, VertexRecord seen, Runnable pause) {
    VertexRecord record = vertices.recordOrSeen(vertex, seen);
    if (record == null) {
      vertices.exists(vertex); // notes, in every isolation, that it is not there
      return false;
    }
    EdgeRemoval removal = edgesOf(vertex, pause);
    removal.requireRoom();
    remove(vertex, record, removal, Set.of());
    return true;
  }

  /**
   * Removes a vertex that exists.
   *
   * @param removal of its edges, for which there is room
   * @param gone vertices that were removed since the edges were read
   */
  void remove(long vertex, VertexRecord record, EdgeRemoval removal, Set<Long> gone) {
    boolean before = holdsPart;
    holdsPart = true;
    removal.run(gone);
    vertices.remove(vertex, record);
    holdsPart = before;
  }

  /**
   * The removal of all edges of a vertex but loose ones; reads the ranges of all others (G4).
   *
   * @param pause called before each {@value EdgeRemoval#STEP} edges that are read
   */
  EdgeRemoval edgesOf(long vertex, Runnable pause) {
    EdgeRanges ranges = edges.firmRanges();
    for (int i = 0; i < ranges.count(); i++) {
      transaction.guardEdges(vertex, ranges.low(i), ranges.high(i));
    }
    return new EdgeRemoval(
        transaction, edges, this, vertex, ranges, Limit.COMMIT_ENTRIES.most(), pause);
  }

  /**
   * Removes a visible edge.
   *
   * @throws MissingElementException if it does not exist
   */
  void removeEdge(EdgeId edge) {
    EdgeLabel label = edges.orderedLabel(edge.label());
    if (label == null) {
      remove(edge, edges.require(edge).userId());
      return;
    }
    OrderedEntry entry = edges.ordered().entry(edge);
    if (OrderedEntry.state(entry) != LinkState.VISIBLE) {
      throw new MissingElementException("edge", edge);
    }
    remove(label, edge, entry);
  }

  /**
   * Removes a visible edge if it is there, with one look-up.
   *
   * @return whether it was there
   */
  boolean removeEdgeIfPresent(EdgeId edge) {
    EdgeLabel label = edges.orderedLabel(edge.label());
    if (label != null) {
      OrderedEntry entry = edges.ordered().entry(edge);
      if (OrderedEntry.state(entry) != LinkState.VISIBLE) {
        return false;
      }
      remove(label, edge, entry);
      return true;
    }
    EdgeRecord record = edges.record(edge);
    if (record == null) {
      edges.exists(edge); // notes, in every isolation, that it is not there
      return false;
    }
    remove(edge, record.userId());
    return true;
  }

  /**
   * Removes an edge that this transaction has read or added, if it is still there: only its own
   * writes can have taken it away. Takes no look-up in a tree, unless the label is ordered or the
   * edge may have expired, which is noted when it is looked up.
   *
   * @param userId the id that the user gave it, null if none. Not taken if the transaction has
   *     written the entry since: it may have removed the edge and put a link in its place
   * @return whether it was still there
   */
  boolean removeSeenEdge(EdgeId edge, Object userId) {
    if (isLookedUp(edge)
        || transaction.writesEdge(
            edge.source(), EdgeTags.out(edge.label()), edge.target(), edge.sequence())) {
      return removeEdgeIfPresent(edge);
    }
    remove(edge, userId);
    return true;
  }

  /** Removes the visible edge that a scan with values has gone to. */
  void removeShown(EdgeScan scan) {
    EdgeId edge = scan.edge();
    if (isLookedUp(edge)) {
      removeEdgeIfPresent(edge);
    } else {
      remove(edge, scan.userId());
    }
  }

  /** Whether an edge that was shown is looked up to be removed: it is ordered, or may expire. */
  private boolean isLookedUp(EdgeId edge) {
    EdgeLabel label = edges.label(edge.label());
    return label != null && (label.isOrdered() || label.hasTtl());
  }

  /**
   * Removes an edge that exists, visible or hidden.
   *
   * @param userId the id that the user gave it, null if none; does not matter if its label is
   *     ordered
   */
  void removeFound(EdgeId edge, Object userId) {
    EdgeLabel label = edges.orderedLabel(edge.label());
    if (label == null) {
      remove(edge, userId);
    } else {
      remove(label, edge, edges.ordered().entry(edge));
    }
  }

  /**
   * Removes what is left of an edge that was read, whose other end was removed since: nothing, but
   * for a hidden edge, which is not seen from its target.
   */
  void removeLeft(EdgeId edge) {
    EdgeLabel label = edges.orderedLabel(edge.label());
    OrderedEntry entry = label == null ? null : edges.ordered().entry(edge);
    if (entry != null) {
      remove(label, edge, entry);
    }
  }

  /** Removes an edge with an ordered label, visible or hidden, that has this out-entry. */
  void remove(EdgeLabel label, EdgeId edge, OrderedEntry entry) {
    if (entry.isNamed()) {
      deleteId(EdgeRecord.userId(edges.ordered().record(label, edge, entry)));
    }
    edges.ordered().remove(label, edge, entry);
  }

  /**
   * Removes an edge that exists and whose label is not ordered.
   *
   * @param userId the id that the user gave it, null if none
   */
  void remove(EdgeId edge, Object userId) {
    int sequence = edge.sequence();
    delete(edge.source(), EdgeTags.out(edge.label()), edge.target(), sequence);
    EdgeLabel label = edges.label(edge.label());
    if (label == null || !label.isLoose()) {
      delete(edge.target(), EdgeTags.in(edge.label()), edge.source(), sequence);
    }
    if (userId != null) {
      deleteId(userId);
    }
    edges.counts().add(edge.source(), edge.label(), label, -1);
  }

  private void delete(long owner, int tagLabel, long other, int sequence) {
    if (gathered == null) {
      transaction.deleteEdge(owner, tagLabel, other, sequence);
    } else {
      gathered.add(EdgeKey.encode(owner, tagLabel, other, sequence));
    }
  }

  /**
   * Has the removals of edges whose labels are not ordered be written together by {@link
   * #writeGathered}. Until then nobody may ask whether these edges are there.
   */
  void gather() {
    if (gathered == null) {
      gathered = new ArrayList<>();
    }
  }

  /** Writes what was removed since {@link #gather}; each removal is written by itself again. */
  void writeGathered() {
    List<byte[]> keys = gathered;
    gathered = null;
    if (keys != null) {
      boolean before = holdsPart;
      holdsPart = true; // vertices are gone already, and their edges are not if this fails
      transaction.deleteEdges(keys);
      holdsPart = before;
    }
  }

  /** The number of entries that the transaction writes, with those that were gathered. */
  long writeCount() {
    return (long) transaction.writeCount() + (gathered == null ? 0 : gathered.size());
  }

  private void deleteId(Object userId) {
    transaction.delete(TreeIds.EDGE_IDS, GraphKeys.edgeId(VertexId.canonical(userId)));
  }
}
