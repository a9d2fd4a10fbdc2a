package io.bg3.core.graph;

import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.record.IndexKey;
import io.bg3.core.record.VertexRecord;
import io.bg3.core.transaction.ByteCursor;
import io.bg3.core.transaction.Transaction;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The vertices that indexes name for some values, each once. Where each range of entries has one
 * value, they come in the order of their internal ids, as a scan of all vertices shows them; else
 * in the order of the entries, and a vertex with several comes at its first one. Among them may be
 * some that have none of the values: the caller tests them. What the transaction gives a value
 * while the look-up is open is not shown.
 *
 * <p>Threads: those that may use the transaction.
 */
public final class VertexLookup implements VertexCursor {
  /** So many ranges are read side by side; a query with more reads every vertex instead. */
  static final int MOST_RANGES = 32;

  private final Object lock;
  private final Vertices vertices;
  private final int[] labels;

  private final int key;

  /** Null behind its end. */
  private final ByteCursor[] cursors;

  /** The next vertex of each range if each has one value, else null. */
  private final long[] heads;

  /** Vertices that may come again: those with several values, or that this transaction changes. */
  private final Set<Long> met = new HashSet<>(0);

  private int current; // the range that is read, unless there are heads

  private long vertex;
  private VertexRecord record;
  private long passed;

  /**
   * A look-up in some ranges of index entries.
   *
   * @param ranges {@value #MOST_RANGES} at most, ascending, that have no entry in common
   * @param key code of the property key
   * @param labels codes of which the first label of a vertex is one; none for all
   */
  VertexLookup(
      Object lock,
      Transaction transaction,
      Vertices vertices,
      List<IndexKey.Range> ranges,
      int key,
      int... labels) {
    this.lock = lock;
    this.vertices = vertices;
    this.labels = labels;
    this.key = key;
    this.cursors = new ByteCursor[ranges.size()];
    boolean merges = ranges.stream().allMatch(IndexKey.Range::oneValue);
    this.heads = merges ? new long[cursors.length] : null;
    for (int i = 0; i < cursors.length; i++) {
      cursors[i] = open(transaction, ranges.get(i));
      if (merges) {
        advance(i);
      }
    }
  }

  private static ByteCursor open(Transaction transaction, IndexKey.Range range) {
    return transaction.scan(TreeIds.INDEX_ENTRIES, range.low(), range.high(), ScanOrder.FORWARD);
  }

  private void advance(int cursor) {
    if (cursors[cursor].next()) {
      heads[cursor] = IndexKey.vertexOf(cursors[cursor].key());
    } else {
      cursors[cursor].close();
      cursors[cursor] = null;
    }
  }

  @Override
  public boolean next() {
    synchronized (lock) {
      while (heads == null ? nextEntry() : nextNamed()) {
        passed++;
        record = vertices.record(vertex); // null if this transaction has removed it meanwhile
        if (record != null && isWanted() && isFirst()) {
          return true;
        }
      }
      record = null;
      return false;
    }
  }

  /** Goes to the next vertex that an entry names. */
  private boolean nextNamed() {
    boolean found = false;
    for (int i = 0; i < cursors.length; i++) {
      if (cursors[i] != null && (!found || heads[i] < vertex)) {
        vertex = heads[i];
        found = true;
      }
    }
    for (int i = 0; found && i < cursors.length; i++) {
      if (cursors[i] != null && heads[i] == vertex) {
        advance(i);
      }
    }
    return found;
  }

  /** Goes to the next entry. */
  private boolean nextEntry() {
    while (current < cursors.length) {
      ByteCursor cursor = cursors[current];
      if (cursor.next()) {
        vertex = IndexKey.vertexOf(cursor.key());
        return true;
      }
      cursor.close();
      cursors[current++] = null;
    }
    return false;
  }

  /**
   * Whether the vertex has not come before. One with a single value that this transaction has not
   * changed when it comes has one entry, and does not come again.
   */
  private boolean isFirst() {
    boolean comesOnce =
        heads != null || (vertices.written(vertex) == null && record.withKey(key).size() <= 1);
    return comesOnce ? met.isEmpty() || !met.contains(vertex) : met.add(vertex);
  }

  private boolean isWanted() {
    for (int label : labels) {
      if (label == record.label(0)) {
        return true;
      }
    }
    return labels.length == 0;
  }

  @Override
  public long vertex() {
    return vertex;
  }

  @Override
  public VertexRecord record() {
    return record;
  }

  @Override
  public long passed() {
    return passed;
  }

  @Override
  public void close() {
    synchronized (lock) {
      for (ByteCursor cursor : cursors) {
        if (cursor != null) {
          cursor.close();
        }
      }
    }
  }
}
