package io.bg3.core.graph;

import io.bg3.core.forest.TreeIds;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.record.VertexRecord;
import io.bg3.core.transaction.Transaction;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * The entries of property indexes that one transaction writes: for each vertex or edge that it has
 * changed, the difference between the entries of the record before the transaction and of the
 * record now (R28). It does not matter in which steps the record has changed: a value that was
 * there twice and is there once keeps its entry, and a vertex that was removed and added again
 * loses what it no longer has.
 *
 * <p>The edges that it has changed are those whose entries it has written, by whatever means: they
 * are taken from its writes when there is an index of edges, and cost nothing where there is none.
 *
 * <p>They are written before the transaction looks into an index and before it commits; if they
 * were written before, what has become wrong since is taken back.
 *
 * <p>Belongs to one transaction.
 */
final class IndexEntries {
  private final GraphIndexes indexes;
  private final Transaction transaction;
  private final Vertices vertices;
  private final Edges edges;

  /** Puts and removals, by vertex (Long) or edge (EdgeId). */
  private final Map<Object, Set<byte[]>> made = new HashMap<>();

  /** How often the transaction had written when the edges were last looked at. */
  private long edgesAt;

  private boolean hasMadeEdges;
  private IndexCatalogue with; // that they were made with; null before

  /** Whether some entries in {@code made} were perhaps not written, because a write has failed. */
  private boolean incomplete;

  IndexEntries(GraphIndexes indexes, Transaction transaction, Vertices vertices, Edges edges) {
    this.indexes = indexes;
    this.transaction = transaction;
    this.vertices = vertices;
    this.edges = edges;
  }

  /** A set of keys in their order. */
  static NavigableSet<byte[]> none() {
    return new TreeSet<>(Arrays::compareUnsigned);
  }

  /**
   * Writes the entries of what has changed since the last call, or of all if the indexes have; for
   * the indexes that there are now. What {@link #flush(IndexCatalogue)} does.
   */
  void flush() {
    flush(indexes.current());
  }

  /**
   * Writes the entries of what has changed since the last call, or of all if the indexes have. If
   * that fails, because a record cannot be read or there is no memory for an entry, the next call
   * does all of it again: the transaction does not commit without.
   *
   * @param now the indexes that a look-up reads: it finds its transaction's changes in all of them,
   *     though one may be dropped meanwhile
   */
  void flush(IndexCatalogue now) {
    boolean again = with != null && with.changes() != now.changes();
    Collection<Long> changed = again ? vertices.changed() : vertices.unindexed();
    if (changed.isEmpty() && !again && !transaction.hasEdgesSince(edgesAt)) {
      return;
    }
    long writes = transaction.writesSoFar();
    if (!now.maintained().isEmpty() || !made.isEmpty()) {
      boolean anew = incomplete;
      incomplete = true;
      for (long vertex : changed) {
        write(vertex, now, anew);
      }
      if (hasMadeEdges || now.hasEdges()) {
        for (EdgeId edge : edges(now, again || anew ? 0 : edgesAt)) {
          write(edge, now, anew);
        }
      }
      incomplete = false;
    }
    vertices.indexed();
    edgesAt = writes;
    with = now;
    transaction.madeEntriesAt(now.changes());
  }

  /**
   * Requires that the values which the transaction gives to elements have no other element, where
   * their index is unique (R33). Behind the last {@link #flush()}: before it two vertices may have
   * one value for a while, as when they swap theirs.
   *
   * @throws DuplicateValueException if another element has one of the values
   */
  void requireUnique() {
    if (with == null || made.isEmpty() || !with.enforces()) {
      return;
    }
    UniqueValues values = new UniqueValues(indexes, transaction);
    for (Set<byte[]> entries : made.values()) {
      for (byte[] entry : entries) {
        GraphIndex index = with.enforced(entry);
        if (index != null && index.keepsUnique(entry) && transaction.putsEntry(entry)) {
          values.requireOnly(index, entry);
        }
      }
    }
  }

  /**
   * Writes the entries of a vertex.
   *
   * @param anew whether those that were made before are written once more
   */
  private void write(long vertex, IndexCatalogue now, boolean anew) {
    byte[] stored = transaction.before(TreeIds.VERTICES, GraphKeys.vertex(vertex));
    Set<byte[]> removals = none();
    if (stored != null && now.holds(ElementKind.VERTEX, VertexRecord.firstLabel(stored))) {
      now.addEntries(vertex, VertexRecord.decode(stored), removals);
    }
    Set<byte[]> puts = none();
    VertexRecord written = vertices.written(vertex);
    if (written != null) {
      now.addEntries(vertex, written, puts);
    }
    write(vertex, puts, removals, anew);
  }

  /** The edges that were changed after so many writes and have entries, or had some. */
  private Set<EdgeId> edges(IndexCatalogue now, long since) {
    Set<EdgeId> changed = new LinkedHashSet<>();
    for (byte[] key : transaction.edgesSince(since)) {
      EdgeId edge = Edges.ofEntry(key);
      if (edge != null && (now.holds(ElementKind.EDGE, edge.label()) || made.containsKey(edge))) {
        changed.add(edge);
      }
    }
    return changed;
  }

  /** Writes the entries of an edge. */
  private void write(EdgeId edge, IndexCatalogue now, boolean anew) {
    Set<byte[]> removals = none();
    EdgeRecord before = edges.before(edge);
    if (before != null) {
      now.addEntries(edge, before, removals);
    }
    Set<byte[]> puts = none();
    EdgeRecord written = edges.record(edge);
    if (written != null) {
      now.addEntries(edge, written, puts);
    }
    write(edge, puts, removals, anew);
    hasMadeEdges |= made.containsKey(edge);
  }

  /** Writes the difference of the entries that an element has and those that it had. */
  private void write(Object element, Set<byte[]> puts, Set<byte[]> removals, boolean anew) {
    Set<byte[]> earlier = made.get(element);
    if (puts.isEmpty() && removals.isEmpty() && earlier == null) {
      return;
    }
    puts.removeIf(removals::remove); // an entry of both stays as it is
    earlier = earlier == null ? Set.of() : earlier;
    Set<byte[]> wrong = none();
    wrong.addAll(earlier);
    wrong.removeAll(puts);
    wrong.removeAll(removals);
    Set<byte[]> all = none(); // what is there if a write fails
    all.addAll(earlier);
    all.addAll(puts);
    all.addAll(removals);
    made.put(element, all);
    for (byte[] key : puts) {
      if (anew || !earlier.contains(key)) {
        transaction.putEntry(key);
      }
    }
    for (byte[] key : removals) {
      if (anew || !earlier.contains(key)) {
        transaction.deleteEntry(key);
      }
    }
    if (!wrong.isEmpty()) {
      transaction.takeBackEntries(wrong);
    }
    all.removeAll(wrong);
    if (all.isEmpty()) {
      made.remove(element);
    }
  }
}
