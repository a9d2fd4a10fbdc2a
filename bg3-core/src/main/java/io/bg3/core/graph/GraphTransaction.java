package io.bg3.core.graph;

import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.limit.Limit;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.record.IndexKey;
import io.bg3.core.record.PropertyCell;
import io.bg3.core.record.PropertyId;
import io.bg3.core.record.PropertyRecord;
import io.bg3.core.record.ValueCodec;
import io.bg3.core.record.VertexId;
import io.bg3.core.record.VertexRecord;
import io.bg3.core.transaction.ByteCursor;
import io.bg3.core.transaction.Dictionary;
import io.bg3.core.transaction.SchemaChangedException;
import io.bg3.core.transaction.Transaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
  private final AbsentLabels absent = new AbsentLabels();
  private final Object identity = new Object();
  private volatile int changes;

  GraphTransaction(GraphStore store, Transaction transaction) {
    this.store = store;
    this.transaction = transaction;
    this.vertices = new Vertices(store.vertexIds(), store.externalIds(), transaction);
    this.entries = new IndexEntries(store.vertexIndexes(), transaction, vertices);
    this.edges = new Edges(transaction, vertices, store.labels());
  }

  /** The timestamp at which this transaction reads. */
  public long snapshot() {
    return transaction.snapshot();
  }

  /** Whether it has neither been committed nor rolled back. */
  public synchronized boolean isOpen() {
    return transaction.isOpen();
  }

  /**
   * Whether it was given up because it was open for too long, so that it can only be rolled back;
   * see {@link Transaction#isTooOld}. Does not wait for a call that another thread is making.
   */
  public boolean isTooOld() {
    return transaction.isTooOld();
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
   */
  public synchronized void commit() {
    changing();
    boolean committed = false;
    while (!committed) {
      flush();
      committed = tryCommit();
    }
  }

  /** Commits; false if an index has come or gone, and the entries have to be made again. */
  private boolean tryCommit() {
    try {
      transaction.commit();
      return true;
    } catch (SchemaChangedException e) {
      return false;
    }
  }

  /** Gives the transaction below what is kept back here; the last thing before it commits. */
  void flush() {
    vertices.flush();
    entries.flush();
    entries.requireUnique();
    absent.settle(transaction, store.dictionary());
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
    Object canonical = VertexId.sought(id);
    Long vertex = canonical == null ? null : vertices.internal(canonical);
    return vertex != null && vertices.exists(vertex) ? vertex : null;
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

  /**
   * Labels and properties of a vertex, null if it does not exist. If this transaction changes the
   * vertex afterwards, the record may or may not show it.
   */
  public synchronized VertexRecord vertex(long vertex) {
    return vertices.record(vertex);
  }

  /** All vertices, or those whose first label is one of these. */
  public synchronized VertexScan vertices(String... labels) {
    int[] codes = labelCodes(labels);
    ByteCursor cursor =
        labels.length > 0 && codes.length == 0
            ? null
            : transaction.scan(TreeIds.VERTICES, null, null, ScanOrder.FORWARD);
    return new VertexScan(this, vertices, cursor, codes);
  }

  /** The codes of those of some labels that have one; that the others have none is noted. */
  private int[] labelCodes(String... labels) {
    int[] codes = new int[labels.length];
    int found = 0;
    for (String label : labels) {
      int code = store.dictionary().find(Dictionary.Kind.VERTEX_LABEL, label);
      if (code == 0) {
        absent.vertices(label);
      } else {
        codes[found++] = code;
      }
    }
    return Arrays.copyOf(codes, found);
  }

  /**
   * The vertices that property indexes name for some values of a property, each once. All vertices
   * are among them whose property has a value that is sought, also among its own changes; others
   * may be, and the caller tests each. Where each entry that is read has one of some values, they
   * come in the order in which {@link #vertices} shows them; where a range of values is sought, or
   * numbers in a unique index, in the order of the values, and a vertex with several at its first.
   *
   * <p>A strictly serialisable transaction that also writes takes the whole gate for a moment when
   * it commits, if it has sought a range.
   *
   * @param key of the property
   * @param labels of which the first label of a vertex is one; none for all
   * @return null if no index answers this: there is none, it is not ready at this transaction's
   *     snapshot, a value or bound is of a kind that indexes do not tell from others or have no
   *     order for, or there are more than about thirty different values
   */
  public synchronized VertexLookup lookUp(String key, Sought sought, String... labels) {
    VertexIndexes.Catalogue indexes = store.vertexIndexes().current();
    int keyCode = indexes.maintained().isEmpty() ? 0 : findKey(key);
    if (keyCode == 0) {
      return null;
    }
    int[] codes = labelCodes(labels);
    if (labels.length > 0 && codes.length == 0) {
      return null;
    }
    List<VertexIndex> covering = indexes.covering(keyCode, snapshot(), codes);
    List<IndexKey.Range> ranges = covering == null ? null : ranges(covering, sought);
    if (ranges == null) {
      return null;
    }
    transaction.readsIndexesAt(indexes.drops());
    entries.flush(indexes);
    return new VertexLookup(this, transaction, vertices, ranges, keyCode, codes);
  }

  /**
   * How many index entries a look-up of a transaction that begins now would read, for a caller that
   * chooses between several. Counts as no read, and leaves out what this transaction has changed.
   *
   * @param most where counting ends
   * @return at most {@code most}; -1 if no index answers
   */
  public int countEntries(String key, Sought sought, int most, String... labels) {
    int keyCode = store.findPropertyKey(key);
    int[] codes = store.vertexLabelCodes(List.of(labels));
    if (keyCode == 0 || (labels.length > 0 && codes.length == 0)) {
      return -1;
    }
    VertexIndexes.Catalogue indexes = store.vertexIndexes().current();
    List<VertexIndex> covering = indexes.covering(keyCode, snapshot(), codes);
    List<IndexKey.Range> ranges = covering == null ? null : ranges(covering, sought);
    if (ranges == null) {
      return -1;
    }
    int count = 0;
    try (Transaction newest = store.beginCounting()) {
      for (int i = 0; i < ranges.size() && count < most; i++) {
        IndexKey.Range range = ranges.get(i);
        try (ByteCursor cursor =
            newest.scan(TreeIds.INDEX_ENTRIES, range.low(), range.high(), ScanOrder.FORWARD)) {
          while (count < most && cursor.next()) {
            count++;
          }
        }
      }
    }
    return count;
  }

  /**
   * Looks up the vertices with one of some values, as {@link #lookUp(String, Sought, String...)}.
   */
  public VertexLookup lookUp(String key, Collection<?> values, String... labels) {
    return lookUp(key, Sought.anyOf(values), labels);
  }

  /**
   * The ranges of the values, each entry in one. Null if a value has no place in indexes, and if
   * there are too many ranges: reading them may cost more than reading all vertices.
   */
  private static List<IndexKey.Range> ranges(List<VertexIndex> indexes, Sought sought) {
    List<IndexKey.Range> ranges = new ArrayList<>();
    for (VertexIndex index : indexes) {
      List<IndexKey.Range> ofIndex = sought.ranges(index.number(), index.unique());
      if (ofIndex == null) {
        return null;
      }
      ranges.addAll(ofIndex);
      ranges.add(IndexKey.untold(index.number()));
      if (ranges.size() > VertexLookup.MOST_RANGES) {
        return null;
      }
    }
    ranges.sort((a, b) -> Arrays.compareUnsigned(a.low(), b.low()));
    return apart(ranges);
  }

  /**
   * Joins ranges that overlap, as those of a float and of an integer near it may, and leaves out
   * what comes again.
   */
  private static List<IndexKey.Range> apart(Collection<IndexKey.Range> ascending) {
    List<IndexKey.Range> apart = new ArrayList<>(ascending.size());
    for (IndexKey.Range range : ascending) {
      IndexKey.Range last = apart.isEmpty() ? null : apart.get(apart.size() - 1);
      if (last == null || Arrays.compareUnsigned(range.low(), last.high()) >= 0) {
        apart.add(range);
      } else if (!isSame(range, last)) {
        boolean isIn = Arrays.compareUnsigned(range.high(), last.high()) <= 0;
        byte[] high = isIn ? last.high() : range.high();
        apart.set(apart.size() - 1, new IndexKey.Range(last.low(), high, false));
      }
    }
    return apart;
  }

  private static boolean isSame(IndexKey.Range range, IndexKey.Range other) {
    return Arrays.equals(range.low(), other.low()) && Arrays.equals(range.high(), other.high());
  }

  /**
   * Removes a vertex with all its edges. Reads the range of its edges, so that no edge can be added
   * to it at the same time.
   *
   * @throws MissingElementException if it does not exist
   */
  public synchronized void removeVertex(long vertex) {
    changing();
    VertexRecord record = vertices.record(vertex);
    if (record == null) {
      throw new MissingElementException("vertex", vertex);
    }
    edges.removeAllOf(vertex);
    vertices.remove(vertex, record);
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
  public synchronized Object value(long vertex, PropertyRecord property) {
    return vertices.value(vertex, property.number(), 0, property);
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

  /** Id and properties of an edge, null if it does not exist. */
  public synchronized EdgeRecord edge(EdgeId edge) {
    return edges.record(edge);
  }

  /**
   * The edges of a vertex, one range after the other.
   *
   * @param values whether the scan can be asked for records and user's ids; without, it reads the
   *     topology alone
   * @param labels none for all
   */
  public synchronized EdgeScan edges(
      long vertex, EdgeDirection direction, boolean values, String... labels) {
    EdgeRanges ranges = ranges(new long[] {vertex}, 1, direction, labels);
    return new EdgeScan(
        this,
        ranges.count(),
        range ->
            transaction.edges(
                vertex, ranges.low(range), ranges.high(range), values, ScanOrder.FORWARD),
        edges,
        EdgeScan.Shown.EACH);
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
   * @throws IllegalArgumentException if the label is not ordered
   */
  public EdgeScan sortedEdges(
      long vertex, EdgeLabel label, long low, long high, SortOrder order, int most) {
    Links.requireOrdered(label);
    boolean descending = label.isDescending();
    boolean forward = descending == (order == SortOrder.DESCENDING);
    return new EdgeScan(
        this,
        low > high ? 0 : 1,
        range ->
            transaction.sortedEdges(
                vertex,
                EdgeTags.index(label.code()),
                label.sorted(descending ? high : low),
                label.sorted(descending ? low : high),
                forward ? ScanOrder.FORWARD : ScanOrder.BACKWARD,
                most),
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
   * they leave the vertex and their label is counted, the counter answers; other edges are counted
   * without their values.
   *
   * @param ends whether only edges count whose other end exists: loose ones may lack it
   * @param pause called after each 1,024 edges that are read; what it throws ends the count
   * @param labels none for all
   */
  public long countEdges(
      long vertex, EdgeDirection direction, boolean ends, Runnable pause, String... labels) {
    EdgeRanges ranges;
    synchronized (this) {
      ranges = ranges(new long[] {vertex}, 1, direction, labels);
    }
    return new EdgeCounter(this, transaction, edges, vertex, ranges).count(ends, pause);
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
    if (labels.length == 0 && store.dictionary().count(Dictionary.Kind.EDGE_LABEL) > MOST_LABELS) {
      into.leaveOut();
      return;
    }
    EdgeRanges ranges =
        labels.length == 0
            ? rangesOfAll(vertices, count, direction)
            : ranges(vertices, count, direction, labels);
    for (int range = 0; range < ranges.count(); range++) {
      int tagLabel = ranges.low(range);
      boolean loose = edges.isLoose(EdgeTags.label(tagLabel));
      transaction.neighbours(vertices, 0, count, tagLabel, most + 1, into.add(tagLabel, loose));
    }
  }

  /**
   * A range for each label that there is, in the order in which a scan of all edges shows them.
   * That there are no edges with other labels counts as read.
   */
  private EdgeRanges rangesOfAll(long[] vertices, int count, EdgeDirection direction) {
    int[] codes = new int[store.dictionary().count(Dictionary.Kind.EDGE_LABEL)];
    Arrays.setAll(codes, i -> i + 1);
    EdgeRanges all = EdgeRanges.of(store.labels(), direction, true);
    for (int range = 0; range < all.count(); range++) {
      for (int i = 0; i < count; i++) {
        transaction.readsEdges(vertices[i], all.low(range), all.high(range));
      }
    }
    return EdgeRanges.of(store.labels(), direction, false, codes);
  }

  private EdgeRanges ranges(long[] vertices, int count, EdgeDirection direction, String... labels) {
    int[] codes = new int[labels.length];
    int found = 0;
    for (String label : labels) {
      if (label == null) {
        continue; // no edge has it
      }
      int code = store.dictionary().find(Dictionary.Kind.EDGE_LABEL, label);
      if (code == 0) {
        for (int i = 0; i < count; i++) {
          absent.edges(label, vertices[i], direction);
        }
      } else {
        codes[found++] = code;
      }
    }
    return EdgeRanges.of(
        store.labels(), direction, labels.length == 0, Arrays.copyOf(codes, found));
  }

  /** The parallel edges with this label from one vertex to another. */
  public synchronized EdgeScan edgesBetween(
      long source, String label, long target, boolean values) {
    int code = store.dictionary().find(Dictionary.Kind.EDGE_LABEL, label);
    if (code == 0) {
      absent.edges(label, source, EdgeDirection.OUT);
    }
    boolean ordered = code != 0 && edges.orderedLabel(code) != null;
    return new EdgeScan(
        this,
        code == 0 ? 0 : 1,
        range -> transaction.edgesBetween(source, EdgeTags.out(code), target, values || ordered),
        edges,
        ordered ? EdgeScan.Shown.VISIBLE : EdgeScan.Shown.EACH);
  }

  /** All edges, each once, seen from its source. */
  public synchronized EdgeScan edges(boolean values) {
    boolean ordered = store.labels().ordered().length > 0;
    return new EdgeScan(
        this,
        1,
        range -> transaction.allEdges(ordered ? Transaction.ANY_TAG : EdgeTags.OUT, values),
        edges,
        ordered ? EdgeScan.Shown.ONCE : EdgeScan.Shown.EACH);
  }

  /**
   * Removes an edge.
   *
   * @throws MissingElementException if it does not exist
   */
  public synchronized void removeEdge(EdgeId edge) {
    changing();
    edges.remove(edge);
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
    return new Links(this, transaction, edges, this::changing);
  }

  /** The writer of vertices with all their properties at once, by codes and bytes. */
  public VertexWriter vertexWriter() {
    return new VertexWriter(this, transaction, vertices, this::changing);
  }

  // Totals: nothing is scanned

  /** The number of vertices. */
  public synchronized long vertexCount() {
    return transaction.total(EdgeTags.ALL_VERTICES);
  }

  /** The number of vertices whose first label this is. */
  public synchronized long vertexCount(String label) {
    int code = store.dictionary().find(Dictionary.Kind.VERTEX_LABEL, label);
    if (code == 0) {
      absent.vertices(label);
      return 0;
    }
    return store.countsFirstLabels()
        ? transaction.total(EdgeTags.verticesWith(code))
        : LabelTotals.count(transaction).getOrDefault(code, 0L);
  }

  /** The number of edges. */
  public synchronized long edgeCount() {
    return transaction.total(EdgeTags.ALL_EDGES);
  }

  /** The number of edges with this label. */
  public synchronized long edgeCount(String label) {
    int code = store.dictionary().find(Dictionary.Kind.EDGE_LABEL, label);
    if (code == 0) {
      absent.edges(label);
      return 0;
    }
    return transaction.total(EdgeTags.edgesWith(code));
  }

  /**
   * The number of vertices by their first labels, without labels that have none. Of two
   * transactions, one that asks this and one that adds a vertex with a new label, one conflicts.
   */
  public synchronized Map<String, Long> vertexCounts() {
    Map<Integer, Long> counted = store.countsFirstLabels() ? null : LabelTotals.count(transaction);
    return counts(
        Dictionary.Kind.VERTEX_LABEL,
        EdgeTags.ALL_VERTICES,
        code ->
            counted == null
                ? transaction.total(EdgeTags.verticesWith(code))
                : counted.getOrDefault(code, 0L));
  }

  /** The number of edges by label, as {@link #vertexCounts} gives that of vertices. */
  public synchronized Map<String, Long> edgeCounts() {
    return counts(
        Dictionary.Kind.EDGE_LABEL,
        EdgeTags.ALL_EDGES,
        code -> transaction.total(EdgeTags.edgesWith(code)));
  }

  private Map<String, Long> counts(Dictionary.Kind kind, int all, IntToLongFunction total) {
    transaction.total(all); // a label that is new later changes it
    Map<String, Long> counts = new HashMap<>();
    int labels = store.dictionary().count(kind);
    for (int code = 1; code <= labels; code++) {
      long count = total.applyAsLong(code);
      if (count > 0) {
        counts.put(text(kind, code), count);
      }
    }
    return counts;
  }

  // Variables of the graph

  /** The value of a variable of the graph, null if it is not set. */
  public synchronized Object variable(String name) {
    byte[] value = transaction.get(TreeIds.META, GraphKeys.variable(name));
    return value == null ? null : ValueCodec.decode(value);
  }

  /**
   * Sets a variable of the graph.
   *
   * @throws io.bg3.core.record.UnsupportedValueException if the value cannot be stored
   * @throws io.bg3.core.limit.LimitExceededException if name or value are too long
   * @throws IllegalArgumentException if the name is empty or malformed
   */
  public synchronized void setVariable(String name, Object value) {
    transaction.put(TreeIds.META, GraphKeys.newVariable(name), ValueCodec.encode(value));
  }

  /** Removes a variable of the graph. */
  public synchronized void removeVariable(String name) {
    transaction.delete(TreeIds.META, GraphKeys.variable(name));
  }

  /** The names of the variables that are set. */
  public synchronized List<String> variables() {
    List<String> names = new ArrayList<>();
    try (ByteCursor cursor =
        transaction.scan(
            TreeIds.META, GraphKeys.variablesLow(), GraphKeys.variablesHigh(), ScanOrder.FORWARD)) {
      while (cursor.next()) {
        names.add(GraphKeys.variableOf(cursor.key()));
      }
    }
    return names;
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

  /** The record of an edge that may be hidden, null if it does not exist; for the check. */
  EdgeRecord keptEdge(EdgeId edge) {
    return edges.kept(edge);
  }
}
