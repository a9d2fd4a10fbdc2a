package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.record.LinkState;
import io.bg3.core.record.PropertyBytes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Declarations of labels, and their effect on edges. */
class EdgeLabelsTest {
  private static final EdgeLabelForm BY_TIME =
      EdgeLabelForm.plain().orderedBy("time", SortOrder.DESCENDING);

  @TempDir Path directory;

  private Bg3 store;

  @BeforeEach
  void open() throws IOException {
    store =
        Bg3.open(
            Settings.defaults()
                .with(Setting.DIRECTORY, directory.toString())
                .with(Setting.DURABILITY, "none"));
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  private String refused(Runnable work) {
    return assertThrows(IllegalArgumentException.class, work::run).getMessage();
  }

  @Test
  void aDeclarationIsFoundAgainAfterReopening() throws IOException {
    EdgeLabelForm form = BY_TIME.asLoose();
    EdgeLabel label = store.graph().declareEdgeLabel("link", form);
    store.graph().declareEdgeLabel("plain", EdgeLabelForm.plain());
    assertEquals(label.code(), store.graph().declareEdgeLabel("link", form).code());
    close();
    open();
    EdgeLabel found = store.graph().declaredEdgeLabel("link");
    assertEquals(form, found.form());
    assertEquals("link", found.name());
    assertEquals(label.code(), found.code());
    List<String> names = store.graph().declaredEdgeLabels().stream().map(EdgeLabel::name).toList();
    assertEquals(List.of("link", "plain"), names);
    assertNull(store.graph().declaredEdgeLabel("other"));
  }

  @Test
  void anotherFormIsRefused() {
    store.graph().declareEdgeLabel("link", BY_TIME);
    assertEquals(
        "the edge label has another declaration, which cannot change: label=link,"
            + " declared=[sortKey:time, descending:true],"
            + " wanted=[sortKey:time, descending:true, loose:true];"
            + " afterwards it can only become counted",
        refused(() -> store.graph().declareEdgeLabel("link", BY_TIME.asLoose())));
  }

  @Test
  void aLabelThatIsInUseIsNotDeclared() {
    store
        .graph()
        .retry(
            graph -> {
              long vertex = graph.addVertex(1, "node");
              return graph.addEdge(vertex, "link", vertex, null, Map.of());
            });
    assertTrue(
        refused(() -> store.graph().declareEdgeLabel("link", BY_TIME.asLoose()))
            .startsWith("an edge label must be declared before it is first used: label=link"));
  }

  @Test
  void edgesAreReadInTheirOrder() {
    store.graph().declareEdgeLabel("link", BY_TIME);
    store
        .graph()
        .retry(
            graph -> {
              long a = graph.addVertex(1, "node");
              long b = graph.addVertex(2, "node");
              graph.addEdge(a, "other", b, null, Map.of());
              graph.addEdge(a, "link", b, null, Map.of("time", 5L, "n", 1));
              graph.addEdge(a, "link", b, "named", Map.of("time", 7L));
              graph.addEdge(a, "link", a, null, Map.of("n", 3, "time", 6L));
              return null;
            });
    try (GraphTransaction graph = store.graph().begin()) {
      assertEquals(List.of(7L, 6L, 5L), times(graph, 1, EdgeDirection.OUT, "link"));
      EdgeId named = graph.findEdge("named");
      assertEquals(new EdgeId(1, named.label(), 2, 1), named);
      graph.setEdgeProperty(named, "time", 4L);
      graph.setEdgeProperty(named, "n", 9);
      assertEquals(List.of(6L, 5L, 4L), times(graph, 1, EdgeDirection.OUT, "link"));
      assertEquals("named", graph.edge(named).userId());
      assertEquals(2, count(graph.edgesBetween(1, "link", 2, false)));
      assertEquals(3, count(graph.edges(2, EdgeDirection.IN, true)));
      assertEquals(4, count(graph.edges(1, EdgeDirection.OUT, false)));
      assertEquals(4, count(graph.edges(true)));
      graph.removeEdge(named);
      assertNull(graph.findEdge("named"));
      assertEquals(3, graph.edgeCount());
      graph.commit();
    }
    assertEquals(List.of(), new GraphCheck(store.graph(), n -> {}).run());
    try (GraphTransaction graph = store.graph().begin()) {
      graph.removeVertex(1);
      assertEquals(0, graph.edgeCount());
      graph.commit();
    }
    assertEquals(List.of(), new GraphCheck(store.graph(), n -> {}).run());
  }

  private static List<Long> times(
      GraphTransaction graph, long vertex, EdgeDirection direction, String label) {
    List<Long> times = new ArrayList<>();
    int key = graph.findKey("time");
    try (EdgeScan scan = graph.edges(vertex, direction, true, label)) {
      while (scan.next()) {
        EdgeRecord record = scan.record();
        times.add((Long) record.value(record.property(key)));
      }
    }
    return times;
  }

  private static int count(EdgeScan edges) {
    int count = 0;
    try (EdgeScan scan = edges) {
      while (scan.next()) {
        count++;
      }
    }
    return count;
  }

  @Test
  void anEdgeWithoutItsSortKeyIsRefused() {
    store.graph().declareEdgeLabel("link", BY_TIME.asLoose());
    try (GraphTransaction graph = store.graph().begin()) {
      assertEquals(
          "the label is ordered by a property that must be a long: label=link, property=time,"
              + " found=none",
          refused(() -> graph.addEdge(1, "link", 2, null, Map.of())));
      assertTrue(
          refused(() -> graph.addEdge(1, "link", 2, null, Map.of("time", 5)))
              .endsWith("found=Integer"));
      EdgeId edge = graph.addEdge(1, "link", 2, null, Map.of("time", 5L));
      assertTrue(
          refused(() -> graph.removeEdgeProperty(edge, "time")).contains("cannot be removed"));
    }
  }

  @Test
  void looseEdgesOutliveTheirVertices() {
    EdgeLabel link = store.graph().declareEdgeLabel("link", BY_TIME.asLoose());
    store.graph().declareEdgeLabel("follows", EdgeLabelForm.plain().asLoose());
    try (GraphTransaction graph = store.graph().begin()) {
      long a = graph.addVertex(1, "node");
      long b = graph.addVertex(2, "node");
      graph.addEdge(a, "follows", b, null, Map.of());
      graph.addEdge(a, "knows", b, null, Map.of());
      graph.links().put(link, a, b, 3, true, new PropertyBytes());
      graph.links().put(link, a, 77, 4, true, new PropertyBytes());
      graph.links().put(link, 88, b, 4, true, new PropertyBytes());
      graph.commit();
    }
    assertEquals(List.of(), new GraphCheck(store.graph(), n -> {}).run());
    try (GraphTransaction graph = store.graph().begin()) {
      assertEquals(1, count(graph.edges(2, EdgeDirection.IN, false)));
      graph.removeVertex(2);
      graph.removeVertex(1);
      graph.commit();
    }
    try (GraphTransaction graph = store.graph().beginReadOnly()) {
      assertEquals(3, count(graph.edges(1, EdgeDirection.OUT, false)));
      assertEquals(1, count(graph.edges(88, EdgeDirection.OUT, true)));
      assertEquals(4, graph.edgeCount());
      assertNotNull(graph.links().get(link, 1, 2));
    }
    assertEquals(List.of(), new GraphCheck(store.graph(), n -> {}).run());
  }

  @Test
  void aVertexIsRemovedWhileItsLooseEdgesAreWritten() {
    EdgeLabel link = store.graph().declareEdgeLabel("link", BY_TIME.asLoose());
    store.graph().retry(graph -> graph.addVertex(1, "node"));
    try (GraphTransaction remover = store.graph().begin();
        GraphTransaction writer = store.graph().begin()) {
      remover.removeVertex(1);
      writer.links().put(link, 1, 2, 3, true, new PropertyBytes());
      writer.commit();
      remover.commit();
    }
    try (GraphTransaction graph = store.graph().beginReadOnly()) {
      assertFalse(graph.vertexExists(1));
      assertNotNull(graph.links().get(link, 1, 2));
    }
  }

  @Test
  void aHiddenLinkIsFoundByItselfAlone() {
    EdgeLabel link = store.graph().declareEdgeLabel("link", BY_TIME);
    int n = store.graph().makePropertyKey("n");
    try (GraphTransaction graph = store.graph().begin()) {
      long a = graph.addVertex(1, "node");
      long b = graph.addVertex(2, "node");
      EdgeId edge = graph.addEdge(a, "link", b, "named", Map.of("time", 3L, "n", 8));
      assertEquals(LinkState.VISIBLE, graph.links().hide(link, a, b));
      assertFalse(graph.edgeExists(edge));
      assertNull(graph.findEdge("named"));
      assertNull(graph.edge(edge));
      assertEquals(0, count(graph.edgesBetween(a, "link", b, true)));
      assertEquals(0, count(graph.edges(b, EdgeDirection.IN, true)));
      assertEquals(0, count(graph.edges(true)));
      assertEquals(0, graph.edgeCount("link"));
      assertThrows(MissingElementException.class, () -> graph.removeEdge(edge));
      Link hidden = graph.links().get(link, a, b);
      assertFalse(hidden.isVisible());
      assertEquals(8, hidden.properties().value(n));
      graph.commit();
    }
    assertEquals(List.of(), new GraphCheck(store.graph(), seen -> {}).run());
    try (GraphTransaction graph = store.graph().begin()) {
      PropertyBytes properties = new PropertyBytes().put(n, "text").putLong(n + 1, 5);
      assertEquals(LinkState.HIDDEN, graph.links().put(link, 1, 2, 9, true, properties));
      assertEquals("named", graph.edge(graph.findEdge("named")).userId());
      assertEquals(LinkState.VISIBLE, graph.links().expunge(link, 1, 2));
      assertEquals(LinkState.ABSENT, graph.links().expunge(link, 1, 2));
      assertNull(graph.findEdge("named"));
      graph.commit();
    }
    assertEquals(List.of(), new GraphCheck(store.graph(), seen -> {}).run());
  }

  @Test
  void whatIsNoLinkIsRefused() {
    EdgeLabel plain = store.graph().declareEdgeLabel("plain", EdgeLabelForm.plain().asLoose());
    EdgeLabel link = store.graph().declareEdgeLabel("link", BY_TIME);
    int time = store.graph().findPropertyKey("time");
    try (GraphTransaction graph = store.graph().begin()) {
      Links links = graph.links();
      assertTrue(refused(() -> links.get(plain, 1, 2)).startsWith("the label has no sort key"));
      PropertyBytes properties = new PropertyBytes().putLong(time, 3);
      assertTrue(
          refused(() -> links.put(link, 1, 2, 3, true, properties))
              .startsWith("pass the sort key separately"));
      assertThrows(
          MissingElementException.class, () -> links.put(link, 1, 2, 3, true, properties.clear()));
      refused(() -> properties.putInt(5, 1).putInt(5, 2));
      refused(() -> links.list(link, 1, 0, 1, SortOrder.ASCENDING, -1, 1));
    }
    try (GraphTransaction graph = store.graph().begin()) {
      assertTrue(refused(() -> graph.links().count(link, 1)).contains("not counted"));
    }
    refused(() -> new EdgeLabelForm(false, null, SortOrder.DESCENDING, false));
    refused(() -> store.graph().declareEdgeLabel("", BY_TIME));
  }

  @Test
  void manyLinksAreWrittenInOneCommit() {
    EdgeLabel link = store.graph().declareEdgeLabel("link", BY_TIME.asLoose().asCounted());
    int n = store.graph().makePropertyKey("n");
    LinkBatch batch = new LinkBatch();
    PropertyBytes properties = new PropertyBytes();
    for (int i = 0; i < 1000; i++) {
      properties.clear().putInt(n, i);
      batch.add(link, i % 7, i % 300, i, i % 11 > 0, properties);
    }
    long commits = store.transactions().commits();
    store.graph().putLinks(batch);
    assertEquals(commits + 1, store.transactions().commits());
    assertEquals(1000, batch.count());
    try (GraphTransaction graph = store.graph().beginReadOnly()) {
      assertEquals(903, graph.links().get(link, 0, 3).sortKey());
      assertEquals(903, graph.links().get(link, 0, 3).properties().intValue(n, 0));
      int links = count(graph.edges(0, EdgeDirection.OUT, false, "link"));
      assertEquals(links, graph.links().count(link, 0));
    }
    assertEquals(List.of(), new GraphCheck(store.graph(), seen -> {}).run());
  }
}
