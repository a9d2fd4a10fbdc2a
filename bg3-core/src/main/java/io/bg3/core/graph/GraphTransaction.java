package io.bg3.core.graph;

import io.bg3.core.commit.CommitListener;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.limit.Limit;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.record.PropertyCell;
import io.bg3.core.record.PropertyCursor;
import io.bg3.core.record.PropertyId;
import io.bg3.core.record.PropertyRecord;
import io.bg3.core.record.ValueCodec;
import io.bg3.core.record.VertexId;
import io.bg3.core.record.VertexRecord;
import io.bg3.core.snapshot.SnapshotTooOldException;
import io.bg3.core.transaction.ByteCursor;
import io.bg3.core.transaction.Dictionary;
import io.bg3.core.transaction.EdgeCursor;
import io.bg3.core.transaction.SchemaChangedException;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.tree.LeafPrefetch;
import io.bg3.core.tree.ReadTally;
import io.bg3.storage.Waiting;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntToLongFunction;
import java.util.function.Predicate;

/**
 * One transaction on the graph: a {@link Transaction} that speaks of vertices, edges and
 * properties.
 *
 * <p>A vertex is named by its internal id ({@link #findVertex} gives it for a user's id, {@link
 * #vertexId} is the way back), an edge by its {@link EdgeId}. Labels and keys are text here; a code
 * of the dictionary is made when a label or key is first written, and stays when the transaction is
 * rolled back.
 *
 * <p>Like the transaction below it, this ends with {@link #commit} or {@link #rollback}, also after
 * an exception. {@link #commit} throws what {@link Transaction#commit} throws.
 *
 * <p>Threads: any number may share one; each call excludes the others. The order of their calls is
 * their business.
 */
public final class GraphTransaction implements AutoCloseable {
  /** With more labels, one scan of all edges of a vertex costs less than a look-up for each. */
  private static final int MOST_LABELS = 4;

  private final GraphStore store;
  private final Transaction transaction;
  private final Vertices vertices;
  private final Edges edges;
  private final IndexEntries entries;
  private final RuleChecks rules;
  private final LabelCodes codes;
  private final Object identity = new Object();
  private volatile int changes;

  /** Null until it is needed: most transactions remove nothing. */
  private GraphRemovals removals;

  GraphTransaction(GraphStore store, Transaction transaction) {
    this.store = store;
    this.transaction = transaction;
    this.vertices = new Vertices(store.vertexIds(), store.externalIds(), transaction);
    this.edges = new Edges(transaction, vertices, store.labels());
    this.entries = new IndexEntries(store.graphIndexes(), transaction, vertices, edges);
    this.rules = new RuleChecks(store, transaction, vertices, edges);
    this.codes = new LabelCodes(store);
  }

  /** The timestamp at which this transaction reads. */
  public long snapshot() {
    return transaction.snapshot();
  }

  /** Whether it has neither been committed nor rolled back. */
  public synchronized boolean isOpen() {
    return transaction.isOpen();
  }

  /** Whether it has been committed. */
  public synchronized boolean isCommitted() {
    return transaction.isCommitted();
  }

  /** Whether its commit has got a timestamp; see {@link Transaction#hasTimestamp}. */
  public synchronized boolean hasTimestamp() {
    return transaction.hasTimestamp();
  }

  /**
   * Whether it was given up because it was open for too long, so that it can only be rolled back;
   * see {@link Transaction#isTooOld}. Does not wait for a call that another thread is making.
   */
  public boolean isTooOld() {
    return transaction.isTooOld();
  }

  /** See {@link Transaction#translateTooOld}. */
  public void translateTooOld(Function<SnapshotTooOldException, RuntimeException> translation) {
    transaction.translateTooOld(translation);
  }

  /** Whether it has written anything yet. */
  public synchronized boolean hasWrites() {
    return transaction.hasWrites();
  }

  /**
   * An object that no other transaction has: the thread that remembers what was read in this
   * transaction keeps this instead of the transaction with all its writes.
   */
  public Object identity() {
    return identity;
  }

  /**
   * A number that grows whenever this transaction is told to change something, and when it ends:
   * what was read while it was the same is still true for this transaction.
   */
  public int changes() {
    return changes;
  }

  /** Counts a change; the caller holds this transaction's monitor. */
  @SuppressWarnings("NonAtomicVolatileUpdate")
  private void changing() {
    assert Thread.holdsLock(this);
    changes++;
  }

  /**
   * Makes the writes happen, all or none; see {@link Transaction#commit}.
   *
   * @throws DuplicateValueException if a vertex would get a value that another vertex has, and that
   *     is unique; nothing was done, the transaction is still open
   * @throws SchemaViolationException if an element would break the schema of its label; nothing was
   *     done, the transaction is still open
   * @throws io.bg3.storage.WouldWaitException if the thread may not wait and would have to; nothing
   *     was done
   * @throws IllegalStateException if the transaction has ended, or holds a part of a removal
   */
  public void commit() {
    commit(Optional.empty());
  }

  /**
   * Makes the writes happen as {@link #commit()} does, and does not wait until they are visible and
   * durable; see {@link Transaction#commitUnawaited}.
   */
  public void commitUnawaited(CommitListener listener) {
    commit(Optional.of(listener));
  }

  private synchronized void commit(Optional<CommitListener> listener) {
    changing();
    boolean begins = Waiting.beginCommit();
    try {
      transaction.requireShort(vertices.unflushed());
      boolean committed = false;
      while (!committed) {
        flush();
        committed = tryCommit(listener);
      }
    } finally {
      if (begins) {
        Waiting.endCommit();
      }
    }
  }

  /**
   * Commits; false if an index or a schema has come or gone, and {@link #flush} has to be again.
   */
  private boolean tryCommit(Optional<CommitListener> listener) {
    try {
      if (listener.isPresent()) {
        transaction.commitUnawaited(listener.get());
      } else {
        transaction.commit();
      }
      return true;
    } catch (SchemaChangedException e) {
      return false;
    }
  }

  /** Gives the transaction below what is kept back here; the last thing before it commits. */
  void flush() {
    if (removals != null && removals.holdsPart()) {
      throw new IllegalStateException(
          "the removal of a vertex did not complete, so the transaction cannot be committed; roll"
              + " it back and begin again: "
              + transaction);
    }
    vertices.flush();
    rules.require();
    entries.flush();
    entries.requireUnique();
    codes.settle(transaction);
    edges.orders().require();
    edges.flushCounts();
  }

  /** Drops the writes and ends the transaction. Does nothing when it has ended. */
  public synchronized void rollback() {
    changing();
    transaction.rollback();
  }

  /** Rolls back, as {@link #rollback} does. */
  @Override
  public void close() {
    rollback();
  }

  // Vertices

  /**
   * Adds a vertex.
   *
   * @param id integer, UUID or String ({@link VertexId}); null lets the store allocate a Long
   * @param labels one or more; the first is the one by which vertices are found and counted
   * @return its internal id
   * @throws DuplicateIdException if a vertex with this id exists
   * @throws IllegalArgumentException if the id or a label is not allowed
   */
  public synchronized long addVertex(Object id, String... labels) {
    changing();
    if (labels.length == 0) {
      throw new IllegalArgumentException("a vertex needs a label: id=" + id);
    }
    Limit.VERTEX_LABELS.check(labels.length);
    List<Integer> codes = new ArrayList<>(labels.length);
    for (String label : labels) {
      int code = code(Dictionary.Kind.VERTEX_LABEL, label);
      if (!codes.contains(code)) {
        codes.add(code);
      }
    }
    return vertices.add(id, codes.stream().mapToInt(Integer::intValue).toArray());
  }

  /** The internal id of the vertex with this id, null if there is no such vertex. */
  public synchronized Long findVertex(Object id) {
    Long vertex = internalVertex(id);
    return vertex != null && vertices.exists(vertex) ? vertex : null;
  }

  /**
   * The internal id of the vertex with this id, for a caller that finds out whether it exists by
   * reading its record; null if there is surely no such vertex.
   */
  public synchronized Long internalVertex(Object id) {
    Object canonical = VertexId.sought(id);
    return canonical == null ? null : vertices.internal(canonical);
  }

  /**
   * Says that these vertices are about to be asked for, one after the other, so that what is not in
   * memory is read together. Is no read.
   *
   * @param id the vertices by their indexes; asked only if some may not be in memory
   */
  public synchronized void prefetchVertices(int count, IntToLongFunction id) {
    transaction.prefetch(TreeIds.VERTICES, count, i -> GraphKeys.vertex(id.applyAsLong(i)));
  }

  /** Whether anything may not be in memory, so that it helps to say what is about to be read. */
  public boolean mayPrefetch() {
    return transaction.mayPrefetch();
  }

  /**
   * Says that the edges of these vertices are about to be read, so that what is not in memory is
   * read together. Is no read.
   *
   * @param labels none for all
   */
  public synchronized void prefetchEdges(
      long[] vertices, EdgeDirection direction, String... labels) {
    EdgeRanges ranges = codes.ranges(vertices, 0, direction, labels); // no label is looked for
    transaction.prefetchEdges(
        vertices.length * ranges.count(),
        i -> EdgeKey.prefix(vertices[i % vertices.length], ranges.low(i / vertices.length)));
  }

  /**
   * Says that the edges of these vertices with an ordered label are about to be read by {@link
   * #sortedEdges}, as {@link #prefetchEdges} does.
   *
   * @param first the sort key from which on they are read
   */
  public synchronized void prefetchSortedEdges(long[] vertices, EdgeLabel label, long first) {
    transaction.prefetchEdges(
        vertices.length,
        i -> EdgeKey.prefix(vertices[i], EdgeTags.index(label.code()), label.sorted(first)));
  }

  /**
   * Says that the vertices of a long list are asked for, one after the other, and which is the next
   * one; called for each. Every so often it announces the next ones, as {@link #prefetchVertices}
   * does.
   *
   * @param next its index
   */
  public void prefetchNext(int next, int count, IntToLongFunction id) {
    if (Math.floorMod(next, LeafPrefetch.TOGETHER) == 0) {
      int some = Math.min(count - next, LeafPrefetch.TOGETHER);
      prefetchVertices(some, i -> id.applyAsLong(next + i));
    }
  }

  /**
   * Whether the vertex exists; a transaction that asks conflicts only with adding and removing it.
   */
  public synchronized boolean vertexExists(long vertex) {
    return vertices.exists(vertex);
  }

  /** The id by which the user knows a vertex that exists: Long, UUID or String. */
  public Object vertexId(long vertex) {
    if (!VertexId.isReserved(vertex)) {
      return vertex;
    }
    synchronized (this) {
      return store.externalIds().of(transaction, vertex);
    }
  }

  /** The first label of a vertex that this transaction has removed; null if it has not. */
  public synchronized String removedLabel(long vertex) {
    int label = vertices.removedLabel(vertex);
    return label == 0 ? null : store.vertexLabel(label);
  }

  /**
   * Labels and properties of a vertex, null if it does not exist. If this transaction changes the
   * vertex afterwards, the record may or may not show it.
   */
  public synchronized VertexRecord vertex(long vertex) {
    return vertices.record(vertex);
  }

  /**
   * Labels and properties of many vertices, looked up in step, which takes less time than one after
   * the other where they are not in the processor's caches. Counts as a read of each.
   *
   * @param id the vertices by their indexes
   * @param into gets the records by these indexes, null for a vertex that does not exist
   */
  public synchronized void vertices(int count, IntToLongFunction id, VertexRecord[] into) {
    vertices.records(count, id, into);
  }

  /** All vertices, or those whose first label is one of these. */
  public synchronized VertexScan vertices(String... labels) {
    int[] found = codes.ofVertices(labels);
    ByteCursor cursor =
        labels.length > 0 && found.length == 0 ? null : transaction.steadyScan(TreeIds.VERTICES);
    if (cursor != null) {
      ReadTally.ofThread().addFullScan();
    }
    return new VertexScan(this, vertices, cursor, found);
  }

  /**
   * The vertices that property indexes name for some conditions on their properties, each once. All
   * vertices that meet all conditions are among them, also by this transaction's own changes;
   * others may be, and the caller tests each. Of several ways to find them, that with the fewest
   * index entries is taken. Where each entry that is read has one of some values of all keys of its
   * index, they come in the order in which {@link #vertices} shows them; where a range of values is
   * sought, only some of several keys, or numbers in a unique index, in the order of the values,
   * and a vertex with several at its first.
   *
   * <p>A strictly serialisable transaction that also writes takes the whole gate for a moment when
   * it commits, if it has sought a range.
   *
   * @param labels of which the first label of a vertex is one; none for all
   * @return null if no index answers this: there is none, it is not ready at this transaction's
   *     snapshot, a value or bound is of a kind that indexes do not tell from others or have no
   *     order for, or there are more than about thirty different values
   */
  public synchronized VertexLookup lookUp(List<Condition> conditions, String... labels) {
    return lookUps().vertices(vertices, conditions, labels);
  }

  /**
   * The edges that property indexes name for some conditions on their properties, each once, in the
   * order of the index. All edges that meet all conditions are among them, also by this
   * transaction's own changes; others may be, and the caller tests each. Otherwise as {@link
   * #lookUp(List, String...)} finds vertices.
   *
   * @param labels of which the label of an edge is one; none for all
   * @return null if no index answers this
   */
  public synchronized EdgeLookup lookUpEdges(List<Condition> conditions, String... labels) {
    return lookUps().edges(edges, conditions, labels);
  }

  /**
   * Finds those edges of vertices that may meet some conditions on their properties, where an index
   * does so with fewer reads than the vertices have edges.
   *
   * @param labels of which the label of an edge is one; none for all
   * @return null if there is no index of edges, or no edge has ever had one of the labels
   */
  public synchronized IncidentEdges incidentEdges(List<Condition> conditions, String... labels) {
    return lookUps().incidentEdges(edges, conditions, labels);
  }

  private IndexLookUps lookUps() {
    return new IndexLookUps(this, store, transaction, codes, entries);
  }

  /** The vertices that an index names for what is sought of one property, as above. */
  public VertexLookup lookUp(String key, Sought sought, String... labels) {
    return lookUp(List.of(new Condition(key, sought)), labels);
  }

  /** The vertices that an index names for some values of one property, as above. */
  public VertexLookup lookUp(String key, Collection<?> values, String... labels) {
    return lookUp(key, Sought.anyOf(values), labels);
  }

  /**
   * Removes a vertex with all its edges. Reads the range of its edges, so that no edge can be added
   * to it at the same time.
   *
   * @throws MissingElementException if it does not exist
   * @throws io.bg3.core.limit.LimitExceededException if it has more edges than a commit may remove
   */
  public void removeVertex(long vertex) {
    removeVertex(vertex, () -> {});
  }

  /**
   * Removes a vertex with all its edges, as {@link #removeVertex(long)} does, in steps. First the
   * edges are counted, then they are removed. An exception after some of them are removed leaves a
   * transaction that can only be rolled back: {@link #commit} throws IllegalStateException.
   *
   * @param pause called before each 1,024 edges that are counted or removed, while other calls of
   *     this transaction wait; what it throws ends the removal
   */
  public synchronized void removeVertex(long vertex, Runnable pause) {
    if (!removeVertexIfPresent(vertex, null, pause)) {
      throw new MissingElementException("vertex", vertex);
    }
  }

  /**
   * Removes a vertex with all its edges if it is there, as {@link #removeVertex(long, Runnable)}
   * does, with one look-up or none.
   *
   * @param seen a record of it that this transaction has read before, however long ago; null if
   *     there is none
   * @return whether it was there
   */
  public synchronized boolean removeVertexIfPresent(
      long vertex, VertexRecord seen, Runnable pause) {
    changing();
    return removals().removeVertexIfPresent(vertex, seen, pause);
  }

  /**
   * Removes vertices with all their edges, as {@link #removeVertexIfPresent} does one after the
   * other. Records of the vertices are looked up in step, and edges that are not in memory are
   * loaded together. An exception leaves some of the vertices removed; {@link #commit} throws
   * IllegalStateException if one of them was being removed.
   *
   * @param group about a hundred vertices at most, because the edges of several are in memory at
   *     once
   * @param seen records of them that this transaction has read before, by their indexes; null where
   *     there is none
   * @param pause called before the edges of a vertex are removed, and before each 1,024 of them,
   *     while other calls of this transaction wait; what it throws ends the removal
   * @return how many of the vertices were there
   */
  public synchronized int removeVertices(long[] group, VertexRecord[] seen, Runnable pause) {
    changing();
    return new VertexGroupRemoval(transaction, vertices, removals(), pause).run(group, seen);
  }

  private GraphRemovals removals() {
    if (removals == null) {
      removals = new GraphRemovals(transaction, vertices, edges);
    }
    return removals;
  }

  /** Adds a label behind those that a vertex has; false if it has it already. */
  public synchronized boolean addLabel(long vertex, String label) {
    changing();
    return vertices.addLabel(vertex, code(Dictionary.Kind.VERTEX_LABEL, label));
  }

  // Properties of vertices

  /**
   * Sets a property and returns its number.
   *
   * @param id integer, UUID or String; null for none, then the property is known by its {@link
   *     PropertyId}
   * @throws DuplicateIdException if another property of the vertex has this id
   * @throws MissingElementException if the vertex does not exist
   * @throws io.bg3.core.record.UnsupportedValueException if the value cannot be stored
   */
  public synchronized int setProperty(
      long vertex, Cardinality cardinality, String key, Object value, Object id) {
    changing();
    int code = code(Dictionary.Kind.PROPERTY_KEY, key);
    return vertices.setProperty(vertex, cardinality, code, value, id);
  }

  /** Removes a property; false if it is not there. */
  public synchronized boolean removeProperty(PropertyId property) {
    changing();
    return vertices.removeProperty(property.vertex(), property.number());
  }

  /** The value of a property of this vertex. */
  public Object value(long vertex, PropertyRecord property) {
    return property.isLarge() ? largeValue(vertex, property.number()) : property.value();
  }

  /** The value of the property of a vertex at which a cursor stands. */
  public Object value(long vertex, PropertyCursor at) {
    return at.isLarge() ? largeValue(vertex, at.number()) : at.value();
  }

  private synchronized Object largeValue(long vertex, int number) {
    return vertices.largeValue(vertex, number, 0);
  }

  /** Sets a meta-property; throws what {@link #setProperty} throws. */
  public synchronized void setMeta(PropertyId property, String key, Object value) {
    changing();
    vertices.setMeta(
        property.vertex(), property.number(), code(Dictionary.Kind.PROPERTY_KEY, key), value);
  }

  /** Removes a meta-property; false if it is not there. */
  public synchronized boolean removeMeta(PropertyId property, String key) {
    changing();
    int code = findKey(key);
    return code != 0 && vertices.removeMeta(property.vertex(), property.number(), code);
  }

  /** The value of a meta-property of this property. */
  public synchronized Object metaValue(PropertyId property, PropertyCell meta) {
    return vertices.value(property.vertex(), property.number(), meta.key(), meta);
  }

  // Edges

  /**
   * Adds an edge between two vertices that exist.
   *
   * @param id integer, UUID or String; null for none, then the edge is known by its {@link EdgeId}
   * @param properties by key
   * @throws MissingElementException if an end does not exist
   * @throws DuplicateIdException if an edge with this id exists
   * @throws IllegalArgumentException if the id, the label, a key or a value is not allowed
   */
  public synchronized EdgeId addEdge(
      long source, String label, long target, Object id, Map<String, ?> properties) {
    changing();
    int labelCode = code(Dictionary.Kind.EDGE_LABEL, label);
    Map<Integer, byte[]> encoded = new LinkedHashMap<>();
    properties.forEach(
        (key, value) ->
            encoded.put(code(Dictionary.Kind.PROPERTY_KEY, key), ValueCodec.encode(value)));
    return edges.add(source, labelCode, target, id, encoded);
  }

  /** The edge with this id, given by the user or allocated; null if there is none. */
  public synchronized EdgeId findEdge(Object id) {
    return edges.find(id);
  }

  /**
   * Whether the edge exists; a transaction that asks conflicts only with adding and removing it.
   */
  public synchronized boolean edgeExists(EdgeId edge) {
    return edges.exists(edge);
  }

  /** Whether this transaction has removed an edge that was there. Is no read. */
  public synchronized boolean removesEdge(EdgeId edge) {
    return transaction.removesEdge(Edges.underSource(edge));
  }

  /** Id and properties of an edge, null if it does not exist. */
  public synchronized EdgeRecord edge(EdgeId edge) {
    return edges.record(edge);
  }

  /**
   * The edges of a vertex, one range after the other: those that are there now, also if this
   * transaction removes some of them while the scan is open.
   *
   * @param values whether the scan can be asked for records and user's ids; without, it reads the
   *     topology alone
   * @param labels none for all
   */
  public synchronized EdgeScan edges(
      long vertex, EdgeDirection direction, boolean values, String... labels) {
    EdgeRanges ranges = codes.ranges(new long[] {vertex}, 1, direction, labels);
    long now = transaction.steadyNow();
    return new EdgeScan(
        this,
        ranges.count(),
        range ->
            transaction.steadyEdges(vertex, ranges.low(range), ranges.high(range), values, now),
        edges,
        EdgeScan.Shown.EACH);
  }

  /** The edges that {@link #edges} shows, with their values and without those that are removed. */
  private synchronized EdgeScan edgesLeft(long vertex, EdgeDirection direction, String... labels) {
    EdgeRanges ranges = codes.ranges(new long[] {vertex}, 1, direction, labels);
    return new EdgeScan(
        this,
        ranges.count(),
        range ->
            transaction.edges(
                vertex, ranges.low(range), ranges.high(range), true, ScanOrder.FORWARD),
        edges,
        EdgeScan.Shown.EACH);
  }

  /**
   * Whether all edges of a vertex with a label stand in its order, as this transaction sees them. A
   * label that has become ordered when it had edges may lack some that this transaction has
   * changed, and that have no sort key before it commits.
   */
  public synchronized boolean isSorted(EdgeLabel label) {
    return label.isSorted(snapshot()) && (label.isOrdered() || !transaction.hasEdgesSince(0));
  }

  /**
   * The visible edges out of a vertex with an ordered label whose sort keys lie in a range, with
   * their records.
   *
   * @param low smallest sort key, included
   * @param high largest sort key, included
   * @param order which of them comes first; edges with equal sort keys come as {@link #edges(long,
   *     EdgeDirection, boolean, String...)} shows them where this is the order of the label, and
   *     the other way round where it is not
   * @param most about so many are read at first
   * @throws IllegalArgumentException if the label is not ordered, or was not at the snapshot
   *     ({@link EdgeLabel#isSorted})
   */
  public EdgeScan sortedEdges(
      long vertex, EdgeLabel label, long low, long high, SortOrder order, int most) {
    Links.requireSorted(label, snapshot());
    boolean descending = label.isDescending();
    boolean forward = descending == (order == SortOrder.DESCENDING);
    return new EdgeScan(
        this,
        low > high ? 0 : 1,
        range -> {
          edges.orders().flush();
          EdgeCursor entries =
              transaction.sortedEdges(
                  vertex,
                  EdgeTags.index(label.code()),
                  label.sorted(descending ? high : low),
                  label.sorted(descending ? low : high),
                  forward ? ScanOrder.FORWARD : ScanOrder.BACKWARD,
                  most);
          return AddedOrderCursor.of(entries, transaction, label);
        },
        edges,
        EdgeScan.Shown.EACH);
  }

  /**
   * The edges out of a vertex with one label that come first by a property, if that is a whole
   * number of at most 64 bits wherever it is set. Reads all edges of the vertex with this label.
   *
   * @param order which number comes first; of equal ones the edge that {@link #edges(long,
   *     EdgeDirection, boolean, String...)} shows first
   * @param most of them
   * @param test which edges count; asked only about those that may come first
   * @param pause called before each 1,024 edges that are read; what it throws ends the search
   * @return in the order in which {@code edges} shows them, without edges that lack the property;
   *     null if some edge has another value there
   */
  public List<FoundEdge> topEdges(
      long vertex,
      String label,
      String key,
      SortOrder order,
      int most,
      Predicate<FoundEdge> test,
      Runnable pause) {
    try (EdgeScan scan = edges(vertex, EdgeDirection.OUT, true, label)) {
      return new TopEdges(scan, findKey(key), order, most).find(this, test, pause);
    }
  }

  /**
   * The number of edges that {@link #edges(long, EdgeDirection, boolean, String...)} shows. Where
   * they leave the vertex and their label is counted, the counter answers; where the vertex has a
   * tree of its own with many leaves, its degrees do; other edges are counted without their values.
   *
   * @param ends whether only edges count whose other end exists: loose ones may lack it
   * @param pause called before each step of the count, of 65,536 edges at most; what it throws ends
   *     the count
   * @param labels none for all
   */
  public long countEdges(
      long vertex, EdgeDirection direction, boolean ends, Runnable pause, String... labels) {
    EdgeRanges ranges;
    boolean mayHaveDegrees;
    synchronized (this) {
      long[] one = {vertex};
      mayHaveDegrees =
          labels.length > 0 || codes.edgeLabels() > MOST_LABELS || transaction.keepsDegrees(vertex);
      ranges =
          mayHaveDegrees
              ? codes.ranges(one, 1, direction, labels)
              : codes.rangesOfAll(transaction, one, 1, direction);
    }
    return new EdgeCounter(this, transaction, edges, vertex, ranges, mayHaveDegrees)
        .count(ends, pause);
  }

  /**
   * The vertices at the other ends of the edges of several vertices, looked up in step: one call
   * takes less than a scan for each vertex. Counts as a read of all their edges with these labels,
   * however many are asked for.
   *
   * @param vertices asked about, from index 0 on; the batch has them by these indexes
   * @param count how many of {@code vertices}
   * @param most neighbours of one vertex by one label in one direction. Of a vertex with more the
   *     batch is not complete; it never holds more than one above this number.
   * @param into filled anew
   * @param labels none for all. If there are more than a few labels then, nothing is looked up, and
   *     the batch is complete for no vertex.
   */
  public synchronized void neighbours(
      long[] vertices,
      int count,
      EdgeDirection direction,
      int most,
      NeighbourBatch into,
      String... labels) {
    into.begin(most);
    if (labels.length == 0 && codes.edgeLabels() > MOST_LABELS) {
      into.leaveOut();
      return;
    }
    EdgeRanges ranges =
        labels.length == 0
            ? codes.rangesOfAll(transaction, vertices, count, direction)
            : codes.ranges(vertices, count, direction, labels);
    for (int range = 0; range < ranges.count(); range++) {
      int tagLabel = ranges.low(range);
      boolean loose = edges.isLoose(EdgeTags.label(tagLabel));
      transaction.neighbours(vertices, 0, count, tagLabel, most + 1, into.add(tagLabel, loose));
    }
  }

  /** The parallel edges with this label from one vertex to another. */
  public synchronized EdgeScan edgesBetween(
      long source, String label, long target, boolean values) {
    int code = codes.ofEdges(label, source, EdgeDirection.OUT);
    boolean ordered = code != 0 && edges.orderedLabel(code) != null;
    return new EdgeScan(
        this,
        code == 0 ? 0 : 1,
        range -> transaction.edgesBetween(source, EdgeTags.out(code), target, values || ordered),
        edges,
        ordered ? EdgeScan.Shown.VISIBLE : EdgeScan.Shown.EACH);
  }

  /**
   * All edges, each once, seen from its source: those that are there now, also if this transaction
   * removes some of them while the scan is open.
   */
  public synchronized EdgeScan edges(boolean values) {
    ReadTally.ofThread().addFullScan();
    return new EdgeScan(
        this, 1, range -> transaction.allSteadyEdges(values), edges, EdgeScan.Shown.ONCE);
  }

  /**
   * All edges of some families, and others that this transaction has written.
   *
   * @param families their numbers; 0 is that of the labels without one
   */
  EdgeScan edgesOf(BitSet families) {
    if (families.get(0)) {
      ReadTally.ofThread().addFullScan();
    }
    return new EdgeScan(
        this, 1, range -> transaction.edgesOf(families), edges, EdgeScan.Shown.ONCE);
  }

  /**
   * Removes an edge.
   *
   * @throws MissingElementException if it does not exist
   */
  public synchronized void removeEdge(EdgeId edge) {
    changing();
    removals().removeEdge(edge);
  }

  /** Removes an edge if it is there, with one look-up; returns whether it was. */
  public synchronized boolean removeEdgeIfPresent(EdgeId edge) {
    changing();
    return removals().removeEdgeIfPresent(edge);
  }

  /**
   * Removes an edge that this transaction has read or added before, if it is still there; as a rule
   * without a look-up.
   *
   * @param userId the id that the user gave it, as it was read; null if none
   * @return whether it was still there
   */
  public synchronized boolean removeSeenEdge(EdgeId edge, Object userId) {
    changing();
    return removals().removeSeenEdge(edge, userId);
  }

  /**
   * Removes the edges that {@link #edges(long, EdgeDirection, boolean, String...)} shows, in its
   * order. An exception leaves some of them removed.
   *
   * @param pause called before each 1,024 edges; what it throws ends the removal
   * @param labels none for all
   * @return the number of edges that were shown
   */
  public long removeEdges(long vertex, EdgeDirection direction, Runnable pause, String... labels) {
    long removed = 0;
    try (EdgeScan scan = edgesLeft(vertex, direction, labels)) {
      int some;
      do {
        pause.run();
        some = removeSome(scan);
        removed += some;
      } while (some == EdgeRemoval.STEP);
    }
    return removed;
  }

  private synchronized int removeSome(EdgeScan scan) {
    changing();
    int removed = 0;
    while (removed < EdgeRemoval.STEP && scan.next()) {
      removals().removeShown(scan);
      removed++;
    }
    return removed;
  }

  /** Sets a property of an edge; throws what {@link #setProperty} throws. */
  public synchronized void setEdgeProperty(EdgeId edge, String key, Object value) {
    changing();
    edges.setProperty(edge, code(Dictionary.Kind.PROPERTY_KEY, key), value);
  }

  /** Removes a property of an edge; false if it is not there. */
  public synchronized boolean removeEdgeProperty(EdgeId edge, String key) {
    changing();
    int code = findKey(key);
    return code != 0 && edges.removeProperty(edge, code);
  }

  /** The links in this transaction's graph, which are written and read by codes and bytes. */
  public Links links() {
    EdgeLinks links;
    synchronized (this) {
      links = new EdgeLinks(vertices, edges, removals());
    }
    return new Links(this, transaction, edges, links, this::changing);
  }

  /** The writer of vertices with all their properties at once, by codes and bytes. */
  public VertexWriter vertexWriter() {
    return new VertexWriter(this, transaction, vertices, this::changing);
  }

  // Totals: nothing is scanned

  /** The number of vertices. */
  public synchronized long vertexCount() {
    return totals().vertices();
  }

  /** The number of vertices whose first label this is. */
  public synchronized long vertexCount(String label) {
    return totals().vertices(label);
  }

  /** The number of edges. Reads the edges whose labels have a time to live. */
  public synchronized long edgeCount() {
    return totals().edges();
  }

  /**
   * The number of edges with this label. Reads the edges with its time to live, or of its family,
   * if it has one.
   */
  public synchronized long edgeCount(String label) {
    return totals().edges(label);
  }

  /**
   * The number of vertices by their first labels, without labels that have none. Of two
   * transactions, one that asks this and one that adds a vertex with a new label, one conflicts.
   */
  public synchronized Map<String, Long> vertexCounts() {
    return totals().verticesByLabel();
  }

  /** The number of edges by label, as {@link #vertexCounts} gives that of vertices. */
  public synchronized Map<String, Long> edgeCounts() {
    return totals().edgesByLabel();
  }

  private GraphTotals totals() {
    return new GraphTotals(this, store, transaction, codes);
  }

  /** The variables of the graph. */
  public GraphVariables variables() {
    return new GraphVariables(this, transaction);
  }

  // Texts and codes

  /**
   * The code of a property key, 0 if there is none. This is no read: that an element has no
   * property with the key is read with the element's record.
   */
  public int findKey(String key) {
    return store.dictionary().find(Dictionary.Kind.PROPERTY_KEY, key);
  }

  /** The text of a label or key. */
  String text(Dictionary.Kind kind, int code) {
    return store.dictionary().text(kind, code);
  }

  private int code(Dictionary.Kind kind, String text) {
    return transaction.code(kind, text);
  }

  Transaction transaction() {
    return transaction;
  }

  /** The edges with ordered labels, for the check. */
  OrderedEdges ordered() {
    return edges.ordered();
  }

  /** The first visible edge with the source, label and target of one that is visible. */
  EdgeId firstBetween(EdgeId edge) {
    String label = text(Dictionary.Kind.EDGE_LABEL, edge.label());
    try (EdgeScan between = edgesBetween(edge.source(), label, edge.target(), false)) {
      return between.next() ? between.edge() : edge;
    }
  }

  /** The record of an edge that may be hidden, null if it does not exist; for the check. */
  EdgeRecord keptEdge(EdgeId edge) {
    return edges.kept(edge);
  }
}
