package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.Settings;
import io.bg3.export.Exporter;
import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.load.LoadSummary;
import io.bg3.load.Loader;
import io.bg3.transfer.GraphFile;
import io.bg3.transfer.GraphSource;
import io.bg3.transfer.Graphs;
import io.bg3.transfer.Losses;
import io.bg3.transfer.StoreSource;
import io.bg3.transfer.StoreTarget;
import io.bg3.transfer.TransferException;
import io.bg3.transfer.csv.CsvGraphFile;
import io.bg3.transfer.csv.CsvGraphWriter;
import io.bg3.transfer.remote.RemoteGraph;
import io.bg3.transfer.remote.RemoteSource;
import io.bg3.transfer.remote.RemoteTarget;
import io.bg3.transfer.star.GryoFile;
import io.bg3.transfer.star.GryoGraphWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Loads and exports through a server, and compares with what a store of this process has.
 *
 * <p>Takes about 7 s: it covers every format through a server. It has no longer form.
 */
class RemoteTransferIT {
  private static final int VERTICES = 700;

  @TempDir private Path directory;

  @Test
  void whatIsLoadedAndExportedThroughAServerIsTheSameGraph() throws Exception {
    try (Bg3 first = Bg3.open(Settings.defaults());
        Bg3 second = Bg3.open(Settings.defaults());
        ServedFixture served = new ServedFixture(Bg3Graph.open(), Map.of());
        RemoteGraph remote = remote(served)) {
      GryoFile file = new GryoFile(graph());
      loadInto(first, file);
      LoadSummary summary =
          new Loader(0, row -> {}, count -> {})
              .load(List.of(file), rows -> new RemoteTarget(remote, true, rows));
      assertEquals(VERTICES, summary.vertices());
      assertEquals(2 * VERTICES, summary.edges());
      Path exported = directory.resolve("exported.kryo");
      try (GraphSource source = new RemoteSource(remote)) {
        new Exporter(new GryoGraphWriter(), exported, false)
            .export(source, new Losses(false), count -> {});
      }
      loadInto(second, new GryoFile(exported));
      assertEquals(List.of(), Graphs.differences(first, second));
      assertEquals((long) VERTICES, served.g().V().count().next());
    }
  }

  @Test
  void aBadRowIsFoundInItsBatch() throws Exception {
    Path vertices =
        Files.writeString(directory.resolve("v.csv"), "~id,n:int\n1,1\n2,2\n1,3\n4,4\n");
    Path edges =
        Files.writeString(directory.resolve("e.csv"), "~id,~from,~to\na,1,2\nb,1,9\nc,4,1\n");
    try (ServedFixture served = new ServedFixture(Bg3Graph.open(), Map.of());
        RemoteGraph remote = remote(served)) {
      List<String> bad = new ArrayList<>();
      LoadSummary summary =
          new Loader(Long.MAX_VALUE, row -> bad.add(row.toString()), count -> {})
              .load(
                  List.of(new CsvGraphFile(edges), new CsvGraphFile(vertices)),
                  rows -> new RemoteTarget(remote, false, rows));
      assertEquals(3, summary.vertices());
      assertEquals(2, summary.edges());
      assertEquals(2, bad.size(), bad.toString());
      assertTrue(bad.get(0).startsWith(vertices + ":4: "), bad.get(0));
      assertTrue(bad.get(1).startsWith(edges + ":3: "), bad.get(1));
      assertEquals(List.of(1, 2, 4), served.g().V().values("n").order().toList());
      Path csv = directory.resolve("csv");
      try (GraphSource source = new RemoteSource(remote)) {
        new Exporter(new CsvGraphWriter(), csv, false)
            .export(source, new Losses(false), count -> {});
      }
      assertEquals(
          List.of("~id,~label,n:int", "1,vertex,1", "2,vertex,2", "4,vertex,4"),
          Files.readAllLines(csv.resolve("vertices.csv")));
      TransferException strict =
          assertThrows(
              TransferException.class,
              () ->
                  new Loader(0, row -> {}, count -> {})
                      .load(
                          List.of(new CsvGraphFile(vertices)),
                          rows -> new RemoteTarget(remote, false, rows)));
      assertTrue(strict.getMessage().startsWith("stopped at a bad row: " + vertices + ":2: "));
    }
  }

  @Test
  void noServerIsNamed() throws Exception {
    int port = ServedFixture.freePort();
    TransferException none =
        assertThrows(TransferException.class, () -> new RemoteGraph(address(port)));
    assertTrue(
        none.getMessage().startsWith("cannot reach the server: address=127.0.0.1:" + port),
        none.getMessage());
  }

  private Path graph() throws Exception {
    Path file = directory.resolve("graph.kryo");
    try (Bg3Graph graph = Bg3Graph.open(directory.resolve("made").toString())) {
      List<org.apache.tinkerpop.gremlin.structure.Vertex> vertices = new ArrayList<>();
      for (int i = 0; i < VERTICES; i++) {
        var vertex =
            graph.addVertex(T.id, i % 2 == 0 ? (Object) (long) i : "v" + i, T.label, "l" + i % 3);
        vertex.property(VertexProperty.Cardinality.list, "name", "n" + i, "since", i);
        vertex.property(VertexProperty.Cardinality.list, "name", List.of(i, 1.5f));
        vertices.add(vertex);
      }
      for (int i = 0; i < VERTICES; i++) {
        var other = vertices.get(i * 7 % VERTICES);
        vertices.get(i).addEdge("e", other, T.id, "e" + i, "weight", (double) i);
        vertices.get(i).addEdge("e", other);
      }
      graph.tx().commit();
    }
    try (Bg3 store = Bg3.open(directory.resolve("made"));
        GraphSource source = new StoreSource(store.graph(), new Losses(false))) {
      new Exporter(new GryoGraphWriter(), file, false)
          .export(source, new Losses(false), count -> {});
    }
    return file;
  }

  private static void loadInto(Bg3 store, GraphFile file) throws IOException {
    new Loader(0, row -> {}, count -> {})
        .load(List.of(file), rows -> new StoreTarget(store.graph(), 1_000, true, rows));
  }

  private static RemoteGraph remote(ServedFixture served) throws TransferException {
    return new RemoteGraph(address(served.port()));
  }

  private static RemoteGraph.Address address(int port) {
    return new RemoteGraph.Address("127.0.0.1", port, null, null, false, null, null);
  }
}
