package io.bg3.core.graph;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.ScanOrder;
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
import io.bg3.core.transaction.Transaction;
import io.bg3.storage.format.UnreadableException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * Reads the whole graph at one snapshot and reports what does not fit together.
 *
 * <ul>
 *   <li>C1: records of vertices and edges are valid, and all codes in them are in the dictionary.
 *   <li>C2: an edge has both its entries, and both its ends exist.
 *   <li>C3: vertices with reserved internal ids, EXTERNAL_IDS and EXTERNAL_OF name each other.
 *   <li>C4: ids that users gave to edges and EDGE_IDS name each other.
 *   <li>C5: large values and the PROPERTIES tree name each other.
 *   <li>C6: totals are what a scan counts.
 *   <li>C7: a visible edge with an ordered label has one entry in the order, where its out-entry
 *       says, and a hidden one has none; a loose edge has no entry under its target.
 *   <li>C8: counters of the edges of a vertex are what a scan counts.
 *   <li>C9: entries of indexes that are ready are those of the records of all elements, and every
 *       entry belongs to an index.
 *   <li>C10: in an index that is unique and ready, no two elements have a value in common.
 *   <li>C11: degrees that are kept are what a scan counts.
 *   <li>C12: elements meet the schemas that are enforced.
 * </ul>
 *
 * <p>Used once, by one thread.
 */
public final class GraphCheck {
  /** After this many problems the check stops looking. */
  public static final int MOST_PROBLEMS = 1000;

  private static final int REPORT_EVERY = 1024;

  private final GraphStore store;
  private final LongConsumer progress;
  private final List<GraphProblem> problems = new ArrayList<>();
  private final Map<Integer, Long> counted = new HashMap<>();
  private final List<GraphIndex> indexes = new ArrayList<>();
  private RuleCatalogue schemas = new RuleCatalogue(0, List.of());
  private GraphTransaction graph;
  private Transaction transaction;
  private EdgeReferences references;
  private long looked;

  /** A check that tells {@code progress} from time to time how many entries it has looked at. */
  public GraphCheck(GraphStore store, LongConsumer progress) {
    this.store = store;
    this.progress = progress;
  }

  /** The problems that are there, none if all is well; never more than {@link #MOST_PROBLEMS}. */
  public List<GraphProblem> run() {
    try (GraphTransaction begun = store.beginReadOnly()) {
      graph = begun;
      transaction = begun.transaction();
      schemas = store.schema().current(); // a schema that goes later is met at this snapshot
      for (GraphIndex index : store.graphIndexes().current().maintained()) {
        if (index.state() == IndexState.READY && index.readySince() <= begun.snapshot()) {
          indexes.add(index);
        }
      }
      references = new EdgeReferences(this, begun);
      vertices();
      edges(EdgeTags.OUT);
      edges(EdgeTags.IN);
      if (store.labels().declared().length > 0) {
        new DeclaredEdgesCheck(this, store.labels(), transaction, graph.ordered()).run();
      }
      references.finish();
      if (transaction.hasDegrees()) {
        new DegreesCheck(this, transaction).run();
      }
      scan(TreeIds.EXTERNAL_IDS, this::externalId);
      scan(TreeIds.EXTERNAL_OF, this::externalOf);
      scan(TreeIds.EDGE_IDS, this::edgeId);
      scan(TreeIds.PROPERTIES, this::largeValue);
      indexes.forEach(this::entries);
      entriesOfNoIndex();
      totals();
    }
    progress.accept(looked);
    return List.copyOf(problems);
  }

  /** The problems of the entries of one index that is ready: C9 and C10. */
  List<GraphProblem> run(GraphIndex index) {
    try (GraphTransaction begun = store.beginReadOnly()) {
      graph = begun;
      transaction = begun.transaction();
      indexes.add(index);
      if (index.isOfEdges()) {
        entriesOfEdges();
      } else {
        scan(
            TreeIds.VERTICES,
            (key, value) -> entriesOf(GraphKeys.vertexOf(key), VertexRecord.decode(value)));
      }
      entries(index);
    }
    progress.accept(looked);
    return List.copyOf(problems);
  }

  boolean full() {
    if (++looked % REPORT_EVERY == 0) {
      progress.accept(looked);
    }
    return isFull();
  }

  /** Whether so many problems were found that no more are looked for. */
  boolean isFull() {
    return problems.size() >= MOST_PROBLEMS;
  }

  void problem(String rule, String detail) {
    if (problems.size() < MOST_PROBLEMS) {
      problems.add(new GraphProblem(rule, detail));
    }
  }

  private interface Entry {
    void look(byte[] key, byte[] value);
  }

  private void scan(int tree, Entry entry) {
    try (ByteCursor cursor = transaction.scan(tree, null, null, ScanOrder.FORWARD)) {
      while (!full() && cursor.next()) {
        try {
          entry.look(cursor.key(), cursor.value());
        } catch (UnreadableException e) {
          problem("C1", "tree=" + tree + ", " + e.getMessage());
        }
      }
    }
  }

  private void vertices() {
    scan(
        TreeIds.VERTICES,
        (key, value) -> {
          long vertex = GraphKeys.vertexOf(key);
          VertexRecord record = VertexRecord.decode(value);
          record.check();
          count(EdgeTags.ALL_VERTICES);
          int labels = store.countsFirstLabels() ? 1 : record.labelCount();
          for (int i = 0; i < labels; i++) {
            count(EdgeTags.verticesWith(record.label(i)));
          }
          for (int i = 0; i < record.labelCount(); i++) {
            code(Dictionary.Kind.VERTEX_LABEL, record.label(i), "vertex=" + vertex);
          }
          for (PropertyRecord property : record.properties()) {
            cell(vertex, property.number(), 0, property);
            for (PropertyCell meta : property.metas()) {
              cell(vertex, property.number(), meta.key(), meta);
            }
          }
          entriesOf(vertex, record);
          meetsSchema(vertex, record);
          byte[] id = transaction.get(TreeIds.EXTERNAL_OF, key);
          if (VertexId.isReserved(vertex) != (id != null)) {
            problem("C3", "id in EXTERNAL_OF: vertex=" + vertex + ", found=" + (id != null));
          }
        });
  }

  private void meetsSchema(long vertex, VertexRecord record) {
    LabelRules enforced = enforced(ElementKind.VERTEX, record.label(0));
    if (enforced != null) {
      brokenRule(
          enforced.problem(
              () -> vertex, record, each -> graph.value(vertex, each), this::propertyKey));
    }
  }

  /** Looks whether an edge meets the schema of its label. */
  void meetsSchema(EdgeId edge, EdgeRecord record) {
    LabelRules enforced = enforced(ElementKind.EDGE, edge.label());
    if (enforced != null) {
      brokenRule(enforced.problem(() -> edge, record, this::propertyKey));
      brokenRule(enforced.second(graph, edge));
      brokenRule(enforced.wrongEnd(graph, edge));
    }
  }

  private void brokenRule(String problem) {
    if (problem != null) {
      problem("C12", problem);
    }
  }

  private String propertyKey(int code) {
    return store.dictionary().has(Dictionary.Kind.PROPERTY_KEY, code)
        ? store.propertyKey(code)
        : "code " + code;
  }

  /** The schema that the elements with a label meet at the snapshot of the check; null if none. */
  private LabelRules enforced(ElementKind kind, int label) {
    LabelRules rules = schemas.kept(kind, label);
    return rules != null
            && rules.state() == SchemaState.ENFORCED
            && rules.since() <= transaction.snapshot()
        ? rules
        : null;
  }

  /** Looks whether all edges have all their entries. */
  private void entriesOfEdges() {
    try (EdgeScan scan = graph.edges(true)) {
      while (!full() && scan.next()) {
        entriesOf(scan.edge(), scan.record());
      }
    }
  }

  /** Looks whether a vertex has all its entries. */
  private void entriesOf(long vertex, VertexRecord record) {
    requireEntries("vertex=" + vertex, entries(vertex, record, indexes));
  }

  /** Looks whether an edge has all its entries. */
  void entriesOf(EdgeId edge, EdgeRecord record) {
    requireEntries("edge=" + edge, entries(edge, record, indexes));
  }

  private void requireEntries(String element, Set<byte[]> entries) {
    for (byte[] entry : entries) {
      if (!transaction.exists(TreeIds.INDEX_ENTRIES, entry)) {
        problem("C9", "an entry is missing: " + element + ", entry=" + hex(entry));
      }
    }
  }

  private static Set<byte[]> entries(long vertex, VertexRecord record, List<GraphIndex> indexes) {
    Set<byte[]> keys = IndexEntries.none();
    indexes.forEach(index -> index.addEntries(vertex, record, keys));
    return keys;
  }

  private static Set<byte[]> entries(EdgeId edge, EdgeRecord record, List<GraphIndex> indexes) {
    Set<byte[]> keys = IndexEntries.none();
    for (GraphIndex index : indexes) {
      if (index.isOfEdges()) {
        index.addEntries(edge, record, keys);
      }
    }
    return keys;
  }

  /** The entries that an element has in an index. */
  private Set<byte[]> entriesIn(GraphIndex index, byte[] element) {
    if (index.isOfEdges()) {
      EdgeId edge = GraphKeys.edgeOf(element);
      EdgeRecord record = graph.edge(edge);
      return record == null ? Set.of() : entries(edge, record, List.of(index));
    }
    long vertex = GraphKeys.vertexOf(element);
    VertexRecord record = graph.vertex(vertex);
    return record == null ? Set.of() : entries(vertex, record, List.of(index));
  }

  /** Looks whether each entry of an index is one of its element. */
  private void entries(GraphIndex index) {
    IndexKey.Range all = IndexKey.all(index.number());
    byte[] last = null;
    byte[] before = all.low();
    Set<byte[]> ofLast = null; // an element with many entries is read once if it is the only one
    try (ByteCursor cursor =
        transaction.scan(TreeIds.INDEX_ENTRIES, all.low(), all.high(), ScanOrder.FORWARD)) {
      while (!full() && cursor.next()) {
        byte[] element = IndexKey.elementOf(cursor.key(), index.elementBytes());
        if (!Arrays.equals(element, last)) {
          ofLast = entriesIn(index, element);
          last = element;
        }
        if (index.unique()
            && index.keepsUnique(cursor.key())
            && (IndexKey.isUntold(cursor.key())
                || IndexKey.haveOneValue(before, cursor.key(), index.elementBytes()))) {
          problem("C10", "a value is not unique: " + name(index, cursor.key()));
        }
        before = cursor.key();
        if (!ofLast.contains(cursor.key())) {
          problem("C9", "an entry of no value: " + name(index, cursor.key()));
        }
      }
    }
  }

  private static String name(GraphIndex index, byte[] entry) {
    byte[] element = IndexKey.elementOf(entry, index.elementBytes());
    String name =
        index.isOfEdges()
            ? "edge=" + GraphKeys.edgeOf(element)
            : "vertex=" + GraphKeys.vertexOf(element);
    return name + ", entry=" + hex(entry);
  }

  /** Looks for entries that no query reads and no drop removes. */
  private void entriesOfNoIndex() {
    Set<Integer> defined = GraphIndexes.numbers(transaction);
    int from = 1; // 0 is no index, its entry keeps earlier releases away
    while (from > 0) {
      try (ByteCursor cursor =
          transaction.scan(
              TreeIds.INDEX_ENTRIES, IndexKey.all(from).low(), null, ScanOrder.FORWARD)) {
        if (full() || !cursor.next()) {
          return;
        }
        int index = IndexKey.indexOf(cursor.key());
        if (!defined.contains(index)) {
          problem("C9", "entries of no index: index=" + index + ", entry=" + hex(cursor.key()));
        }
        from = index + 1;
      }
    }
  }

  private static String hex(byte[] key) {
    return HexFormat.of().formatHex(key);
  }

  private void cell(long vertex, int number, int metaKey, PropertyCell cell) {
    String element = "property=" + new PropertyId(vertex, number) + ", meta=" + metaKey;
    code(Dictionary.Kind.PROPERTY_KEY, cell.key(), element);
    byte[] large =
        cell.isLarge()
            ? transaction.get(TreeIds.PROPERTIES, GraphKeys.property(vertex, number, metaKey))
            : null;
    if (cell.isLarge() && (large == null || large.length != cell.length())) {
      int found = large == null ? 0 : large.length;
      problem("C5", element + ", bytes=" + cell.length() + ", found=" + found);
    } else if (cell.isLarge()) {
      ValueCodec.decode(large);
    } else {
      cell.value();
    }
  }

  private void edges(int tag) {
    EdgeScan all = new EdgeScan(this, 1, range -> transaction.allEdges(tag, true));
    try (EdgeScan scan = all) {
      while (!full() && scan.next()) {
        EdgeId edge = scan.edge();
        try {
          EdgeLabel label = store.labels().of(edge.label());
          if (tag == EdgeTags.OUT && label != null && label.isOrdered()) {
            code(Dictionary.Kind.EDGE_LABEL, edge.label(), "edge=" + edge);
          } else if (tag == EdgeTags.OUT) {
            outEntry(edge, scan.record());
          } else {
            inEntry(edge, scan.record());
          }
        } catch (UnreadableException e) {
          problem("C1", "edge=" + edge + ", " + e.getMessage());
        }
      }
    }
  }

  private void outEntry(EdgeId edge, EdgeRecord record) {
    countEdge(edge.label());
    code(Dictionary.Kind.EDGE_LABEL, edge.label(), "edge=" + edge);
    properties(edge, record);
    entriesOf(edge, record);
    meetsSchema(edge, record);
    EdgeLabel label = store.labels().of(edge.label());
    if (label == null || !label.isLoose()) {
      underTarget(edge, record);
    }
    named(edge, record);
  }

  void countEdge(int label) {
    if (EdgeKey.hasTtl(label)) {
      return; // in no total
    }
    count(EdgeTags.ALL_EDGES);
    count(EdgeTags.edgesWith(label));
  }

  void properties(EdgeId edge, EdgeRecord record) {
    for (PropertyCell property : record.properties()) {
      code(Dictionary.Kind.PROPERTY_KEY, property.key(), "edge=" + edge);
      property.value();
    }
  }

  /** Looks for the entry under the target, and for both ends, before the edges are done. */
  void underTarget(EdgeId edge, EdgeRecord record) {
    references.toTarget(edge, record.encodeTopology());
  }

  /** Looks for the id that the user gave. */
  void named(EdgeId edge, EdgeRecord record) {
    if (record.userId() != null) {
      byte[] key = GraphKeys.edgeId(VertexId.canonical(record.userId()));
      byte[] named = transaction.get(TreeIds.EDGE_IDS, key);
      if (named == null || !GraphKeys.edgeOf(named).equals(edge)) {
        problem("C4", "id in EDGE_IDS is missing: edge=" + edge + ", id=" + record.userId());
      }
    }
  }

  private void inEntry(EdgeId edge, EdgeRecord record) {
    references.toSource(edge);
    if (!record.properties().isEmpty()) {
      problem("C2", "properties under the target: edge=" + edge);
    }
  }

  private void externalId(byte[] key, byte[] value) {
    Object id = GraphKeys.externalIdOf(key);
    long vertex = GraphKeys.vertexOf(value);
    if (!VertexId.isReserved(vertex) || !graph.vertexExists(vertex)) {
      problem("C3", "EXTERNAL_IDS names no vertex: id=" + id + ", vertex=" + vertex);
    }
    if (!Arrays.equals(key, transaction.get(TreeIds.EXTERNAL_OF, value))) {
      problem("C3", "EXTERNAL_OF does not name the id: id=" + id + ", vertex=" + vertex);
    }
  }

  private void externalOf(byte[] key, byte[] value) {
    Object id = GraphKeys.externalIdOf(value);
    if (!Arrays.equals(key, transaction.get(TreeIds.EXTERNAL_IDS, value))) {
      problem("C3", "EXTERNAL_IDS does not name the vertex: id=" + id);
    }
  }

  private void edgeId(byte[] key, byte[] value) {
    EdgeId edge = GraphKeys.edgeOf(value);
    EdgeRecord record = graph.keptEdge(edge);
    boolean same =
        record != null
            && record.userId() != null
            && Arrays.equals(key, GraphKeys.edgeId(VertexId.canonical(record.userId())));
    if (!same) {
      problem("C4", "EDGE_IDS names an edge without this id: edge=" + edge);
    }
  }

  private void largeValue(byte[] key, byte[] value) {
    PropertyId property = GraphKeys.propertyOf(key);
    int metaKey = GraphKeys.metaKeyOf(key);
    VertexRecord vertex = graph.vertex(property.vertex());
    PropertyRecord record = vertex == null ? null : vertex.property(property.number());
    PropertyCell cell = record == null || metaKey == 0 ? record : record.meta(metaKey);
    if (cell == null || !cell.isLarge()) {
      problem("C5", "a large value of no property: property=" + property + ", meta=" + metaKey);
    }
  }

  private void totals() {
    total(EdgeTags.ALL_VERTICES, "vertices");
    total(EdgeTags.ALL_EDGES, "edges");
    List<String> vertexLabels = store.vertexLabels();
    for (int code = 1; code <= vertexLabels.size(); code++) {
      total(EdgeTags.verticesWith(code), "vertices with label " + vertexLabels.get(code - 1));
    }
    List<String> edgeLabels = store.edgeLabels();
    for (int code = 1; code <= edgeLabels.size(); code++) {
      total(EdgeTags.edgesWith(code), "edges with label " + edgeLabels.get(code - 1));
    }
  }

  private void total(int counter, String what) {
    long kept = transaction.total(counter);
    long scanned = counted.getOrDefault(counter, 0L);
    if (kept != scanned && !isFull()) {
      problem("C6", "total of " + what + ": kept=" + kept + ", counted=" + scanned);
    }
  }

  private void count(int counter) {
    counted.merge(counter, 1L, Long::sum);
  }

  private void code(Dictionary.Kind kind, int code, String element) {
    if (!store.dictionary().has(kind, code)) {
      problem("C1", "unknown code: kind=" + kind + ", code=" + code + ", " + element);
    }
  }
}
