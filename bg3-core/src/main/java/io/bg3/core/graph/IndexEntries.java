package io.bg3.core.graph;

import io.bg3.core.forest.TreeIds;
import io.bg3.core.record.VertexRecord;
import io.bg3.core.transaction.Transaction;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * The entries of property indexes that one transaction writes: for each vertex that it has changed,
 * the difference between the entries of the record before the transaction and of the record now
 * (R28). It does not matter in which steps the record has changed: a value that was there twice and
 * is there once keeps its entry, and a vertex that was removed and added again loses what it no
 * longer has.
 *
 * <p>They are written before the transaction looks into an index and before it commits; if they
 * were written before, what has become wrong since is taken back.
 *
 * <p>Belongs to one transaction.
 */
final class IndexEntries {
  private final VertexIndexes indexes;
  private final Transaction transaction;
  private final Vertices vertices;
  private final Map<Long, Set<byte[]>> made = new HashMap<>(); // puts and removals, by vertex
  private VertexIndexes.Catalogue with; // that they were made with; null before

  /** Whether some entries in {@code made} were perhaps not written, because a write has failed. */
  private boolean incomplete;

  IndexEntries(VertexIndexes indexes, Transaction transaction, Vertices vertices) {
    this.indexes = indexes;
    this.transaction = transaction;
    this.vertices = vertices;
  }

  /** A set of keys in their order. */
  static NavigableSet<byte[]> none() {
    return new TreeSet<>(Arrays::compareUnsigned);
  }

  /**
   * Writes the entries of what has changed since the last call, or of all if the indexes have; for
   * the indexes that there are now. What {@link #flush(VertexIndexes.Catalogue)} does.
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
  void flush(VertexIndexes.Catalogue now) {
    boolean again = with != null && with.changes() != now.changes();
    Collection<Long> changed = again ? vertices.changed() : vertices.unindexed();
    if (changed.isEmpty() && !again) {
      return;
    }
    if (!now.maintained().isEmpty() || !made.isEmpty()) {
      boolean anew = incomplete;
      incomplete = true;
      for (long vertex : changed) {
        write(vertex, now, anew);
      }
      incomplete = false;
    }
    vertices.indexed();
    with = now;
    transaction.madeEntriesAt(now.changes());
  }

  /**
   * Requires that the values which the transaction gives to vertices have no other vertex, where
   * their index is unique (R33). Behind the last {@link #flush()}: before it two vertices may have
   * one value for a while, as when they swap theirs.
   *
   * @throws DuplicateValueException if another vertex has one of the values
   */
  void requireUnique() {
    if (with == null || made.isEmpty() || !with.enforces()) {
      return;
    }
    UniqueValues values = new UniqueValues(indexes, transaction);
    for (Set<byte[]> entries : made.values()) {
      for (byte[] entry : entries) {
        VertexIndex index = with.enforced(entry);
        if (index != null && transaction.putsEntry(entry)) {
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
  private void write(long vertex, VertexIndexes.Catalogue now, boolean anew) {
    byte[] stored = transaction.before(TreeIds.VERTICES, GraphKeys.vertex(vertex));
    Set<byte[]> removals = none();
    if (stored != null && now.holds(VertexRecord.firstLabel(stored))) {
      now.addEntries(vertex, VertexRecord.decode(stored), removals);
    }
    Set<byte[]> puts = none();
    VertexRecord written = vertices.written(vertex);
    if (written != null) {
      now.addEntries(vertex, written, puts);
    }
    Set<byte[]> earlier = made.get(vertex);
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
    made.put(vertex, all);
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
      made.remove(vertex);
    }
  }
}
