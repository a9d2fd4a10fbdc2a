package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.IndexForm;
import io.bg3.core.record.IndexKey;
import io.bg3.core.record.PropertyBytes;
import io.bg3.core.transaction.ConflictException;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An index of edges has the edges that transactions leave, however they were written. */
class EdgeIndexRulesTest {
  private static final String KEY = "weight";

  private static Bg3 open() throws Exception {
    return open("strict");
  }

  private static Bg3 open(String isolation) throws Exception {
    Bg3 store =
        Bg3.open(
            Settings.defaults()
                .with("bg3.memory.budget", "16m")
                .with(Setting.ISOLATION, isolation));
    store
        .graph()
        .retry(
            in -> {
              for (long vertex = 1; vertex <= 4; vertex++) {
                in.addVertex(vertex, "v");
              }
              return null;
            });
    return store;
  }

  private static EdgeId add(GraphStore graph, long source, long target, Object weight) {
    return graph.retry(in -> in.addEdge(source, "e", target, null, Map.of(KEY, weight)));
  }

  private static void createAndAwait(GraphStore graph, boolean unique, String... keys)
      throws InterruptedException {
    graph.createIndex(IndexedKeys.ofEdges(null, keys), unique);
    Indexes.await(graph);
  }

  private static List<EdgeId> find(GraphTransaction in, Object... values) {
    return find(in, List.of(new Condition(KEY, Sought.anyOf(List.of(values)))));
  }

  private static List<EdgeId> find(
      GraphTransaction in, List<Condition> conditions, String... labels) {
    try (EdgeLookup lookup = in.lookUpEdges(conditions, labels)) {
      List<EdgeId> found = lookup == null ? null : new ArrayList<>();
      while (lookup != null && lookup.next()) {
        found.add(lookup.edge());
      }
      return found;
    }
  }

  private static List<EdgeId> find(GraphStore graph, Object... values) {
    try (GraphTransaction in = graph.beginReadOnly()) {
      return find(in, values);
    }
  }

  private static void requireNoProblem(Bg3 store) {
    assertEquals(List.of(), store.check(looked -> {}));
  }

  @RuleTest(
      rule = 39,
      twins = {
        @Twin(
            name = "a transaction that has changed edges alone writes no entries",
            in = "io.bg3.core.graph.IndexEntries",
            method = "flush(Lio/bg3/core/graph/IndexCatalogue;)V",
            without = "Transaction.hasEdgesSince"),
        @Twin(
            name = "a look-up of edges does not write the transaction's entries before",
            in = "io.bg3.core.graph.IndexLookUps",
            method = "plan",
            without = "IndexEntries.flush")
      })
  void aTransactionFindsTheEdgesThatItLeaves() throws Exception {
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      assertNull(find(graph, 1));
      EdgeId first = add(graph, 1, 2, 1);
      createAndAwait(graph, false, KEY);
      EdgeId parallel = add(graph, 1, 2, 1);
      assertEquals(List.of(first, parallel), find(graph, 1));
      try (GraphTransaction in = graph.begin()) {
        in.removeEdge(first);
        EdgeId third = in.addEdge(3, "e", 1, null, Map.of(KEY, 1.0));
        assertEquals(List.of(parallel, third), find(in, 1L));
        in.setEdgeProperty(third, KEY, 2);
        in.setEdgeProperty(parallel, "other", 3);
        assertEquals(List.of(parallel), find(in, 1));
        assertEquals(List.of(third), find(in, 2));
        in.removeEdgeProperty(third, KEY);
        assertEquals(List.of(), find(in, 2));
        in.setEdgeProperty(third, KEY, List.of("untold"));
        in.commit();
      }
      assertEquals(2, find(graph, 1).size());
      requireNoProblem(store);
      graph.retry(
          in -> {
            in.removeVertex(1);
            return null;
          });
      assertEquals(List.of(), find(graph, 1));
      requireNoProblem(store);
    }
  }

  @RuleTest(
      rule = 39,
      twins = {
        @Twin(
            name = "edges of a vertex are looked up without the transaction's entries",
            in = "io.bg3.core.graph.IncidentEdges",
            method = "found",
            without = "IndexEntries.flush"),
        @Twin(
            name = "an index shows the edges of other vertices",
            in = "io.bg3.core.graph.IncidentEdges",
            method = "isOf",
            result = 1)
      })
  void theEdgesOfAVertexThatAnIndexFindsAreItsOwn() throws Exception {
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      EdgeId seventh = null;
      for (int weight = 0; weight < 150; weight++) {
        EdgeId added = add(graph, 1, 2, weight);
        seventh = weight == 7 ? added : seventh;
      }
      EdgeId other = add(graph, 3, 4, 7);
      createAndAwait(graph, false, KEY);
      try (GraphTransaction in = graph.begin()) {
        assertEquals(List.of(seventh), incident(in, 1, EdgeDirection.OUT, 7));
        assertEquals(List.of(seventh), incident(in, 2, EdgeDirection.IN, 7));
        assertEquals(List.of(), incident(in, 1, EdgeDirection.OUT, 999));
        assertNull(incident(in, 3, EdgeDirection.OUT, 7), "it has one edge");
        EdgeId own = in.addEdge(1, "e", 2, null, Map.of(KEY, 7.0));
        in.removeEdge(seventh);
        in.setEdgeProperty(other, KEY, 8);
        assertEquals(List.of(own), incident(in, 1, EdgeDirection.OUT, 7));
        assertEquals(List.of(own), incident(in, 2, EdgeDirection.IN, 7));
      }
      graph.dropIndex(IndexedKeys.ofEdges(null, KEY));
      try (GraphTransaction in = graph.begin()) {
        assertNull(incident(in, 1, EdgeDirection.OUT, 7));
      }
    }
  }

  private static List<EdgeId> incident(
      GraphTransaction in, long vertex, EdgeDirection direction, Object value) {
    IncidentEdges edges =
        in.incidentEdges(List.of(new Condition(KEY, Sought.anyOf(List.of(value)))), "e");
    EdgeLookup lookup = edges == null ? null : edges.of(vertex, direction);
    List<EdgeId> found = lookup == null ? null : new ArrayList<>();
    while (lookup != null && lookup.next()) {
      found.add(lookup.edge());
    }
    return found;
  }

  @RuleTest(
      rule = 39,
      sites =
          @Site(
              name = "entries are made",
              in = "io.bg3.core.graph.GraphTransaction",
              method = "tryCommit",
              before = "Transaction.commit"),
      twins =
          @Twin(
              name = "a commit of edges does not note with which indexes it made its entries",
              in = "io.bg3.core.graph.IndexEntries",
              method = "flush(Lio/bg3/core/graph/IndexCatalogue;)V",
              without = "Transaction.madeEntriesAt"))
  void aCommitOfEdgesMakesItsEntriesAgainWhenAnIndexHasCome() throws Exception {
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      Sites.Other creator =
          Sites.meanwhile("entries are made", () -> createAndAwait(graph, false, KEY));
      EdgeId edge;
      try (GraphTransaction in = graph.begin()) {
        edge = in.addEdge(1, "e", 2, null, Map.of(KEY, 1));
        in.commit();
      }
      Sites.requirePassed("entries are made");
      creator.join();
      Indexes.await(graph);
      assertEquals(List.of(edge), find(graph, 1));
      requireNoProblem(store);
    }
  }

  /** The changes of a transaction, if only out-entries counted. */
  static EdgeId ofOutEntry(byte[] key) {
    return EdgeKey.tag(EdgeKey.tagLabel(key)) == EdgeKey.OUT ? Edges.ofEntry(key) : null;
  }

  @RuleTest(
      rule = 39,
      twins =
          @Twin(
              name = "the record of an ordered edge is changed and its entries are not",
              in = "io.bg3.core.graph.IndexEntries",
              method = "edges",
              without = "Edges.ofEntry",
              instead = "ofOutEntry"))
  void edgesWithDeclaredLabelsAreIndexed() throws Exception {
    try (Bg3 store = open("snapshot")) {
      GraphStore graph = store.graph();
      EdgeLabel loose =
          graph.declareEdgeLabel(
              "loose", EdgeLabelForm.plain().asLoose().orderedBy("at", SortOrder.DESCENDING));
      EdgeLabel firm =
          graph.declareEdgeLabel(
              "firm", EdgeLabelForm.plain().orderedBy("at", SortOrder.ASCENDING).asCounted());
      int weight = graph.makePropertyKey(KEY);
      createAndAwait(graph, false, KEY);
      createAndAwait(graph, false, "at", KEY);
      EdgeId link = new EdgeId(1, loose.code(), 77, 0);
      EdgeId other = new EdgeId(2, firm.code(), 3, 0);
      graph.update(
          new long[] {1, 2, 3},
          in -> {
            in.links().put(loose, 1, 77, 5, true, new PropertyBytes().put(weight, 1));
            in.links().put(firm, 2, 3, 6, true, new PropertyBytes().put(weight, 1));
            in.links().put(firm, 2, 1, 6, false, new PropertyBytes().put(weight, 1));
            return null;
          });
      assertEquals(List.of(link, other), sorted(find(graph, 1)));
      graph.retry(
          in -> {
            in.setEdgeProperty(link, KEY, 2);
            in.setEdgeProperty(other, "at", 9L);
            return null;
          });
      assertEquals(List.of(other), find(graph, 1));
      assertEquals(List.of(link), find(graph, 2));
      requireNoProblem(store);
      LinkBatch batch = new LinkBatch();
      batch.add(loose, 1, 77, 5, true, new PropertyBytes().put(weight, 3));
      batch.add(loose, 1, 78, 5, true, new PropertyBytes().put(weight, 3));
      batch.add(loose, 1, 79, 5, false, new PropertyBytes().put(weight, 3));
      graph.putLinks(batch);
      assertEquals(2, find(graph, 3).size());
      try (GraphTransaction in = graph.begin()) {
        List<Condition> conditions =
            List.of(
                new Condition("at", Sought.anyOf(List.of(5))),
                new Condition(KEY, Sought.between(3, null)));
        assertEquals(2, find(in, conditions, "loose").size());
        assertEquals(List.of(), find(in, conditions, "firm"));
        in.links().hide(loose, 1, 77);
        in.links().expunge(firm, 2, 3);
        assertEquals(List.of(new EdgeId(1, loose.code(), 78, 0)), find(in, 3));
        assertEquals(List.of(), find(in, 1));
        in.commit();
      }
      requireNoProblem(store);
    }
  }

  private static List<EdgeId> sorted(List<EdgeId> edges) {
    List<EdgeId> sorted = new ArrayList<>(edges);
    sorted.sort((a, b) -> Long.compare(a.source(), b.source()));
    return sorted;
  }

  @Test
  void aValueOfAUniqueIndexHasOneEdge() throws Exception {
    for (String isolation : List.of("strict", "snapshot")) {
      try (Bg3 store = open(isolation)) {
        GraphStore graph = store.graph();
        EdgeId edge = add(graph, 1, 2, 1);
        add(graph, 1, 3, 2);
        createAndAwait(graph, true, KEY);
        DuplicateValueException e =
            assertThrows(DuplicateValueException.class, () -> add(graph, 2, 3, 1L));
        assertTrue(
            e.getMessage()
                .startsWith(
                    "no two edges may have this value: unique index=edge:*.weight, value=1"),
            e.getMessage());
        assertTrue(e.getMessage().endsWith("other edge=" + edge), e.getMessage());
        try (GraphTransaction one = graph.begin();
            GraphTransaction other = graph.begin()) {
          one.addEdge(1, "e", 4, null, Map.of(KEY, 3));
          other.addEdge(2, "e", 4, null, Map.of(KEY, 3));
          one.commit();
          assertThrows(ConflictException.class, other::commit);
        }
        requireNoProblem(store);
      }
    }
  }

  /** A transaction conflicts with an edge that gets the value which it has looked for. */
  @Test
  void aValueThatWasLookedForIsRead() throws Exception {
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      createAndAwait(graph, false, KEY);
      try (GraphTransaction in = graph.begin();
          GraphTransaction other = graph.begin()) {
        assertEquals(List.of(), find(in, 1));
        assertEquals(List.of(), find(other, 2));
        add(graph, 1, 2, 1);
        in.addVertex(8L, "v");
        other.addVertex(9L, "v");
        assertThrows(ConflictException.class, in::commit);
        other.commit();
      }
    }
  }

  @Test
  void anIndexOfEdgesWithFaultsIsBuiltAnew() throws Exception {
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      EdgeId edge = add(graph, 1, 2, 1);
      createAndAwait(graph, false, KEY);
      IndexedKeys of = IndexedKeys.ofEdges(null, KEY);
      assertEquals("edge:*.weight", of.toString());
      assertEquals(List.of(), graph.checkIndex(of, looked -> {}));
      graph.retry(
          in -> {
            in.transaction()
                .deleteEntry(
                    IndexKey.entry(
                        1,
                        in.edge(edge).property(in.findKey(KEY)),
                        GraphKeys.edge(edge),
                        new IndexForm(false, true)));
            in.transaction().putEntry(IndexKey.untold(1, GraphKeys.edge(new EdgeId(9, 1, 9, 0))));
            return null;
          });
      assertEquals(2, graph.checkIndex(of, looked -> {}).size());
      graph.rebuildIndex(of);
      Indexes.await(graph);
      assertEquals(List.of(), graph.checkIndex(of, looked -> {}));
      assertEquals(List.of(edge), find(graph, 1));
      assertThrows(
          IllegalArgumentException.class,
          () -> graph.checkIndex(IndexedKeys.ofVertices(null, KEY), looked -> {}));
      assertTrue(graph.dropIndex(of));
      Indexes.await(graph);
      requireNoProblem(store);
    }
  }

  /** They come in several batches, and those of one vertex are in more than one. */
  @Test
  void manyEdgesAreIndexedBesideWriters() throws Exception {
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      for (int commit = 0; commit < 9; commit++) {
        int first = 1_000 * commit;
        graph.retry(
            in -> {
              for (int i = first; i < first + 1_000; i++) {
                in.addEdge(1 + i / 7_000, "e", 1 + i % 4, null, Map.of(KEY, i % 10));
              }
              return null;
            });
      }
      graph.createIndex(IndexedKeys.ofEdges("e", KEY), false);
      for (int i = 0; i < 100; i++) {
        add(graph, 1 + i % 4, 2, 10);
      }
      Indexes.await(graph);
      try (GraphTransaction in = graph.begin()) {
        List<Condition> seven = List.of(new Condition(KEY, Sought.anyOf(List.of(7))));
        assertEquals(900, find(in, seven, "e").size());
        List<Condition> ten = List.of(new Condition(KEY, Sought.between(10, null)));
        assertEquals(100, find(in, ten, "e").size());
        assertNull(find(in, ten));
      }
      requireNoProblem(store);
    }
  }

  @Test
  void anEdgeBesideALinkOfItsTransactionIsAnotherOne() throws Exception {
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      EdgeLabel label =
          graph.declareEdgeLabel(
              "link", EdgeLabelForm.plain().orderedBy("at", SortOrder.ASCENDING));
      try (GraphTransaction in = graph.begin()) {
        in.links().put(label, 1, 2, 5, true, new PropertyBytes());
        assertEquals(1, in.addEdge(1, "link", 2, null, Map.of("at", 7L)).sequence());
        in.commit();
      }
      requireNoProblem(store);
    }
  }
}
