package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bg3.Bg3;
import io.bg3.export.Exporter;
import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.load.LoadSummary;
import io.bg3.load.Loader;
import io.bg3.transfer.GraphFile;
import io.bg3.transfer.Losses;
import io.bg3.transfer.StoreSource;
import io.bg3.transfer.StoreTarget;
import io.bg3.transfer.csv.CsvGraphFile;
import io.bg3.transfer.csv.CsvGraphWriter;
import io.bg3.transfer.star.GryoFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Scope;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Loads the graph of the world's airports from CSV, serves it, and gives the same queries to the
 * server through the driver and to TinkerGraph on the same graph.
 *
 * <p>The graph is the one in TinkerPop's test artifact, written to CSV first; where the data's own
 * CSV files lie beside the repository they are loaded too.
 */
class AirRoutesIT {
  private static final int VERTICES = 3_749;
  private static final int EDGES = 57_645;

  private static final Map<String, Function<GraphTraversalSource, GraphTraversal<?, ?>>> QUERIES =
      Map.ofEntries(
          Map.entry("vertices by label", g -> g.V().groupCount().by(T.label)),
          Map.entry("edges by label", g -> g.E().groupCount().by(T.label)),
          Map.entry(
              "airports of a country",
              g -> g.V().has("airport", "country", "AT").values("code").order()),
          Map.entry(
              "two hops",
              g ->
                  g.V()
                      .has("airport", "code", "SZG")
                      .out("route")
                      .out("route")
                      .dedup()
                      .values("code")
                      .order()),
          Map.entry(
              "airports on a shortest way",
              g ->
                  g.V()
                      .has("airport", "code", "SZG")
                      .repeat(__.out("route").dedup())
                      .until(__.has("code", "WLG"))
                      .limit(1)
                      .path()
                      .count(Scope.local)),
          Map.entry(
              "runways by country",
              g -> g.V().hasLabel("airport").group().by("country").by(__.values("runways").sum())),
          Map.entry(
              "longest routes",
              g -> g.E().hasLabel("route").order().by("dist", Order.desc).limit(10).values("dist")),
          Map.entry(
              "degrees",
              g ->
                  g.V()
                      .hasLabel("airport")
                      .project("code", "out", "in")
                      .by("code")
                      .by(__.outE("route").count())
                      .by(__.inE("route").count())
                      .order()
                      .by(__.select("out"), Order.desc)
                      .by(__.select("code"))
                      .limit(25)),
          Map.entry(
              "everything about one",
              g ->
                  g.V()
                      .has("airport", "code", "VIE")
                      .valueMap()
                      .with("~tinkerpop.valueMap.tokens", 2)),
          Map.entry(
              "a range",
              g -> g.V().hasLabel("airport").has("elev", P.gt(8000)).values("code").order()),
          Map.entry("sum of distances", g -> g.E().hasLabel("route").values("dist").sum()),
          Map.entry("both ways", g -> g.V().has("code", "LHR").both("route").dedup().count()),
          Map.entry("by number", g -> g.V(1, 2, 3).values("code").order()),
          Map.entry(
              "keys and values",
              g ->
                  g.V()
                      .hasLabel("continent")
                      .order()
                      .by("code")
                      .local(__.properties().hasKey("desc").value())),
          Map.entry(
              "regions", g -> g.V().hasLabel("country").out("contains").groupCount().by("region")));

  @TempDir private Path directory;

  @Test
  void theServerAnswersAsTinkerGraphDoes() throws Exception {
    Configuration byNumber = new BaseConfiguration();
    byNumber.setProperty(TinkerGraph.GREMLIN_TINKERGRAPH_VERTEX_ID_MANAGER, "LONG");
    try (TinkerGraph expected = TinkerGraph.open(byNumber)) {
      expected.traversal().io(kryo().toString()).read().iterate();
      load(directory.resolve("first"), new GryoFile(kryo()));
      Path files = directory.resolve("csv");
      try (Bg3 store = Bg3.open(directory.resolve("first"));
          StoreSource source = new StoreSource(store.graph(), new Losses(false))) {
        new Exporter(new CsvGraphWriter(), files, false)
            .export(source, new Losses(false), count -> {});
      }
      load(
          directory.resolve("air"),
          new CsvGraphFile(files.resolve("edges.csv")),
          new CsvGraphFile(files.resolve("vertices.csv")));
      serveAndCompare(expected);
    }
  }

  @Test
  void theDatasOwnFilesGiveTheSameGraph() throws Exception {
    Path data = root().resolveSibling("shared/data/air-routes");
    Path vertices = data.resolve("air-routes-latest-nodes.csv");
    Path edges = data.resolve("air-routes-latest-edges.csv");
    assumeTrue(Files.exists(vertices), "not on this machine: " + data);
    load(directory.resolve("air"), new CsvGraphFile(edges), new CsvGraphFile(vertices));
    try (ServedFixture served = serve()) {
      GraphTraversalSource g = served.g();
      assertEquals((long) VERTICES, g.V().count().next());
      assertEquals((long) EDGES, g.E().count().next());
      assertEquals(809, g.E("3749").values("dist").next());
    }
  }

  private void serveAndCompare(TinkerGraph expected) throws Exception {
    try (ServedFixture served = serve()) {
      List<String> different = new ArrayList<>();
      QUERIES.forEach(
          (name, query) -> {
            List<?> wanted = query.apply(expected.traversal()).toList();
            List<?> found = query.apply(served.g()).toList();
            if (!wanted.equals(found) || wanted.isEmpty()) {
              different.add(name + ": wanted=" + wanted + ", found=" + found);
            }
          });
      assertEquals(List.of(), different);
    }
  }

  private ServedFixture serve() throws IOException {
    return new ServedFixture(Bg3Graph.open(directory.resolve("air").toString()), Map.of());
  }

  private static void load(Path directory, GraphFile... files) throws IOException {
    try (Bg3 store = Bg3.open(directory)) {
      LoadSummary summary =
          new Loader(0, row -> {}, count -> {})
              .load(List.of(files), rows -> new StoreTarget(store.graph(), 1_000, false, rows));
      assertEquals(VERTICES, summary.vertices());
      assertEquals(EDGES, summary.edges());
      assertEquals(0, summary.bad());
    }
  }

  private static Path root() {
    return Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();
  }

  private static Path kryo() throws IOException {
    try (Stream<Path> files = Files.walk(root().resolve("bg3-server/target/graphs"))) {
      return files.filter(file -> file.endsWith("air-routes.kryo")).findFirst().orElseThrow();
    }
  }
}
