package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.Settings;
import io.bg3.core.tree.ReadCounts;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Twin;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A thread counts the entries that it has read of a graph with a known number of everything. */
class ReadCountsRulesTest {
  private static final int VERTICES = 3_000;
  private static final long HUB = 1;
  private static final String KNOWS = "knows";

  private static Bg3 filled() throws Exception {
    Bg3 store = Bg3.open(Settings.defaults().with("bg3.memory.budget", "16m"));
    store
        .graph()
        .retry(
            in -> {
              long hub = in.addVertex(HUB, "v");
              for (long i = 2; i <= VERTICES; i++) {
                in.addEdge(hub, KNOWS, in.addVertex(i, "v"), null, Map.of());
              }
              return null;
            });
    return store;
  }

  private interface Reads {
    void in(GraphTransaction transaction);
  }

  private static ReadCounts counts(Bg3 store, Reads reads) {
    try (GraphTransaction in = store.graph().beginReadOnly()) {
      ReadCounts before = ReadCounts.ofThread();
      reads.in(in);
      return ReadCounts.ofThread().since(before);
    }
  }

  private static void scanVertices(GraphTransaction in) {
    try (VertexScan scan = in.vertices()) {
      while (scan.next(() -> {})) {}
    }
  }

  private static void scanEdges(GraphTransaction in) {
    try (EdgeScan scan = in.edges(HUB, EdgeDirection.OUT, false, KNOWS)) {
      while (scan.next(() -> {})) {}
    }
  }

  private static void hop(GraphTransaction in) {
    in.neighbours(new long[] {HUB}, 1, EdgeDirection.OUT, VERTICES, new NeighbourBatch(), KNOWS);
  }

  @RuleTest(
      rule = 40,
      twins = {
        @Twin(
            name = "a scan does not count the leaves that it copies",
            in = "io.bg3.core.keyspace.LeafScan",
            method = "copyLeaf",
            without = "ReadTally.addPage"),
        @Twin(
            name = "a scan of all vertices is not counted as one",
            in = "io.bg3.core.graph.GraphTransaction",
            method = "vertices",
            without = "ReadTally.addFullScan")
      })
  void aScanCountsItsEntries() throws Exception {
    try (Bg3 store = filled()) {
      ReadCounts all = counts(store, ReadCountsRulesTest::scanVertices);
      assertEquals(VERTICES, all.entries());
      assertEquals(1, all.fullScans());
      assertEquals(0, all.lookUps());
      assertTrue(all.pages() > 1 && all.pages() < VERTICES / 10, "pages: " + all.pages());
      ReadCounts edges = counts(store, ReadCountsRulesTest::scanEdges);
      assertEquals(VERTICES - 1, edges.entries());
      assertEquals(0, edges.fullScans());
    }
  }

  @RuleTest(
      rule = 40,
      twins =
          @Twin(
              name = "a hop does not count the leaves that it copies",
              in = "io.bg3.core.tree.NeighbourReader",
              method = {"copyLeaf", "readOn"},
              without = "ReadTally.addPage"))
  void aHopCountsItsNeighbours() throws Exception {
    try (Bg3 store = filled()) {
      assertEquals(VERTICES - 1, counts(store, ReadCountsRulesTest::hop).entries());
    }
  }

  @RuleTest(
      rule = 40,
      twins =
          @Twin(
              name = "the look-up of a key is not counted",
              in = "io.bg3.core.transaction.PointReads",
              method = "applied",
              without = "ReadTally.addLookUp"))
  void aLookUpCountsOnePage() throws Exception {
    try (Bg3 store = filled()) {
      ReadCounts one = counts(store, in -> in.vertex(7));
      assertEquals(new ReadCounts(1, 0, 1, 0, 0, 0), one);
    }
  }

  @Test
  void aReaderWithoutATransactionCountsToo() throws Exception {
    try (Bg3 store = filled()) {
      GraphReader reader = store.graph().reader();
      ReadCounts before = ReadCounts.ofThread();
      assertNotNull(reader.vertex(7));
      assertEquals(1, ReadCounts.ofThread().since(before).lookUps());
    }
  }

  @Test
  void countsOfAnotherThreadStayAsTheyAre() throws Exception {
    try (Bg3 store = filled()) {
      ReadCounts before = ReadCounts.ofThread();
      Thread other = new Thread(() -> counts(store, ReadCountsRulesTest::scanVertices));
      other.start();
      other.join();
      assertEquals(ReadCounts.NONE, ReadCounts.ofThread().since(before));
    }
  }
}
