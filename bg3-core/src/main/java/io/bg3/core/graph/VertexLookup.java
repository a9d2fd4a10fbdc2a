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
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The vertices that indexes name for some values, each once. Where each range of entries has one
 * value, they come in the order of their internal ids, as a scan of all vertices shows them; else
 * in the order of the entries, and a vertex with several comes at its first one. Among them may be
 * some that have none of the values: the caller tests them. A vertex to which the transaction gives
 * a value while the look-up is open is not shown.
 *
 * <p>Threads: those that may use the transaction.
 */
public final class VertexLookup implements VertexCursor {
  /** So many ranges are read side by side; a query with more reads every vertex instead. */
  static final int MOST_RANGES = 32;

  private final Object lock;
  private final Transaction transaction;
  private final Vertices vertices;
  private final int[] labels;

  private final List<Integer> keys;
  private final List<String> indexes;

  /** Null behind its end. */
  private final ByteCursor[] cursors;

  /** The next vertex of each range if each has one value, else null. */
  private final long[] heads;

  /** Vertices that may come again: those with several values, or that this transaction changes. */
  private final Set<Long> met = new HashSet<>(0);

  private final NextNamed ahead;

  private int current; // the range that is read, unless there are heads

  private long vertex;
  private VertexRecord record;
  private long passed;

  /**
   * A look-up in some ranges of index entries.
   *
   * @param plan with {@value #MOST_RANGES} ranges at most
   * @param indexes their names
   * @param labels codes of which the first label of a vertex is one; none for all
   */
  VertexLookup(
      Object lock,
      Transaction transaction,
      Vertices vertices,
      IndexPlan plan,
      List<String> indexes,
      int... labels) {
    this.lock = lock;
    this.transaction = transaction;
    this.vertices = vertices;
    this.ahead = new NextNamed(transaction);
    this.labels = labels;
    this.keys = plan.keys();
    this.indexes = indexes;
    List<IndexKey.Range> ranges = plan.ranges();
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
  public boolean next(Runnable pause) {
    while (true) {
      synchronized (lock) {
        for (int read = 0; read < STEP; read++) {
          if (heads == null ? !nextEntry() : !nextNamed()) {
            record = null;
            return false;
          }
          passed++;
          announce(ahead.wanted());
          record = vertices.record(vertex); // null if this transaction has removed it meanwhile
          if (record != null && isWanted() && isFirst()) {
            return true;
          }
        }
      }
      pause.run();
    }
  }

  /** Has this vertex and the next ones loaded together, as far as the cursors know them. */
  private void announce(int most) {
    if (most == 0) {
      return;
    }
    LongStream named =
        heads == null ? upcoming(cursors[current], most) : upcomingOfHeads(most).sorted();
    long[] group = LongStream.concat(LongStream.of(vertex), named).distinct().limit(most).toArray();
    transaction.prefetch(TreeIds.VERTICES, group.length, i -> GraphKeys.vertex(group[i]));
    long known = heads == null ? Long.MAX_VALUE : lastKnown();
    ahead.announced((int) LongStream.of(group).filter(each -> each <= known).count());
  }

  /** The vertex up to which all cursors know what comes. */
  private long lastKnown() {
    return IntStream.range(0, cursors.length)
        .filter(i -> cursors[i] != null)
        .mapToLong(i -> lastKnown(cursors[i], heads[i]))
        .min()
        .orElse(Long.MAX_VALUE);
  }

  private static long lastKnown(ByteCursor cursor, long head) {
    int known = cursor.upcoming();
    return known == 0 ? head : IndexKey.vertexOf(cursor.upcoming(known));
  }

  private LongStream upcomingOfHeads(int most) {
    return IntStream.range(0, cursors.length)
        .filter(i -> cursors[i] != null)
        .mapToObj(i -> LongStream.concat(LongStream.of(heads[i]), upcoming(cursors[i], most)))
        .flatMapToLong(each -> each);
  }

  private static LongStream upcoming(ByteCursor cursor, int most) {
    return IntStream.rangeClosed(1, Math.min(most, cursor.upcoming()))
        .mapToLong(behind -> IndexKey.vertexOf(cursor.upcoming(behind)));
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
    boolean comesOnce = heads != null || (vertices.written(vertex) == null && hasSingleValues());
    return comesOnce ? met.isEmpty() || !met.contains(vertex) : met.add(vertex);
  }

  private boolean hasSingleValues() {
    for (int key : keys) {
      if (record.withKey(key).size() > 1) {
        return false;
      }
    }
    return true;
  }

  private boolean isWanted() {
    for (int label : labels) {
      if (label == record.label(0)) {
        return true;
      }
    }
    return labels.length == 0;
  }

  /** The names of the indexes that it reads, for people. */
  public List<String> indexes() {
    return indexes;
  }

  @Override
  public long vertex() {
    return vertex;
  }

  @Override
  public boolean isRemoved() {
    return false; // such vertices are passed over
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
