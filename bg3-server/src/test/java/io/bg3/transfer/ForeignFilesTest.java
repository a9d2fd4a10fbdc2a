package io.bg3.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.Settings;
import io.bg3.export.Exporter;
import io.bg3.load.LoadSummary;
import io.bg3.load.Loader;
import io.bg3.transfer.graphml.GraphMlFile;
import io.bg3.transfer.star.GraphSonFile;
import io.bg3.transfer.star.GraphSonGraphWriter;
import io.bg3.transfer.star.GryoFile;
import io.bg3.transfer.star.GryoGraphWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.PartitionStrategy;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.io.gryo.GryoWriter;
import org.apache.tinkerpop.gremlin.structure.util.star.StarGraph;
import org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerFactory;
import org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Loads files that others have written: TinkerPop, careless people and hostile ones. */
class ForeignFilesTest {
  private static final String GRAPHML =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      %s<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
        <key id="k" for="node" attr.name="age" attr.type="int"/>
        <graph edgedefault="directed">
          <edge source="a" target="b"/>
          <node id="a"><data key="k">%s</data></node>
          <node id="b"/>
        </graph>
      </graphml>
      """;

  @TempDir private Path directory;
  private final List<String> badRows = new ArrayList<>();
  private Bg3 store;

  @BeforeEach
  void open() throws IOException {
    store = Bg3.open(Settings.defaults());
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"json", "kryo"})
  void readsWhatTinkerPopWritesAndTheOtherWayRound(String ending) throws Exception {
    Path theirs = directory.resolve("crew." + ending);
    Path ours = directory.resolve("ours." + ending);
    Configuration several = new BaseConfiguration();
    several.setProperty(
        TinkerGraph.GREMLIN_TINKERGRAPH_DEFAULT_VERTEX_PROPERTY_CARDINALITY, "list");
    try (TinkerGraph crew = TinkerFactory.createTheCrew();
        TinkerGraph back = TinkerGraph.open(several)) {
      crew.traversal().io(theirs.toString()).write().iterate();
      LoadSummary summary =
          load(ending.equals("json") ? new GraphSonFile(theirs) : new GryoFile(theirs));
      assertEquals(6, summary.vertices());
      assertEquals(14, summary.edges());
      Losses losses = new Losses(false);
      try (GraphSource source = new StoreSource(store.graph(), losses)) {
        new Exporter(
                ending.equals("json") ? new GraphSonGraphWriter() : new GryoGraphWriter(),
                ours,
                false)
            .export(source, losses, count -> {});
      }
      back.traversal().io(ours.toString()).read().iterate();
      assertEquals(
          crew.traversal().V().properties().count().next(),
          back.traversal().V().properties().count().next());
      assertEquals(
          crew.traversal().V().properties().properties().value().order().toList(),
          back.traversal().V().properties().properties().value().order().toList());
      assertEquals(
          crew.traversal().E().order().by(T.id).label().toList(),
          back.traversal().E().order().by(T.id).label().toList());
    }
  }

  @Test
  void readsGraphMlOfOthersWithEdgesBeforeNodes() throws Exception {
    LoadSummary summary = load(new GraphMlFile(file("g.graphml", GRAPHML.formatted("", " 36 "))));
    assertEquals(2, summary.vertices());
    assertEquals(1, summary.edges());
    assertTrue(
        Graphs.describe(store.graph())
            .containsKey("vertex String 'a':vertex [age=Integer '36'Map{}]"));
  }

  @Test
  void aBadValueInGraphMlIsABadRowWithItsLine() throws Exception {
    Path file = file("g.graphml", GRAPHML.formatted("", "old"));
    LoadSummary summary = load(new GraphMlFile(file));
    assertEquals(1, summary.vertices());
    assertEquals(
        List.of(
            file + ":6: not a value of the key's type: key=age, type=int, value=old",
            file + ":5: no such vertex: from=a"),
        badRows);
  }

  @Test
  @Timeout(300)
  void xmlCannotNameOtherFilesOrGrow() throws Exception {
    Path secret = file("secret", "hidden");
    String type = "<!DOCTYPE graphml [<!ENTITY x %s>]>\n";
    for (String entity :
        List.of(
            "SYSTEM \"" + secret.toUri() + "\"", "\"12\"", "PUBLIC \"p\" \"http://127.0.0.1/\"")) {
      Path file = file("x.graphml", GRAPHML.formatted(type.formatted(entity), "&x;"));
      TransferException refused =
          assertThrows(TransferException.class, () -> load(new GraphMlFile(file)));
      assertEquals(
          file + ":2: a document type is not allowed: it can name other files",
          refused.getMessage());
    }
    Path undeclared = file("u.graphml", GRAPHML.formatted("", "&x;"));
    assertTrue(
        assertThrows(TransferException.class, () -> load(new GraphMlFile(undeclared)))
            .getMessage()
            .startsWith(undeclared + ":6: cannot be parsed further: "));
    assertFalse(Graphs.describe(store.graph()).toString().contains("hidden"));
  }

  @Test
  void brokenXmlNamesItsLine() throws Exception {
    Path file = file("g.graphml", "<graphml>\n<graph>\n<node id='1'></edge>\n");
    String message =
        assertThrows(TransferException.class, () -> load(new GraphMlFile(file))).getMessage();
    assertTrue(message.startsWith(file + ":3: cannot be parsed further: "), message);
    assertTrue(message.endsWith("\nloaded before it: vertices=0, edges=0"), message);
    Path other = file("h.graphml", "<html/>\n");
    assertEquals(
        other + ":1: not GraphML: expected=graphml, found=html",
        assertThrows(TransferException.class, () -> load(new GraphMlFile(other))).getMessage());
    Path json = file("j.graphml", "{}");
    assertTrue(
        assertThrows(TransferException.class, () -> load(new GraphMlFile(json)))
            .getMessage()
            .startsWith(json + ":1: "));
  }

  @Test
  void brokenLinesOfGraphSonAreBadRows() throws Exception {
    Path file =
        file(
            "g.json",
            "{\"id\":{\"@type\":\"g:Int64\",\"@value\":1},\"label\":\"a\"}",
            "{\"id\":",
            "{\"vertices\":[]}",
            "{\"label\":\"a\"}",
            "",
            "{\"id\":{\"@type\":\"g:Int64\",\"@value\":3},\"label\":\"a\"}");
    assertEquals(2, load(new GraphSonFile(file)).vertices());
    assertEquals(3, badRows.size(), badRows.toString());
    assertTrue(badRows.get(0).startsWith(file + ":2: not JSON: "), badRows.get(0));
    assertTrue(badRows.get(1).startsWith(file + ":3: not a vertex of GraphSON 3"), badRows.get(1));
    assertEquals(file + ":4: not a vertex of GraphSON 3: it has no id", badRows.get(2));
    Path xml = file("x.json", "<graphml/>");
    assertEquals(
        xml + ":1: not GraphSON with a vertex in every line",
        assertThrows(TransferException.class, () -> load(new GraphSonFile(xml))).getMessage());
  }

  @Test
  void gryoHoldsValuesAndNothingElse() throws Exception {
    Path hostile = directory.resolve("hostile.kryo");
    gryo(hostile, PartitionStrategy.build().partitionKey("p").create());
    String message =
        assertThrows(TransferException.class, () -> load(new GryoFile(hostile))).getMessage();
    assertTrue(
        message.startsWith(
            hostile
                + ", vertex 1: cannot be parsed further: not a value of a graph: class="
                + PartitionStrategy.class.getName()),
        message);
    gryo(hostile, String.class);
    assertThrows(TransferException.class, () -> load(new GryoFile(hostile)));
    gryo(hostile, Duration.ofDays(1));
    assertEquals(1, load(new GryoFile(hostile)).vertices());
  }

  @Test
  void gryoThatIsCutOffOrNoneIsRefused() throws Exception {
    Path file = directory.resolve("cut.kryo");
    gryo(file, "a value");
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, java.util.Arrays.copyOf(whole, whole.length - 4));
    assertTrue(
        assertThrows(TransferException.class, () -> load(new GryoFile(file)))
            .getMessage()
            .startsWith(file + ", vertex 1: cannot be parsed further: "));
    Path text = file("text.kryo", "not gryo at all");
    assertEquals(
        "not Gryo: file=" + text + ", expected=gio",
        assertThrows(TransferException.class, () -> load(new GryoFile(text))).getMessage());
  }

  private static void gryo(Path file, Object value) throws IOException {
    Vertex star = StarGraph.open().addVertex(T.id, 1, T.label, "v", "key", value);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    GryoWriter.build().create().writeVertex(bytes, star, Direction.BOTH);
    Files.write(file, bytes.toByteArray());
  }

  private LoadSummary load(GraphFile file) throws IOException {
    badRows.clear();
    return new Loader(Long.MAX_VALUE, row -> badRows.add(row.toString()), count -> {})
        .load(List.of(file), rows -> new StoreTarget(store.graph(), 100, false, rows));
  }

  private Path file(String name, String... lines) throws IOException {
    return Files.write(
        directory.resolve(name), String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
  }
}
