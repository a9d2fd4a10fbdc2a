package io.bg3.bench.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.core.graph.EdgeDirection;
import io.bg3.core.graph.EdgeScan;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.VertexScan;
import io.bg3.core.record.VertexRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The generated store has what its documentation promises, in memory here. */
class SocialGraphTest {
  private static List<String> edges(Bg3 store) {
    List<String> edges = new ArrayList<>();
    try (GraphTransaction transaction = store.graph().beginReadOnly();
        EdgeScan scan = transaction.edges(true)) {
      while (scan.next()) {
        edges.add(scan.edge().toString());
      }
    }
    return edges;
  }

  @Test
  void makesPeopleAndPagesWhoFollowEachOther() throws IOException {
    try (Bg3 store = Bg3.open(Settings.defaults())) {
      long[] done = {0};
      new SocialGraph(200, 3_000, 1).write(store.graph(), count -> done[0] += count);
      try (GraphTransaction transaction = store.graph().beginReadOnly()) {
        assertEquals(180, transaction.vertexCount("person"));
        assertEquals(20, transaction.vertexCount("page"));
        assertEquals(3_000, transaction.edgeCount("follows"));
      }
      assertEquals(3_200, done[0]);
      assertEquals(List.of(), store.check(count -> {}));
    }
  }

  /** Everything of the graph, its edges from both ends. */
  private static List<String> everything(Bg3 store) {
    List<String> all = new ArrayList<>();
    try (GraphTransaction transaction = store.graph().beginReadOnly();
        VertexScan vertices = transaction.vertices()) {
      all.add(transaction.vertexCounts() + " " + transaction.edgeCounts());
      while (vertices.next()) {
        VertexRecord vertex = vertices.record();
        all.add(vertices.vertex() + ": " + Arrays.toString(vertex.encode()));
        try (EdgeScan scan = transaction.edges(vertices.vertex(), EdgeDirection.BOTH, true)) {
          while (scan.next()) {
            byte[] record = transaction.edge(scan.edge()).encode();
            all.add(scan.isOut() + " " + scan.edge() + ": " + Arrays.toString(record));
          }
        }
      }
    }
    return all;
  }

  @Test
  void aLoadMakesTheGraphThatTransactionsMake(@TempDir Path directory) throws IOException {
    Settings onDisk = Settings.defaults().with(Setting.DIRECTORY, directory.toString());
    SocialGraph graph = new SocialGraph(3_000, 40_000, 5);
    try (Bg3 loaded = Bg3.open(onDisk);
        Bg3 written = Bg3.open(Settings.defaults())) {
      long[] done = {0};
      graph.load(loaded, count -> done[0] += count);
      assertEquals(graph.entries(), done[0]);
      graph.write(written.graph(), count -> {});
      assertEquals(everything(written), everything(loaded));
      assertEquals(List.of(), loaded.check(count -> {}));
    }
  }

  @Test
  void theSameSeedMakesTheSameGraph() throws IOException {
    try (Bg3 one = Bg3.open(Settings.defaults());
        Bg3 other = Bg3.open(Settings.defaults())) {
      new SocialGraph(100, 500, 9).write(one.graph(), count -> {});
      new SocialGraph(100, 500, 9).write(other.graph(), count -> {});
      assertEquals(edges(one), edges(other));
    }
  }

  @Test
  void refusesAStoreThatHasVertices() throws IOException {
    try (Bg3 store = Bg3.open(Settings.defaults())) {
      SocialGraph graph = new SocialGraph(100, 500, 9);
      graph.write(store.graph(), count -> {});
      IllegalArgumentException refused =
          assertThrows(
              IllegalArgumentException.class, () -> graph.write(store.graph(), count -> {}));
      assertTrue(refused.getMessage().contains("vertices=100"), refused.getMessage());
      refused = assertThrows(IllegalArgumentException.class, () -> graph.load(store, count -> {}));
      assertTrue(refused.getMessage().contains("vertices=100"), refused.getMessage());
    }
  }
}
