package io.bg3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.graph.Cardinality;
import io.bg3.core.graph.Condition;
import io.bg3.core.graph.EdgeDirection;
import io.bg3.core.graph.EdgeLabel;
import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.EdgeLookup;
import io.bg3.core.graph.EdgeScan;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.IndexedKeys;
import io.bg3.core.graph.Indexes;
import io.bg3.core.graph.SortOrder;
import io.bg3.core.graph.Sought;
import io.bg3.core.graph.VertexLookup;
import io.bg3.core.record.PropertyBytes;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import io.bg3.storage.file.MemoryDisk;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Long lists of vertices and links that are not in memory, asked for one after the other, and what
 * indexes name.
 */
class AnnouncedReadsRulesTest {
  private static final int ASKED = 600; // more than one group loads
  private static final int GROUP = 60;
  private static final int APART = 5; // so that each is in a leaf of its own
  private static final int ALONE = 20; // of a few inner pages, and of the dictionary
  private static final int FEW =
      ASKED / 8; // and the first and the last of some leaves of the index

  private static final long SOURCE = 100_000;

  private static final String LOADER = "io.bg3.core.tree.PageLoader";
  private static final String LOAD_ALONE = "load(ILio/bg3/core/tree/PageLoader$Part;)V";

  private static Bg3 open() throws Exception {
    return Bg3.open(
        Settings.defaults()
            .with(Setting.MEMORY_BUDGET, "32m")
            .with(Setting.PAGE_CAPACITY, "512")
            .with(Setting.SPLIT_OUT, "0") // no vertex moves while leaves are evicted
            .with(Setting.DURABILITY, "none"),
        new MemoryDisk());
  }

  /** Counts the pages that the reads load one by one. */
  private static int alone(Bg3 store, Runnable reads) throws Exception {
    store.checkpoint();
    int leaves = store.evict();
    assertTrue(leaves > ASKED / 2, "leaves: " + leaves);
    AtomicInteger alone = new AtomicInteger();
    Sites.always("alone", alone::incrementAndGet);
    try {
      reads.run();
    } finally {
      Sites.never("alone");
    }
    return alone.get();
  }

  @RuleTest(
      rule = 30,
      sites = @Site(name = "alone", in = LOADER, method = LOAD_ALONE),
      twins =
          @Twin(
              name = "of a long list of vertices only the first are announced",
              in = "io.bg3.core.graph.GraphTransaction",
              method = "prefetchNext",
              without = "Math.floorMod",
              instead = "isFirst"))
  void verticesOfALongListAreLoadedTogether() throws Exception {
    try (Bg3 store = open()) {
      try (GraphTransaction graph = store.graph().begin()) {
        for (long id = 1; id <= ASKED * APART; id++) {
          graph.addVertex(id, "node");
          graph.setProperty(id, Cardinality.SINGLE, "name", "n".repeat(100), null);
        }
        graph.commit();
      }
      int alone =
          alone(
              store,
              () -> {
                try (GraphTransaction graph = store.graph().begin()) {
                  for (int i = 0; i < ASKED; i++) {
                    long id = vertex(i);
                    graph.prefetchNext(i, ASKED, AnnouncedReadsRulesTest::vertex);
                    assertEquals(id, graph.findVertex(id));
                  }
                }
              });
      assertTrue(alone < ALONE, "loaded alone: " + alone);
    }
  }

  @RuleTest(
      rule = 30,
      sites = @Site(name = "alone", in = LOADER, method = LOAD_ALONE),
      twins =
          @Twin(
              name = "of a long list of links only the first are announced",
              in = "io.bg3.core.graph.Links",
              method = "prefetchNext",
              without = "Math.floorMod",
              instead = "isFirst"))
  void linksOfALongListAreLoadedTogether() throws Exception {
    try (Bg3 store = open()) {
      EdgeLabelForm form = EdgeLabelForm.plain().orderedBy("time", SortOrder.DESCENDING).asLoose();
      EdgeLabel label = store.graph().declareEdgeLabel("link", form);
      int name = store.graph().makePropertyKey("name");
      try (GraphTransaction graph = store.graph().begin()) {
        for (int i = 0; i < ASKED * APART; i++) {
          PropertyBytes properties = new PropertyBytes();
          properties.put(name, "n".repeat(100));
          graph.links().put(label, SOURCE, 1 + i, i, false, properties);
        }
        graph.commit();
      }
      long[] targets = new long[ASKED];
      Arrays.setAll(targets, AnnouncedReadsRulesTest::vertex);
      int alone =
          alone(
              store,
              () -> {
                try (GraphTransaction graph = store.graph().begin()) {
                  for (int i = 0; i < ASKED; i++) {
                    graph.links().prefetchNext(label, SOURCE, i, targets);
                    assertEquals(targets[i], graph.links().get(label, SOURCE, targets[i]).target());
                  }
                }
              });
      assertTrue(alone < ALONE, "loaded alone: " + alone);
    }
  }

  @RuleTest(
      rule = 30,
      sites = @Site(name = "alone", in = LOADER, method = LOAD_ALONE),
      twins =
          @Twin(
              name = "a look-up of vertices by an index announces none",
              in = "io.bg3.core.graph.VertexLookup",
              method = "next",
              without = "VertexLookup.announce"))
  void verticesThatAnIndexNamesAreLoadedTogether() throws Exception {
    try (Bg3 store = open()) {
      store.graph().createIndex("node", "code");
      Indexes.await(store.graph());
      addNodes(store);
      assertTogether(store, ASKED / 2, Sought.anyOf(List.of("even")));
      assertTogether(store, ASKED, Sought.anyOf(List.of("even", "odd")));
      assertTogether(store, ASKED / 2, Sought.between("e", "f"));
    }
  }

  /**
   * Own entries come behind those of the trees, of which the last leaf has none that the snapshot
   * sees: nothing is known to follow there.
   */
  @Test
  void ownVerticesAreFoundBehindALeafThatShowsNone() throws Exception {
    for (int committed = 1; committed <= 8; committed++) {
      for (int later : new int[] {0, 50, 400}) {
        try (Bg3 store = open()) {
          store.graph().createIndex("node", "code");
          Indexes.await(store.graph());
          addNodes(store, 1, committed, 300);
          try (GraphTransaction graph = store.graph().begin()) {
            addNode(graph, SOURCE);
            addNodes(store, 1_000, later, later);
            store.checkpoint();
            store.evict();
            int found = 0;
            try (VertexLookup lookup = graph.lookUp("code", List.of("x"), "node")) {
              while (lookup.next()) {
                found++;
              }
            }
            assertEquals(committed + 1, found, "committed=" + committed + ", later=" + later);
          }
        }
      }
    }
  }

  /** Commits vertices, of which the first ones are in the index of a code. */
  private static void addNodes(Bg3 store, long first, int coded, int all) {
    try (GraphTransaction graph = store.graph().begin()) {
      for (int i = 0; i < all; i++) {
        if (i < coded) {
          addNode(graph, first + i);
        } else {
          graph.addVertex(first + i, "node");
        }
        graph.setProperty(first + i, Cardinality.SINGLE, "name", "n".repeat(100), null);
      }
      graph.commit();
    }
  }

  private static void addNode(GraphTransaction graph, long id) {
    graph.addVertex(id, "node");
    graph.setProperty(id, Cardinality.SINGLE, "code", "x", null);
  }

  @RuleTest(
      rule = 30,
      sites = @Site(name = "alone", in = LOADER, method = LOAD_ALONE),
      twins =
          @Twin(
              name = "a look-up of edges by an index announces none",
              in = "io.bg3.core.graph.EdgeLookup",
              method = "next",
              without = "EdgeLookup.announce"))
  void edgesThatAnIndexNamesAreLoadedTogether() throws Exception {
    try (Bg3 store = open()) {
      store.graph().createIndex(IndexedKeys.ofEdges("knows", "code"), false);
      Indexes.await(store.graph());
      addNodes(store);
      try (GraphTransaction graph = store.graph().begin()) {
        for (long id = 1; id < ASKED * APART; id++) {
          String code = id % APART == 0 ? "some" : "n".repeat(100);
          graph.addEdge(id, "knows", id + 1, null, Map.of("code", code));
        }
        graph.commit();
      }
      int alone =
          alone(
              store,
              () -> {
                try (GraphTransaction graph = store.graph().begin();
                    EdgeLookup lookup =
                        graph.lookUpEdges(
                            List.of(new Condition("code", Sought.anyOf(List.of("some")))),
                            "knows")) {
                  for (int i = 1; i < ASKED; i++) {
                    assertTrue(lookup.next());
                    assertEquals((long) i * APART, lookup.edge().source());
                  }
                  assertFalse(lookup.next());
                }
              });
      assertTrue(alone < FEW, "loaded alone: " + alone);
    }
  }

  @RuleTest(
      rule = 30,
      sites = @Site(name = "alone", in = LOADER, method = LOAD_ALONE),
      twins =
          @Twin(
              name = "of the edges of a group of vertices none are announced",
              in = "io.bg3.core.graph.GraphTransaction",
              method = "prefetchEdges",
              without = "Transaction.prefetchEdges"))
  void edgesOfAGroupOfVerticesAreLoadedTogether() throws Exception {
    try (Bg3 store = open()) {
      addEdges(store);
      int alone =
          alone(
              store,
              () ->
                  readGroups(
                      store,
                      (graph, group) -> graph.prefetchEdges(group, EdgeDirection.OUT, "knows"),
                      (graph, id) -> graph.edges(id, EdgeDirection.OUT, true, "knows")));
      assertTrue(alone < ALONE, "loaded alone: " + alone);
    }
  }

  @RuleTest(
      rule = 30,
      sites = @Site(name = "alone", in = LOADER, method = LOAD_ALONE),
      twins =
          @Twin(
              name = "of the sorted edges of a group of vertices none are announced",
              in = "io.bg3.core.graph.GraphTransaction",
              method = "prefetchSortedEdges",
              without = "Transaction.prefetchEdges"))
  void sortedEdgesOfAGroupOfVerticesAreLoadedTogether() throws Exception {
    try (Bg3 store = open()) {
      EdgeLabelForm form = EdgeLabelForm.plain().orderedBy("time", SortOrder.DESCENDING);
      EdgeLabel label = store.graph().declareEdgeLabel("knows", form);
      addEdges(store);
      for (SortOrder order : SortOrder.values()) {
        int alone =
            alone(
                store,
                () ->
                    readGroups(
                        store,
                        (graph, group) -> graph.prefetchSortedEdges(group, label, 7),
                        (graph, id) -> graph.sortedEdges(id, label, 7, 7, order, 1)));
        assertTrue(alone < ALONE, "loaded alone: " + alone);
      }
    }
  }

  private static void addEdges(Bg3 store) throws Exception {
    addNodes(store);
    try (GraphTransaction graph = store.graph().begin()) {
      for (long id = 1; id < ASKED * APART; id++) {
        graph.addEdge(id, "knows", id + 1, null, Map.of("name", "n".repeat(100), "time", 7L));
      }
      graph.commit();
    }
  }

  private static void readGroups(
      Bg3 store,
      BiConsumer<GraphTransaction, long[]> announce,
      BiFunction<GraphTransaction, Long, EdgeScan> edges) {
    try (GraphTransaction graph = store.graph().begin()) {
      for (int i = 0; i < ASKED; i += GROUP) {
        long[] group = IntStream.range(i, i + GROUP).mapToLong(j -> vertex(j)).toArray();
        announce.accept(graph, group);
        for (long vertex : group) {
          try (EdgeScan scan = edges.apply(graph, vertex)) {
            assertTrue(scan.next());
            assertEquals(vertex + 1, scan.other());
          }
        }
      }
    }
  }

  /** Of several vertices one has a code. */
  private static void addNodes(Bg3 store) throws Exception {
    try (GraphTransaction graph = store.graph().begin()) {
      for (int i = 0; i < ASKED * APART; i++) {
        long id = 1L + i;
        graph.addVertex(id, "node");
        graph.setProperty(id, Cardinality.SINGLE, "name", "n".repeat(100), null);
        if (i % APART == 0) {
          String code = i / APART % 2 == 0 ? "even" : "odd";
          graph.setProperty(id, Cardinality.SINGLE, "code", code, null);
        }
      }
      graph.commit();
    }
  }

  private static void assertTogether(Bg3 store, int expected, Sought codes) throws Exception {
    int alone =
        alone(
            store,
            () -> {
              int found = 0;
              try (GraphTransaction graph = store.graph().begin();
                  VertexLookup lookup = graph.lookUp("code", codes, "node")) {
                while (lookup.next()) {
                  assertEquals(0, (lookup.vertex() - 1) % APART);
                  found++;
                }
              }
              assertEquals(expected, found);
            });
    assertTrue(alone < FEW, "loaded alone: " + alone);
  }

  private static long vertex(int i) {
    return 1 + (long) i * APART;
  }

  static int isFirst(int next, int together) {
    return next;
  }
}
