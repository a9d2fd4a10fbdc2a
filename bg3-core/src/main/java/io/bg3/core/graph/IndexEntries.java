package io.bg3.core.graph;

import io.bg3.core.forest.TreeIds;
import io.bg3.core.record.VertexRecord;
import io.bg3.core.transaction.Transaction;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
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

  IndexEntries(VertexIndexes indexes, Transaction transaction, Vertices vertices) {
    this.indexes = indexes;
    this.transaction = transaction;
    this.vertices = vertices;
  }

  /** A set of keys in their order. */
  static Set<byte[]> none() {
    return new TreeSet<>(Arrays::compareUnsigned);
  }

  /** Writes the entries of what has changed since the last call, or of all if the indexes have. */
  void flush() {
    VertexIndexes.Catalogue now = indexes.current();
    boolean again = with != null && with.changes() != now.changes();
    Collection<Long> changed = vertices.takeUnindexed();
    if (again) {
      changed = vertices.changed();
    } else if (changed.isEmpty()) {
      return;
    }
    if (!now.maintained().isEmpty() || !made.isEmpty()) {
      for (long vertex : changed) {
        write(vertex, now);
      }
    }
    with = now;
    transaction.madeEntriesAt(now.changes());
  }

  private void write(long vertex, VertexIndexes.Catalogue now) {
    byte[] stored = transaction.before(TreeIds.VERTICES, GraphKeys.vertex(vertex));
    Set<byte[]> before = of(vertex, stored == null ? null : VertexRecord.decode(stored), now);
    Set<byte[]> after = of(vertex, vertices.written(vertex), now);
    Set<byte[]> wanted = none();
    Set<byte[]> earlier = made.getOrDefault(vertex, none());
    for (byte[] key : after) {
      if (!before.remove(key)) {
        wanted.add(key);
        if (!earlier.remove(key)) {
          transaction.putEntry(key);
        }
      }
    }
    for (byte[] key : before) { // those that it has no longer
      wanted.add(key);
      if (!earlier.remove(key)) {
        transaction.deleteEntry(key);
      }
    }
    if (!earlier.isEmpty()) {
      transaction.takeBackEntries(earlier);
    }
    if (wanted.isEmpty()) {
      made.remove(vertex);
    } else {
      made.put(vertex, wanted);
    }
  }

  private static Set<byte[]> of(long vertex, VertexRecord record, VertexIndexes.Catalogue with) {
    Set<byte[]> keys = none();
    if (record != null) {
      for (VertexIndex index : with.maintained()) {
        index.addEntries(vertex, record, keys);
      }
    }
    return keys;
  }
}
