package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.limit.Limit;
import io.bg3.core.limit.LimitExceededException;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.record.PropertyBytes;
import io.bg3.core.record.PropertyCell;
import io.bg3.core.record.PropertyId;
import io.bg3.core.record.PropertyRecord;
import io.bg3.core.record.RecordWriter;
import io.bg3.core.record.VertexId;
import io.bg3.core.record.VertexRecord;
import io.bg3.core.transaction.Dictionary;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Walks the limits of a graph: what is at a limit is committed, and read again after the store was
 * closed and opened; what is one above it is refused, nothing of it reaches the log, its
 * transaction can go on, and so can the store, which opens again.
 *
 * <p>Limits of a whole commit, of codes, of indexes and of a message need other means: {@code
 * CommitRecordTest}, {@code DictionaryLimitTest}, {@code IndexTest} and {@code BatchTest} have
 * those.
 *
 * <p>Takes about 6 s, because what is at a limit is large: it proves that each limit can be
 * reached.
 */
class LimitsTest {
  private static final Set<Limit> ELSEWHERE =
      EnumSet.of(
          Limit.CODES,
          Limit.TTL_LABELS,
          Limit.FAMILIES,
          Limit.INDEXES,
          Limit.INDEX_KEYS,
          Limit.SCHEMAS,
          Limit.SCHEMA_KEYS,
          Limit.SCHEMA_ENDS,
          Limit.COMMIT_ENTRIES,
          Limit.COMMIT_BYTES,
          Limit.BATCH_OPERATIONS);

  @TempDir Path directory;

  /** Writes something of a size, and looks for it. */
  private interface Walk {
    /** Called in a store that may hold what was written at the limit. */
    void write(GraphTransaction graph, long size);

    void check(GraphTransaction graph, long size);
  }

  private Bg3 open() throws Exception {
    return Bg3.open(
        Settings.defaults()
            .with(Setting.DIRECTORY, directory.resolve("store").toString())
            .with(Setting.MEMORY_BUDGET, "256m")
            .with(Setting.PAGE_CAPACITY, "1k")
            .with(Setting.DURABILITY, "none"));
  }

  @ParameterizedTest
  @EnumSource(Limit.class)
  void whatIsAtTheLimitIsKeptAndWhatIsAboveItIsRefused(Limit limit) throws Exception {
    if (ELSEWHERE.contains(limit)) {
      return;
    }
    Walk walk = walk(limit);
    try (Bg3 store = open()) {
      try (GraphTransaction graph = store.graph().begin()) {
        graph.addVertex(1L, "v");
        graph.addVertex(2L, "v");
        walk.write(graph, limit.most());
        graph.commit();
      }
    }
    try (Bg3 store = open()) {
      try (GraphTransaction graph = store.graph().beginReadOnly()) {
        walk.check(graph, limit.most());
      }
      long logged = store.transactions().syncLog();
      try (GraphTransaction graph = store.graph().begin()) {
        LimitExceededException e =
            assertThrows(
                LimitExceededException.class,
                () -> {
                  walk.write(graph, limit.most() + 1);
                  graph.commit();
                });
        assertSame(limit, e.limit());
        assertTrue(e.given() > limit.most() || limit == Limit.COUNTER, e.getMessage());
        assertTrue(e.getMessage().contains("limit=" + limit), e.getMessage());
        assertTrue(e.getMessage().contains("most=" + limit.most()), e.getMessage());
        assertEquals(logged, store.transactions().syncLog(), "something of it was logged");
        assertTrue(graph.isOpen());
        assertNotNull(graph.vertex(1L), "the transaction goes on");
      }
      assertNull(store.transactions().failure());
      try (GraphTransaction graph = store.graph().begin()) {
        graph.addVertex(3L, "v");
        graph.commit();
      }
      assertEquals(List.of(), store.check(looked -> {}));
    }
    try (Bg3 store = open();
        GraphTransaction graph = store.graph().beginReadOnly()) {
      assertNotNull(graph.findVertex(3L));
      walk.check(graph, limit.most());
    }
  }

  private static Walk walk(Limit limit) {
    return switch (limit) {
      case NAME_BYTES -> new Names();
      case ID_BYTES -> new Ids();
      case VALUE_BYTES -> new Values();
      case VALUE_DEPTH -> new Depths();
      case VERTEX_LABELS -> new Labels();
      case VERTEX_PROPERTIES -> new Properties();
      case PROPERTY_NUMBER -> new Numbers();
      case META_PROPERTIES -> new Metas();
      case EDGE_PROPERTIES -> new EdgeProperties();
      case PARALLEL_EDGES -> new ParallelEdges();
      case COUNTER -> new Counters();
      case KEY_BYTES -> new Keys();
      case ENTRY_BYTES -> new Entries();
      case CODES,
          TTL_LABELS,
          FAMILIES,
          INDEXES,
          INDEX_KEYS,
          SCHEMAS,
          SCHEMA_KEYS,
          SCHEMA_ENDS,
          COMMIT_ENTRIES,
          COMMIT_BYTES,
          BATCH_OPERATIONS ->
          throw new AssertionError(limit);
    };
  }

  /** A text of so many bytes, of two bytes a character where that goes out even. */
  private static String text(long bytes) {
    String wide = "\u00e9".repeat((int) bytes / 2);
    return bytes % 2 == 0 ? wide : wide + "x";
  }

  /** Names of variables, labels and keys; above the limit any one of them is refused. */
  private static final class Names implements Walk {
    @Override
    public void write(GraphTransaction graph, long size) {
      String name = text(size);
      if (size > Limit.NAME_BYTES.most()) {
        for (String tooLong : List.of(name, "x".repeat(70_000))) {
          refused(() -> graph.addVertex(9L, tooLong));
          refused(() -> graph.addEdge(1, tooLong, 2, null, Map.of()));
          refused(() -> graph.setProperty(1, Cardinality.SINGLE, tooLong, 1, null));
          refused(() -> graph.addEdge(1, "e", 2, null, Map.of(tooLong, 1)));
        }
        refused(() -> graph.variables().set("x".repeat(70_000), 1));
        graph.variables().set(name, 1);
        return;
      }
      graph.variables().set(name, "variable");
      graph.addVertex(4L, name);
      graph.setProperty(4, Cardinality.SINGLE, name, "property", null);
      graph.addEdge(1, name, 2, null, Map.of(name, "edge"));
      graph.addEdge(1, "e", 2, null, Map.of());
    }

    @Override
    public void check(GraphTransaction graph, long size) {
      String name = text(size);
      assertEquals("variable", graph.variables().get(name));
      assertEquals(List.of(name), graph.variables().names());
      VertexRecord vertex = graph.vertex(4);
      assertEquals(name, graph.text(Dictionary.Kind.VERTEX_LABEL, vertex.label(0)));
      assertEquals("property", graph.value(4, vertex.property(1)));
      assertEquals(1, graph.edgeCount(name));
    }
  }

  private static void refused(Runnable work) {
    assertThrows(LimitExceededException.class, work::run);
  }

  /** Ids of vertices, edges and vertex properties. */
  private static final class Ids implements Walk {
    @Override
    public void write(GraphTransaction graph, long size) {
      String id = text(size);
      if (size > Limit.ID_BYTES.most()) {
        refused(() -> graph.addEdge(1, "e", 2, id, Map.of()));
        refused(() -> ValueIds.set(graph, id));
      }
      graph.addVertex(id, "v");
      graph.addEdge(1, "e", 2, id, Map.of());
      ValueIds.set(graph, id);
    }

    @Override
    public void check(GraphTransaction graph, long size) {
      assertEquals(text(size), graph.vertexId(graph.findVertex(text(size))));
      assertEquals(text(size), graph.edge(graph.findEdge(text(size))).userId());
      assertEquals(text(size), graph.vertex(1).property(1).userId());
    }
  }

  /** A vertex property with an id that the user gives. */
  private static final class ValueIds {
    static void set(GraphTransaction graph, String id) {
      if (!PropertyId.allows(id)) {
        VertexId.canonical(id); // says why
      }
      graph.setProperty(1, Cardinality.SINGLE, "p", 1, id);
    }
  }

  /** One value, of a vertex, an edge and a variable. */
  private static final class Values implements Walk {
    private static final int HEAD = 1 + 4; // tag, length

    private static byte[] bytes(long size) {
      byte[] bytes = new byte[(int) size - HEAD];
      bytes[bytes.length / 2] = 7;
      return bytes;
    }

    @Override
    public void write(GraphTransaction graph, long size) {
      byte[] value = bytes(size);
      if (size > Limit.VALUE_BYTES.most()) {
        refused(() -> graph.variables().set("large", value));
        refused(() -> graph.addEdge(1, "e", 2, null, Map.of("p", value)));
        refused(() -> graph.vertexWriter().add(5, "v", new PropertyBytes().putBytes(1, value)));
        refused(() -> graph.variables().set("large", "x".repeat(value.length)));
        refused(() -> graph.variables().set("large", List.of(value)));
      } else {
        graph.addEdge(1, "e", 2, null, Map.of());
      }
      graph.setProperty(1, Cardinality.SINGLE, "p", value, null);
    }

    @Override
    public void check(GraphTransaction graph, long size) {
      PropertyRecord property = graph.vertex(1).properties().get(0);
      assertEquals(size, property.length());
      assertArrayEquals(bytes(size), (byte[]) graph.value(1, property));
    }
  }

  /** Lists in each other. */
  private static final class Depths implements Walk {
    private static Object nested(long depth) {
      Object nested = List.of();
      for (int i = 1; i < depth; i++) {
        nested = i % 2 == 0 ? List.of(nested) : Map.of("k", nested);
      }
      return nested;
    }

    @Override
    public void write(GraphTransaction graph, long size) {
      graph.setProperty(1, Cardinality.SINGLE, "p", nested(size), null);
    }

    @Override
    public void check(GraphTransaction graph, long size) {
      assertEquals(nested(size), graph.value(1, graph.vertex(1).properties().get(0)));
    }
  }

  /** Labels of one vertex, all at once; above the limit one more than there are, too. */
  private static final class Labels implements Walk {
    @Override
    public void write(GraphTransaction graph, long size) {
      String[] labels = new String[(int) size];
      Arrays.setAll(labels, i -> "l" + i);
      if (size > Limit.VERTEX_LABELS.most()) {
        refused(() -> graph.addVertex(5L, labels));
        graph.addLabel(4L, "v");
      } else {
        graph.addVertex(4L, labels);
      }
    }

    @Override
    public void check(GraphTransaction graph, long size) {
      VertexRecord vertex = graph.vertex(4);
      assertEquals(size, vertex.labelCount());
      assertEquals(
          "l" + (size - 1), graph.text(Dictionary.Kind.VERTEX_LABEL, vertex.label((int) size - 1)));
    }
  }

  /** Properties of one vertex under one key. */
  private static final class Properties implements Walk {
    @Override
    public void write(GraphTransaction graph, long size) {
      int has = graph.vertex(1).propertyCount();
      for (int i = has; i < size; i++) {
        graph.setProperty(1, Cardinality.LIST, "p", i, null);
      }
    }

    @Override
    public void check(GraphTransaction graph, long size) {
      List<PropertyRecord> properties = graph.vertex(1).properties();
      assertEquals(size, properties.size());
      assertEquals((int) size - 1, graph.value(1, properties.get((int) size - 1)));
    }
  }

  /** The number that the next property gets; nobody waits for two thousand million of them. */
  private static final class Numbers implements Walk {
    @Override
    public void write(GraphTransaction graph, long size) {
      if (size == Limit.PROPERTY_NUMBER.most()) {
        int label = graph.vertex(1).label(0);
        byte[] record =
            new RecordWriter().u8(1).varint(1).varint(label).varint(size).varint(0).toBytes();
        graph.transaction().put(TreeIds.VERTICES, GraphKeys.vertex(5), record);
        graph.transaction().addTotal(EdgeTags.ALL_VERTICES, 1);
        graph.transaction().addTotal(EdgeTags.verticesWith(label), 1);
      }
      graph.setProperty(5, Cardinality.SINGLE, "p", 1, null);
    }

    @Override
    public void check(GraphTransaction graph, long size) {
      assertEquals(size, graph.vertex(5).properties().get(0).number());
    }
  }

  /** Meta-properties of one property. */
  private static final class Metas implements Walk {
    @Override
    public void write(GraphTransaction graph, long size) {
      PropertyId property =
          graph.vertex(1).propertyCount() == 0
              ? new PropertyId(1, graph.setProperty(1, Cardinality.SINGLE, "p", 1, null))
              : new PropertyId(1, 1);
      boolean above = size > Limit.META_PROPERTIES.most();
      for (int i = above ? (int) size - 2 : 0; i < size; i++) {
        graph.setMeta(property, i == Limit.META_PROPERTIES.most() ? "p" : "m" + i, i);
      }
    }

    @Override
    public void check(GraphTransaction graph, long size) {
      List<PropertyCell> metas = graph.vertex(1).property(1).metas();
      assertEquals(size, metas.size());
      assertEquals(
          (int) size - 1, graph.metaValue(new PropertyId(1, 1), metas.get((int) size - 1)));
    }
  }

  /** Properties of one edge. */
  private static final class EdgeProperties implements Walk {
    private static final EdgeId EDGE = EdgeId.parse("1~1~2");

    @Override
    public void write(GraphTransaction graph, long size) {
      if (size > Limit.EDGE_PROPERTIES.most()) {
        PropertyBytes bytes = new PropertyBytes();
        for (int i = 1; i <= size; i++) {
          bytes.putInt(i, i);
        }
        refused(bytes::record);
        graph.setProperty(2, Cardinality.SINGLE, "k0", 1, null);
        graph.setEdgeProperty(EDGE, "more", 1);
        return;
      }
      Map<String, Integer> properties = new LinkedHashMap<>();
      for (int i = 0; i < size; i++) {
        properties.put("k" + i, i);
      }
      graph.addEdge(1, "e", 2, null, properties);
      graph.setProperty(1, Cardinality.SINGLE, "more", 1, null);
    }

    @Override
    public void check(GraphTransaction graph, long size) {
      EdgeRecord edge = graph.edge(EDGE);
      assertEquals(size, edge.properties().size());
      assertEquals((int) size - 1, edge.value(edge.properties().get((int) size - 1)));
    }
  }

  /** The number of an edge among parallel ones. */
  private static final class ParallelEdges implements Walk {
    @Override
    public void write(GraphTransaction graph, long size) {
      if (size == Limit.PARALLEL_EDGES.most()) {
        EdgeId first = graph.addEdge(1, "e", 2, null, Map.of());
        Transaction below = graph.transaction();
        int last = (int) size - 1;
        below.putEdge(1, EdgeTags.out(first.label()), 2, last, new byte[0]);
        below.putEdge(2, EdgeTags.in(first.label()), 1, last, new byte[0]);
        below.addTotal(EdgeTags.ALL_EDGES, 1);
        below.addTotal(EdgeTags.edgesWith(first.label()), 1);
        return; // the next transaction sees it
      }
      if (graph.findEdge("1~1~2~" + Limit.PARALLEL_EDGES.most()) == null) {
        EdgeId edge = graph.addEdge(1, "e", 2, null, Map.of());
        assertEquals(Integer.MAX_VALUE, edge.sequence());
      }
      graph.addEdge(1, "e", 2, null, Map.of());
    }

    @Override
    public void check(GraphTransaction graph, long size) {
      assertNotNull(graph.findEdge("1~1~2"), "the first one is not written over");
      assertNotNull(graph.findEdge("1~1~2~" + (size - 1)));
    }
  }

  /** The amounts that a transaction adds to a total and to a counter of a vertex. */
  private static final class Counters implements Walk {
    private static final int TOTAL = 1_000;

    @Override
    public void write(GraphTransaction graph, long size) {
      Transaction below = graph.transaction();
      if (size < 0) { // one above the largest there is
        below.addCount(1, 9, -1);
        below.addTotal(TOTAL, Long.MAX_VALUE);
        refused(() -> below.addTotal(TOTAL, 1));
        below.addCount(2, 9, Long.MAX_VALUE);
        below.addCount(2, 9, 1);
      } else {
        below.addTotal(TOTAL, size - 1);
        below.addTotal(TOTAL, 1);
        below.addCount(1, 9, size);
      }
    }

    @Override
    public void check(GraphTransaction graph, long size) {
      assertEquals(size, graph.transaction().total(TOTAL));
      assertEquals(size, graph.transaction().count(1, 9));
    }
  }

  /** Keys that are alike to their ends, so that what stands between the pages is as long. */
  private static final class Keys implements Walk {
    private static final int COUNT = 40;

    private static byte[] key(long size, int i) {
      byte[] key = new byte[(int) size];
      key[key.length - 1] = (byte) i;
      return key;
    }

    @Override
    public void write(GraphTransaction graph, long size) {
      for (int i = 0; i < COUNT; i++) {
        graph.transaction().put(TreeIds.META, key(size, i), new byte[300]);
      }
    }

    @Override
    public void check(GraphTransaction graph, long size) {
      for (int i = 0; i < COUNT; i++) {
        assertArrayEquals(new byte[300], graph.transaction().get(TreeIds.META, key(size, i)));
      }
    }
  }

  /** The record of an edge with two properties that are as large as it may be together. */
  private static final class Entries implements Walk {
    private static final int HEAD = 1 + 1 + 2 * (1 + 4) + 2 * (1 + 4);
    private static final int FIRST = 32 << 20;

    @Override
    public void write(GraphTransaction graph, long size) {
      byte[] more = new byte[(int) size - FIRST - HEAD];
      graph.addEdge(1, "e", 2, null, Map.of("p", new byte[FIRST], "q", more));
    }

    @Override
    public void check(GraphTransaction graph, long size) {
      EdgeRecord edge = graph.edge(EdgeId.parse("1~1~2"));
      assertEquals(size, edge.encode().length);
      for (PropertyCell cell : edge.properties()) {
        byte[] value = (byte[]) edge.value(cell);
        assertArrayEquals(new byte[value.length], value);
      }
    }
  }

  @Test
  void theNameOfAVariableThatIsTooLongLeavesTheStoreWhole() throws Exception {
    try (Bg3 store = open()) {
      try (GraphTransaction graph = store.graph().begin()) {
        LimitExceededException e =
            assertThrows(
                LimitExceededException.class, () -> graph.variables().set("x".repeat(70_000), 1));
        assertEquals(
            "a label, property key or name of a graph variable is too long: limit=NAME_BYTES,"
                + " most=1024 bytes of UTF-8, given=70000",
            e.getMessage());
        graph.variables().set("x", 1);
        graph.commit();
      }
    }
    try (Bg3 store = open();
        GraphTransaction graph = store.graph().beginReadOnly()) {
      assertEquals(1, graph.variables().get("x"));
    }
  }

  @Test
  void malformedAndEmptyNamesOfVariablesAreRefused() throws Exception {
    try (Bg3 store = open();
        GraphTransaction graph = store.graph().begin()) {
      for (String name : List.of("", "\ud800")) {
        assertThrows(IllegalArgumentException.class, () -> graph.variables().set(name, 1));
      }
    }
  }

  @Test
  void declarationsUpdatesAndLinksMeetTheSameLimits() throws Exception {
    String tooLong = "x".repeat(1_025);
    EdgeLabelForm ordered = EdgeLabelForm.plain().orderedBy("time", SortOrder.DESCENDING);
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      long logged = store.transactions().syncLog();
      refused(() -> graph.declareEdgeLabel(tooLong, ordered));
      refused(() -> graph.declareEdgeLabel("e", ordered.orderedBy(tooLong, SortOrder.ASCENDING)));
      refused(() -> graph.makePropertyKey(tooLong));
      refused(() -> graph.retry(each -> each.addVertex(1L, tooLong)));
      refused(
          () ->
              graph.update(
                  1,
                  each -> {
                    each.vertexWriter().add(1, tooLong, new PropertyBytes());
                    return null;
                  }));
      assertEquals(logged, store.transactions().syncLog());
      EdgeLabel label = graph.declareEdgeLabel("e", ordered.asLoose());
      PropertyBytes large = new PropertyBytes();
      for (int i = 100; i < 103; i++) {
        large.putBytes(i, new byte[32 << 20]);
      }
      LinkBatch batch = new LinkBatch();
      refused(() -> batch.add(label, 1, 2, 3, true, large));
      refused(() -> graph.update(1, each -> each.links().put(label, 1, 2, 3, true, large)));
      try (Transaction below = store.transactions().begin(Isolation.STRICT, false)) {
        refused(() -> below.putEdge(1, 1, 2, 0, new byte[(80 << 20) + 1]));
        refused(() -> below.put(TreeIds.META, new byte[4_097], new byte[0]));
        refused(() -> below.delete(TreeIds.META, new byte[4_097]));
      }
      List<Object> seen = new ArrayList<>();
      graph.update(1, each -> seen.add(each.links().get(label, 1, 2)));
      assertEquals(1, seen.size());
      assertNull(seen.get(0));
    }
    open().close();
  }
}
