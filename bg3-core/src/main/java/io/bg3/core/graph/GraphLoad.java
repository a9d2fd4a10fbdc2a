package io.bg3.core.graph;

import io.bg3.core.forest.TreeIds;
import io.bg3.core.limit.Limit;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.record.PropertyCell;
import io.bg3.core.record.ValueCodec;
import io.bg3.core.sort.EntrySorter;
import io.bg3.core.sort.SortedEntries;
import io.bg3.core.transaction.Dictionary;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.SchemaChangedException;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.transaction.TransactionManager;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * Fills an empty store with a graph, so that each page is written about once.
 *
 * <p>The two entries of an edge, one under its source and one under its target, are sorted beside
 * the store, in files if they are many, and written in the order of their keys. So leaves are
 * filled one after the other, and a checkpoint never finds one changed that an earlier checkpoint
 * has written. Written one by one, the entries under the targets would go to leaves all over the
 * store.
 *
 * <p><b>A half-made graph is never taken for a whole one</b> (R37). While entries are written,
 * there are edges with one entry. The first commit of a load therefore marks the store, and the
 * last one, behind all entries, takes the mark away; opening a store with the mark throws a {@link
 * HalfLoadedException}. The log is in the order of the commits, and images never run ahead of it,
 * so no crash keeps later commits without the mark, or loses entries and not the mark.
 *
 * <pre>
 *   load = store.load()                          the mark
 *   transactions of store.graph()                add vertices
 *   load.add(source, label, target, properties)  in any order
 *   load.finish(progress)                        entries in their order, then the mark goes
 *   load.close()
 * </pre>
 *
 * <p>Until {@link #finish} has returned, other transactions of the process see a part of the graph
 * and must not write edges.
 *
 * <p>Threads: one.
 */
public final class GraphLoad implements AutoCloseable {
  /** Entries of a commit. */
  private static final int MOST_ENTRIES = 4_000;

  /** Bytes of the values of a commit, but for a longer one that is alone. */
  private static final int MOST_VALUE_BYTES = 1 << 18;

  private static final byte[] MARK_VALUE = {1};

  private final GraphStore store;
  private final TransactionManager transactions;
  private final EntrySorter sorter;
  private final Map<String, Integer> labels = new HashMap<>();
  private final Map<String, Integer> keys = new HashMap<>();
  private boolean ended;

  /** Of the commit that is being filled. */
  private Transaction transaction;

  private int entries;
  private long valueBytes;

  private GraphLoad(GraphStore store, TransactionManager transactions, EntrySorter sorter) {
    this.store = store;
    this.transactions = transactions;
    this.sorter = sorter;
  }

  /** Begins a load, see {@link GraphStore#load}; closes the sorter if it cannot. */
  static GraphLoad begin(GraphStore store, TransactionManager transactions, EntrySorter sorter) {
    GraphLoad load = new GraphLoad(store, transactions, sorter);
    try {
      load.mark();
      return load;
    } catch (RuntimeException | Error e) {
      try {
        load.close();
      } catch (IOException also) {
        e.addSuppressed(also);
      }
      throw e;
    }
  }

  /**
   * Marks a store that has no elements, and none of whose labels is becoming ordered or counted.
   * Reads the totals, so that no commit adds an element meanwhile, and commits only if no label has
   * begun to become so.
   */
  private void mark() {
    transactions.retry(
        Isolation.STRICT,
        marking -> {
          marking.orderedAt(transactions.schema().orders());
          marking.countedAt(transactions.schema().counters());
          requireNoneBuilding();
          long vertices = marking.total(EdgeTags.ALL_VERTICES);
          long edges = marking.total(EdgeTags.ALL_EDGES);
          if (vertices > 0 || edges > 0) {
            throw new IllegalArgumentException(
                "the store is not empty: vertices=" + vertices + ", edges=" + edges);
          }
          marking.put(TreeIds.META, GraphKeys.loading(), MARK_VALUE);
          return null;
        });
  }

  private void requireNoneBuilding() {
    for (EdgeLabel label : store.labels().declared()) {
      AddedOrder added = label.added();
      if (label.isBuilding() || (added != null && added.state() != OrderState.READY)) {
        throw new IllegalStateException(
            "a label is becoming ordered or counted; begin the load when it is ready: label="
                + label.name());
      }
    }
  }

  /** Whether a load of the store has begun and not ended. */
  static boolean isMarked(TransactionManager transactions) {
    try (Transaction reading = transactions.begin(Isolation.SNAPSHOT, true)) {
      return reading.get(TreeIds.META, GraphKeys.loading()) != null;
    }
  }

  /**
   * Throws if a load fills the store, which writes edges of a label as if nothing were built of it.
   * The caller keeps all commits away, so none begins before its own commit either.
   */
  static void requireNone(TransactionManager transactions, String label) {
    if (transactions.newest(TreeIds.META, GraphKeys.loading()) != null) {
      throw new IllegalStateException(
          "a load is filling the store; declare the label again after the load: label=" + label);
    }
  }

  /** Adds an edge without an id of its own, as the method below does. */
  public void add(long source, String label, long target, Map<String, ?> properties)
      throws IOException {
    add(source, label, target, null, properties);
  }

  /**
   * Adds an edge. Parallel edges are numbered in the order in which they are added.
   *
   * @param source internal id of a vertex that exists when the load is finished
   * @param target internal id of such a vertex
   * @param id that no other edge has when the load is finished; null if BG3 gives the edge its id
   * @param properties by key
   * @return the code of the label, as it stands in ids that BG3 gives
   * @throws IllegalArgumentException if the label, the id, a key or a value is not allowed; or if
   *     {@link #refusal} says why the label is not
   * @throws IOException if the disk fails or is full; the load can only be closed then, and the
   *     store stays marked
   */
  public int add(long source, String label, long target, Object id, Map<String, ?> properties)
      throws IOException {
    requireOpen();
    int code = label(label);
    if (id != null) {
      Edges.idKey(id); // refuses what is none
    }
    EdgeRecord record = new EdgeRecord(id);
    properties.forEach(
        (key, value) -> {
          byte[] encoded = ValueCodec.encode(value);
          record.set(new PropertyCell(key(key), encoded, 0, encoded.length));
        });
    byte[] value = record.encode();
    byte[] topology = record.encodeTopology();
    ended = true; // after an error of the disk an edge may have one entry
    sorter.add(source, EdgeTags.out(code), target, value);
    sorter.add(target, EdgeTags.in(code), source, topology);
    ended = false;
    return code;
  }

  private int label(String label) {
    Integer known = labels.get(label);
    if (known != null) {
      return known;
    }
    int code = store.dictionary().code(Dictionary.Kind.EDGE_LABEL, label);
    String refusal = refusal(label);
    if (refusal != null) {
      throw new IllegalArgumentException(refusal);
    }
    labels.put(label, code);
    return code;
  }

  /**
   * Why a load writes no edges of a label: it is declared, has a schema, or a property index holds
   * its edges. Null if it does.
   */
  public String refusal(String label) {
    if (store.declaredEdgeLabel(label) != null) {
      return "a load writes no edges of a declared label; add them by transactions: label=" + label;
    }
    if (store.schema().current().find(ElementKind.EDGE, label) != null) {
      return "a load writes no edges of a label with a schema; add them by transactions, or drop"
          + " the schema first: label="
          + label;
    }
    int code = store.dictionary().find(Dictionary.Kind.EDGE_LABEL, label);
    if (store.graphIndexes().current().holds(ElementKind.EDGE, code)) {
      return "a load writes no edges that an index holds; create the index after the load: label="
          + label;
    }
    return null;
  }

  private int key(String key) {
    return keys.computeIfAbsent(key, store::makePropertyKey);
  }

  /**
   * Writes all edges, and takes the mark away. When this returns, the graph is whole; it is as
   * durable as {@code bg3.durability} says.
   *
   * @param progress is told how many more entries have been committed, two for each edge
   * @throws MissingElementException if an end of an edge does not exist; the store stays marked
   * @throws DuplicateIdException if two edges have one id; the store stays marked
   * @throws IllegalStateException if an index of the edges was created during the load; the store
   *     stays marked
   * @throws IOException if the disk fails; the store stays marked
   */
  public void finish(LongConsumer progress) throws IOException {
    requireOpen();
    ended = true;
    SortedEntries sorted = sorter.sorted();
    long owner = 0;
    int tagLabel = -1;
    long other = 0;
    int sequence = 0;
    while (sorted.next()) {
      boolean newOwner = tagLabel == -1 || sorted.owner() != owner;
      boolean parallel = !newOwner && sorted.tagLabel() == tagLabel && sorted.other() == other;
      sequence = parallel ? sequence + 1 : 0;
      Limit.PARALLEL_EDGES.check(Integer.toUnsignedLong(sequence));
      owner = sorted.owner();
      tagLabel = sorted.tagLabel();
      other = sorted.other();
      byte[] value = sorted.value();
      makeRoom(value.length, progress);
      if (newOwner && !transaction.exists(TreeIds.VERTICES, GraphKeys.vertex(owner))) {
        throw missing(owner, tagLabel, other);
      }
      transaction.putNewEdge(owner, tagLabel, other, sequence, value);
      if (EdgeTags.tag(tagLabel) == EdgeTags.OUT) {
        transaction.addTotal(EdgeTags.ALL_EDGES, 1);
        transaction.addTotal(EdgeTags.edgesWith(EdgeTags.label(tagLabel)), 1);
        putId(value, new EdgeId(owner, EdgeTags.label(tagLabel), other, sequence));
      }
    }
    commit(progress);
    unmark();
  }

  /** Writes the entry by which an edge is found under the id that its record has, if any. */
  private void putId(byte[] record, EdgeId edge) {
    Object id = EdgeRecord.userId(record);
    if (id != null) {
      byte[] key = Edges.idKey(id);
      if (transaction.exists(TreeIds.EDGE_IDS, key)) {
        throw new DuplicateIdException("edge", id);
      }
      transaction.put(TreeIds.EDGE_IDS, key, GraphKeys.edge(edge));
    }
  }

  private static MissingElementException missing(long owner, int tagLabel, long other) {
    boolean isSource = EdgeTags.tag(tagLabel) == EdgeTags.OUT;
    long source = isSource ? owner : other;
    long target = isSource ? other : owner;
    return new MissingElementException(
        "the " + (isSource ? "source" : "target") + " of an edge",
        owner + ", edge=" + new EdgeId(source, EdgeTags.label(tagLabel), target, 0));
  }

  /** Commits if one more entry would make the commit too large, and begins the next one. */
  private void makeRoom(int valueLength, LongConsumer progress) {
    if (entries == MOST_ENTRIES || (entries > 0 && valueBytes + valueLength > MOST_VALUE_BYTES)) {
      commit(progress);
    }
    if (transaction == null) {
      transaction = transactions.begin(Isolation.SNAPSHOT, false);
    }
    entries++;
    valueBytes += valueLength;
  }

  private void commit(LongConsumer progress) {
    if (transaction != null) {
      boolean committed = false;
      while (!committed) {
        committed = tryCommit();
      }
      transaction = null;
      progress.accept(entries);
      entries = 0;
      valueBytes = 0;
    }
  }

  /** Commits; false if an index has come or gone, so that it has to be looked again. */
  private boolean tryCommit() {
    IndexCatalogue now = store.graphIndexes().current();
    for (Map.Entry<String, Integer> label : labels.entrySet()) {
      if (now.holds(ElementKind.EDGE, label.getValue())) {
        throw new IllegalStateException(
            "an index of edges was created while a load fills the store; load again, and create it"
                + " after the load: label="
                + label.getKey());
      }
    }
    transaction.madeEntriesAt(now.changes());
    try {
      transaction.commit();
      return true;
    } catch (SchemaChangedException e) {
      return false;
    }
  }

  private void unmark() {
    transactions.retry(
        Isolation.SNAPSHOT,
        last -> {
          last.delete(TreeIds.META, GraphKeys.loading());
          return null;
        });
  }

  private void requireOpen() {
    if (ended) {
      throw new IllegalStateException("the load has ended: runs=" + sorter.runs());
    }
  }

  /** Deletes the files beside the store. A load that is not finished leaves the store marked. */
  @Override
  public void close() throws IOException {
    ended = true;
    if (transaction != null) {
      transaction.rollback();
      transaction = null;
    }
    sorter.close();
  }
}
