package io.bg3.core.graph;

import io.bg3.core.forest.TreeIds;
import io.bg3.core.limit.Limit;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.record.PropertyCell;
import io.bg3.core.record.ValueCodec;
import io.bg3.core.sort.EntrySorter;
import io.bg3.core.transaction.Dictionary;
import io.bg3.core.transaction.Isolation;
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
  /** So many edges are left out at most because others have their ids. */
  static final int MOST_LEFT_OUT = 1 << 20;

  /** Is told which edges a load leaves out. */
  @FunctionalInterface
  public interface LeftOut {
    /**
     * An edge is left out.
     *
     * @param place what {@link #add} got with it
     * @param reason why
     */
    void leftOut(long place, IllegalArgumentException reason);
  }

  private static final byte[] MARK_VALUE = {1};

  private final GraphStore store;
  private final TransactionManager transactions;
  private final EntrySorter sorter;
  private final Map<String, Integer> labels = new HashMap<>();
  private final Map<String, Integer> keys = new HashMap<>();
  private boolean ended;

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
    add(source, label, target, null, properties, 0);
  }

  /**
   * Adds an edge. Parallel edges are numbered in the order in which they are added.
   *
   * @param source internal id of a vertex that exists when the load is finished
   * @param target internal id of such a vertex
   * @param id that no other edge has when the load is finished; null if BG3 gives the edge its id
   * @param properties by key
   * @param place where the caller has the edge from: a number that {@link #finish} tells if another
   *     edge has the id
   * @return the code of the label, as it stands in ids that BG3 gives
   * @throws IllegalArgumentException if the label, the id, a key or a value is not allowed; if the
   *     label is ordered and the property that it is ordered by is no long; or if {@link #refusal}
   *     says why the label is not
   * @throws IOException if the disk fails or is full; the load can only be closed then, and the
   *     store stays marked
   */
  public int add(
      long source, String label, long target, Object id, Map<String, ?> properties, long place)
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
    EdgeLabel form = store.labels().of(code);
    boolean ordered = form != null && form.isOrdered();
    long sortKey = ordered ? Edges.takeSortKey(form, record) : 0;
    byte[] bytes = record.encode();
    Limit.ENTRY_BYTES.check(bytes.length);
    byte[] value = new LoadedEdge(bytes, id, place, sortKey).encode(ordered);
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
   * Why a load writes no edges of a label; null if it does. It writes those of a label that is
   * declared as ordered or counted before its first edge, but none whose edges expire, because both
   * entries of an edge expire together; none with a loose label; and none with a schema or an index
   * of edges.
   */
  public String refusal(String label) {
    EdgeLabel form = store.declaredEdgeLabel(label);
    if (form != null && (form.hasTtl() || form.isLoose() || form.added() != null)) {
      return "a load writes no edges of a label that has a time to live, is loose, or has become"
          + " ordered; add them by transactions: label="
          + label;
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
   * Writes all edges, as the method below does, and ends without a result if two have one id.
   *
   * @throws DuplicateIdException if two edges have one id; the store stays marked
   */
  public void finish(LongConsumer progress) throws IOException {
    finish(
        progress,
        (place, reason) -> {
          throw reason;
        });
  }

  /**
   * Writes all edges, and takes the mark away. When this returns, the graph is whole; it is as
   * durable as {@code bg3.durability} says.
   *
   * @param progress is told how many more entries have been committed, two for each edge
   * @param leftOut is told of all edges but one that have the same id, with a {@link
   *     DuplicateIdException}; if it throws, the store stays marked
   * @throws MissingElementException if an end of an edge does not exist; the store stays marked
   * @throws DuplicateIdException if more than {@value #MOST_LEFT_OUT} edges have the id of another
   *     one; the store stays marked
   * @throws IllegalStateException if an index of the edges was created during the load; the store
   *     stays marked
   * @throws IOException if the disk fails; the store stays marked
   */
  public void finish(LongConsumer progress, LeftOut leftOut) throws IOException {
    requireOpen();
    ended = true;
    try (LoadWriter writer = new LoadWriter(store, transactions, labels, progress, leftOut)) {
      writer.write(sorter.sorted());
      writer.removeHalves();
      writer.commit();
    }
    unmark();
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
    sorter.close();
  }
}
