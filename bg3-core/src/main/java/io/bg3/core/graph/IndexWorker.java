package io.bg3.core.graph;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.KeySpace;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.record.IndexKey;
import io.bg3.core.record.VertexRecord;
import io.bg3.core.transaction.ByteCursor;
import io.bg3.core.transaction.EdgeCursor;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.transaction.TransactionManager;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds indexes beside writers, and removes the entries of those that were dropped.
 *
 * <pre>
 *   builder                                      a writer that changes vertex 7 from A to B
 *   registered; begins behind all commits that did not know the index
 *   lists vertices 1 to 500
 *                                                commits: removes entry A of 7, adds entry B
 *   reads 1 to 500 again, in a transaction that
 *   validates: of 7 it reads B
 *   commits their entries and "next is 501"
 * </pre>
 *
 * <p>Entries and progress are one commit, so a crash leaves them together. A commit has about
 * {@value #MOST_ENTRY_BYTES} bytes of entries; the entries of a vertex that has more come in the
 * order of their keys, in several. Between two of them all entries of the vertex up to the last key
 * are there, also when a writer changes it: the writer adds what is new, and keeps what both
 * records have. A vertex that is added behind the list is indexed by the commit that adds it.
 *
 * <p>Threads: any.
 */
final class IndexWorker extends DefinitionWorker<GraphIndex> {
  private static final Logger LOG = LoggerFactory.getLogger(IndexWorker.class);
  private static final int MOST_VERTICES = 512;
  private static final int MOST_BYTES = 1 << 20;

  /** A batch of edges is listed by a scan of all trees, so it is larger. */
  private static final int MOST_EDGES = 4_096;

  private static final int MOST_ENTRIES = 2_048;
  private static final int MOST_ENTRY_BYTES = 1 << 18;
  private static final int ENTRY_OVERHEAD = 64; // of a key in the memory of a commit, about

  private final GraphIndexes indexes;

  IndexWorker(GraphIndexes indexes, TransactionManager transactions) {
    super("bg3-index", indexes, indexes::unfinished, transactions);
    this.indexes = indexes;
  }

  @Override
  Object key(GraphIndex index) {
    return index.number();
  }

  @Override
  String named(GraphIndex index) {
    String work = index.state() == IndexState.DROPPING ? "dropping" : "building";
    return work + " the index " + indexes.describe(index);
  }

  @Override
  boolean isLeft(GraphIndex index) {
    return indexes.isUnfinished(index);
  }

  @Override
  void warn(GraphIndex index, Throwable failure) {
    LOG.warn(
        "building or dropping an index has stopped; create or drop it again, or open the store"
            + " again, to continue: index={}, state={}",
        indexes.describe(index),
        index.state(),
        failure);
  }

  @Override
  void work(GraphIndex index) {
    long begin = System.nanoTime();
    if (index.state() == IndexState.DROPPING) {
      remove(index);
    } else {
      build(index);
    }
    LOG.info(
        "built or dropped an index: index={}, state={}, done={}, millis={}",
        indexes.describe(index),
        index.state(),
        done(index),
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
  }

  private void build(GraphIndex index) {
    byte[] from = progress(index.progressKey());
    boolean isOfEdges = index.isOfEdges();
    byte[] end = isOfEdges ? null : KeySpace.successor(lastVertex()); // later ones have entries
    boolean isLast = false;
    while (!isClosed() && indexes.isMaintained(index)) {
      List<byte[]> batch = isLast ? List.of() : isOfEdges ? edges(from) : vertices(from, end);
      if (batch.isEmpty()) {
        finish(index);
        return;
      }
      from = KeySpace.successor(batch.get(batch.size() - 1));
      add(index, batch, from);
      count(index, batch.size());
      isLast = isOfEdges && batch.size() < MOST_EDGES; // edges that come behind it have entries
    }
  }

  /** Lets queries use an index that has all entries, if it has no value twice and must not. */
  private void finish(GraphIndex index) {
    if (!index.unique()) {
      indexes.finish(index);
      return;
    }
    GraphIndex verifying = indexes.enforce(index);
    if (verifying == null) {
      return;
    }
    try {
      if (verify(verifying)) {
        indexes.finish(verifying);
      }
    } finally {
      indexes.release(verifying); // nothing, if it is ready
    }
  }

  /**
   * Looks for values of several elements from before commits kept the index unique; later there are
   * no new ones. It reads at several snapshots, so two entries of one value may be of two times:
   * then it looks at the value once more.
   *
   * @return false if it was ended
   * @throws DuplicateValueException naming a value with its elements
   */
  private boolean verify(GraphIndex index) {
    IndexKey.Range all = IndexKey.all(index.number());
    byte[] last = all.low();
    List<byte[]> batch = entries(last, all.high());
    while (!batch.isEmpty()) {
      for (byte[] entry : batch) {
        boolean isKept = index.keepsUnique(entry);
        if (IndexKey.isUntold(entry)
            || (isKept
                && last.length > Integer.BYTES
                && IndexKey.haveOneValue(last, entry, index.elementBytes()))) {
          requireOneElement(index, entry);
        }
        last = entry;
      }
      if (isClosed() || !indexes.isMaintained(index)) {
        return false;
      }
      batch = entries(KeySpace.successor(last), all.high());
    }
    return true;
  }

  private void requireOneElement(GraphIndex index, byte[] entry) {
    try (Transaction snapshot = snapshot()) {
      new UniqueValues(indexes, snapshot).requireOne(index, entry);
    }
  }

  /** The last key of a vertex, one without bytes if there is none. */
  private byte[] lastVertex() {
    try (Transaction snapshot = snapshot();
        ByteCursor cursor = snapshot.scan(TreeIds.VERTICES, null, null, ScanOrder.BACKWARD)) {
      return cursor.next() ? cursor.key() : new byte[0];
    }
  }

  private static byte[] key(EdgeCursor cursor) {
    return EdgeKey.encode(cursor.owner(), cursor.tagLabel(), cursor.other(), cursor.sequence());
  }

  /** The keys of the out-entries of the next edges; fewer than {@link #MOST_EDGES} at the end. */
  private List<byte[]> edges(byte[] from) {
    List<byte[]> keys = new ArrayList<>();
    try (Transaction snapshot = snapshot();
        EdgeCursor cursor = snapshot.allEdges(EdgeTags.OUT, from, false)) {
      while (keys.size() < MOST_EDGES && cursor.next()) {
        keys.add(key(cursor));
      }
    }
    return keys;
  }

  /** The keys of the next vertices. */
  private List<byte[]> vertices(byte[] from, byte[] end) {
    List<byte[]> keys = new ArrayList<>(MOST_VERTICES);
    long bytes = 0;
    try (Transaction snapshot = snapshot();
        ByteCursor cursor = snapshot.scan(TreeIds.VERTICES, from, end, ScanOrder.FORWARD)) {
      while (keys.size() < MOST_VERTICES && bytes < MOST_BYTES && cursor.next()) {
        keys.add(cursor.key());
        bytes += cursor.value().length;
      }
    }
    return keys;
  }

  /**
   * Where a commit of entries has ended.
   *
   * @param element index in the batch of the element that comes next
   * @param entry the last entry of this element that was committed; null if none was
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Position(int element, byte[] entry) {}

  /** Commits the entries of some elements, and where building goes on. */
  private void add(GraphIndex index, List<byte[]> batch, byte[] next) {
    Position position = new Position(0, null);
    while (!isClosed() && position.element < batch.size()) {
      Position from = position;
      position =
          retry(Isolation.STRICT, transaction -> addSome(transaction, index, batch, from, next));
    }
  }

  /** Adds entries from a position on, as many as one commit has. */
  private Position addSome(
      Transaction transaction, GraphIndex index, List<byte[]> batch, Position from, byte[] next) {
    int bytes = 0;
    byte[] last = from.entry;
    for (int i = from.element; i < batch.size(); i++) {
      NavigableSet<byte[]> entries = entries(transaction, index, batch.get(i));
      for (byte[] entry : last == null ? entries : entries.tailSet(last, false)) {
        if (isFull(bytes)) {
          transaction.put(TreeIds.META, index.progressKey(), batch.get(i));
          return new Position(i, last);
        }
        transaction.putEntry(entry);
        bytes += entry.length + ENTRY_OVERHEAD;
        last = entry;
      }
      last = null;
    }
    transaction.put(TreeIds.META, index.progressKey(), next);
    return new Position(batch.size(), null);
  }

  /** Whether a commit with so many bytes of entries takes no more. */
  private static boolean isFull(int bytes) {
    return bytes >= MOST_ENTRY_BYTES;
  }

  private NavigableSet<byte[]> entries(Transaction transaction, GraphIndex index, byte[] key) {
    NavigableSet<byte[]> entries = IndexEntries.none();
    if (index.isOfEdges()) {
      EdgeId edge = Edges.ofEntry(key);
      if (index.holds(ElementKind.EDGE, edge.label())) {
        EdgeRecord record = indexes.edges(transaction).record(edge);
        if (record != null) { // else it is gone, or hidden
          index.addEntries(edge, record, entries);
        }
      }
      return entries;
    }
    byte[] record = transaction.get(TreeIds.VERTICES, key);
    if (record != null) {
      index.addEntries(GraphKeys.vertexOf(key), VertexRecord.decode(record), entries);
    }
    return entries;
  }

  /** Removes all entries of an index that nothing writes any more. */
  private void remove(GraphIndex index) {
    IndexKey.Range range = IndexKey.all(index.number());
    byte[] from = range.low();
    while (!isClosed()) {
      List<byte[]> batch = entries(from, range.high());
      if (batch.isEmpty()) {
        indexes.forget(index);
        return;
      }
      retry(
          Isolation.SNAPSHOT,
          transaction -> {
            batch.forEach(transaction::deleteEntry);
            return null;
          });
      from = KeySpace.successor(batch.get(batch.size() - 1));
      count(index, batch.size());
    }
  }

  private List<byte[]> entries(byte[] from, byte[] high) {
    List<byte[]> keys = new ArrayList<>();
    try (Transaction snapshot = snapshot();
        ByteCursor cursor = snapshot.scan(TreeIds.INDEX_ENTRIES, from, high, ScanOrder.FORWARD)) {
      while (keys.size() < MOST_ENTRIES && cursor.next()) {
        keys.add(cursor.key());
      }
    }
    return keys;
  }
}
