package io.bg3.gremlin.services;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.gremlin.structure.ReadOnlyService;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.ReadOnlyStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.VerificationException;
import org.apache.tinkerpop.gremlin.structure.service.Service;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The services of links and nodes, called in the same process. */
class Bg3ServicesTest {
  private Bg3Graph graph;
  private GraphTraversalSource g;

  @BeforeEach
  void open() {
    open(Bg3Graph.open());
  }

  private void open(Bg3Graph opened) {
    graph = opened;
    Bg3Services.register(graph);
    g = graph.traversal();
  }

  @AfterEach
  void close() {
    graph.close();
  }

  /** Names and values of parameters by turns. */
  private List<Object> call(String service, Object... parameters) {
    Map<Object, Object> map = new HashMap<>();
    for (int i = 0; i < parameters.length; i += 2) {
      map.put(parameters[i], parameters[i + 1]);
    }
    return g.call("bg3." + service, map).toList();
  }

  private void declare() {
    assertEquals(
        List.of(true),
        call("links.declare", "label", "7", "sortKey", "time", "loose", true, "counted", true));
  }

  private Object add(long source, long target, long time, boolean visible) {
    return call(
            "links.add",
            "label",
            "7",
            "source",
            source,
            "target",
            target,
            "sortKey",
            time,
            "visible",
            visible,
            "properties",
            Map.of("version", 3, "data", ByteBuffer.wrap(new byte[] {1, -2})))
        .get(0);
  }

  private static List<Object> link(long target, long time, boolean visible) {
    return List.of(
        target, time, visible, Map.of("version", 3, "data", ByteBuffer.wrap(new byte[] {1, -2})));
  }

  private Object count(long source) {
    return call("links.count", "label", "7", "source", source).get(0);
  }

  @Test
  void linksAreAddedHiddenListedCountedAndRemoved() {
    declare();
    declare();
    assertEquals("absent", add(1, 2, 100, true));
    assertEquals("absent", add(1, 3, 300, true));
    assertEquals("absent", add(1, 4, 200, false));
    assertEquals("visible", add(1, 2, 150, true));
    assertEquals(2L, count(1));
    assertEquals(
        List.of(link(3, 300, true), link(2, 150, true)),
        call("links.list", "label", "7", "source", 1L));
    assertEquals(
        List.of(link(2, 150, true)),
        call("links.list", "label", "7", "source", 1, "low", 150L, "high", 299));
    assertEquals(
        List.of(link(2, 150, true)),
        call("links.list", "label", "7", "source", 1L, "offset", 1, "limit", 1));
    assertEquals(
        List.of(link(2, 150, true), link(3, 300, true)),
        call("links.list", "label", "7", "source", 1L, "descending", false));
    assertEquals(
        List.of(link(4, 200, false)), call("links.get", "label", "7", "source", 1L, "target", 4L));
    assertEquals(List.of(), call("links.get", "label", "7", "source", 1L, "target", 5L));
    assertEquals(
        List.of(link(4, 200, false), link(2, 150, true)),
        call("links.multiget", "label", "7", "source", 1L, "targets", List.of(4L, 9L, 2L)));
    assertEquals(
        List.of("visible"), call("links.delete", "label", "7", "source", 1L, "target", 2L));
    assertEquals(List.of("hidden"), call("links.delete", "label", "7", "source", 1L, "target", 2L));
    assertEquals(1L, count(1));
    assertEquals(
        List.of("hidden"),
        call("links.delete", "label", "7", "source", 1L, "target", 2L, "expunge", true));
    assertEquals(List.of("absent"), call("links.delete", "label", "7", "source", 1L, "target", 2L));
    assertEquals(0L, g.V().count().next(), "no vertex was made");
  }

  @Test
  void manyLinksComeInOneCommit() {
    declare();
    List<Object> rows = new ArrayList<>();
    for (long target = 0; target < 500; target++) {
      rows.add(List.of("7", target % 3, target, target, target % 10 != 0, Map.of("version", 1)));
    }
    assertEquals(List.of(500L), call("links.addAll", "links", rows));
    assertEquals(List.of(500L), call("links.addAll", "links", rows));
    assertEquals(450L, (Long) count(0) + (Long) count(1) + (Long) count(2));
  }

  @Test
  void aLabelThatIsNotDeclaredHasNoLinksAndTakesNone() {
    assertEquals(List.of(), call("links.get", "label", "8", "source", 1L, "target", 4L));
    assertEquals(List.of(), call("links.list", "label", "8", "source", 1L));
    assertEquals(List.of(0L), call("links.count", "label", "8", "source", 1L));
    assertEquals(List.of("absent"), call("links.delete", "label", "8", "source", 1L, "target", 2L));
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> add(1, 2, 100, true));
    assertEquals(
        "the label is not declared, call bg3.links.declare first: label=7", e.getMessage());
  }

  private void refused(String message, String service, Object... parameters) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> call(service, parameters));
    assertTrue(e.getMessage().contains(message), e.getMessage());
  }

  @Test
  void parametersThatDoNotFitAreNamed() {
    declare();
    refused("parameter=sorce, known=[label, source]", "links.count", "label", "7", "sorce", 1L);
    refused("parameter=source, wanted=a value, given=null", "links.count", "label", "7");
    refused("wanted=a number of 64 bits, given=x", "links.count", "label", "7", "source", "x");
    refused("given=1.5", "links.count", "label", "7", "source", 1.5);
    refused("wanted=a text, given=7", "links.count", "label", 7, "source", 1L);
    refused("wanted=a number from ", "links.count", "label", "7", "source", Long.MIN_VALUE);
    refused("wanted=lists of 6 elements", "links.addAll", "links", List.of(List.of("7")));
    refused("wanted=true or false", "links.list", "label", "7", "source", 1L, "descending", 1);
    refused("wanted=a number from 0", "links.list", "label", "7", "source", 1L, "limit", -1);
  }

  @Test
  void nodesHaveConsecutiveIdsAlsoAfterReopening(@TempDir Path directory) {
    graph.close();
    open(Bg3Graph.open(directory.toString()));
    List<Object> ids = nodes(5);
    assertEquals(List.of(1L, 2L, 3L, 4L, 5L), ids);
    assertEquals(List.of(true), call("nodes.delete", "label", "2048", "id", 5L));
    graph.close();
    open(Bg3Graph.open(directory.toString()));
    assertEquals(List.of(6L, 7L), nodes(2));
    assertEquals(List.of(4L), call("nodes.reset", "next", 100L, "limit", 4));
    assertEquals(List.of(2L), call("nodes.reset", "next", 100L));
    assertEquals(List.of(0L), call("nodes.reset", "next", 100L));
    assertEquals(List.of(100L, 101L), nodes(2));
  }

  private List<Object> nodes(int count) {
    List<Object> rows =
        LongStream.range(0, count)
            .<Object>mapToObj(
                i ->
                    List.of(
                        "2048",
                        Map.of("version", 1L, "time", 5, "data", ByteBuffer.wrap(new byte[2_000]))))
            .toList();
    return call("nodes.add", "nodes", rows);
  }

  @Test
  void nodesAreReadChangedAndRemovedUnderTheirLabel() {
    assertEquals(List.of(1L), nodes(1));
    Map<String, Object> expected =
        Map.of("version", 1L, "time", 5, "data", ByteBuffer.wrap(new byte[2_000]));
    assertEquals(List.of(expected), call("nodes.get", "label", "2048", "id", 1L));
    assertEquals(List.of(), call("nodes.get", "label", "2049", "id", 1L));
    assertEquals(List.of(), call("nodes.get", "label", "2048", "id", 2L));
    assertEquals(
        List.of(false),
        call("nodes.update", "label", "2049", "id", 1L, "properties", Map.of("time", 6)));
    assertEquals(
        List.of(true),
        call("nodes.update", "label", "2048", "id", 1L, "properties", Map.of("time", 6)));
    assertEquals(6, g.V(1L).values("time").next());
    g.tx().rollback();
    assertEquals(List.of(false), call("nodes.delete", "label", "2049", "id", 1L));
    assertEquals(List.of(true), call("nodes.delete", "label", "2048", "id", 1L));
    assertEquals(List.of(false), call("nodes.delete", "label", "2048", "id", 1L));
    assertFalse(g.V(1L).hasNext());
  }

  @Test
  void readersBelongToTheOpenTransactionAndWritersToThemselves() {
    declare();
    add(1, 2, 100, true);
    g.tx().rollback();
    g.tx().open();
    assertEquals(1L, count(1));
    add(1, 3, 100, true);
    assertEquals(1L, count(1), "it reads at its snapshot");
    g.tx().rollback();
    assertEquals(2L, count(1), "what was added was not taken back");
    assertFalse(g.tx().isOpen());
  }

  @Test
  void itIsKnownWhichOfThemOnlyRead() {
    List<String> reading = new ArrayList<>();
    for (Object name : g.call().toList()) {
      if (graph.onlyReads((String) name)) {
        reading.add((String) name);
      }
    }
    assertEquals(
        List.of(
            "bg3.links.get",
            "bg3.links.multiget",
            "bg3.links.list",
            "bg3.links.count",
            "bg3.batch.read",
            "bg3.nodes.get",
            "bg3.index.list",
            "bg3.schema.list",
            "bg3.families.list"),
        reading);
    assertFalse(graph.onlyReads("strange"));
  }

  /** Where a source is read-only, services that write are refused before they do anything. */
  @Test
  void aReadOnlySourceCallsOnlyWhatReads() {
    declare();
    add(1, 2, 100, true);
    GraphTraversalSource reading = g.withStrategies(ReadOnlyStrategy.instance());
    Map<?, ?> of = Map.of("label", "7", "source", 1L);
    assertEquals(List.of(1L), reading.call("bg3.links.count", of).toList());
    assertTrue(reading.call().toList().contains("bg3.nodes.add"));
    assertTrue(reading.call("--list").toList().contains("bg3.nodes.add"));
    List<String> writing = new ArrayList<>();
    for (Object each : g.call().toList()) {
      String service = (String) each;
      if (!graph.onlyReads(service)) {
        writing.add(service);
        assertRefused(service, reading.call(service, Map.of()));
        assertRefused(service, reading.call(service, __.constant(Map.of())));
        assertRefused(service, reading.call(service, Map.of()).profile());
        GraphTraversal<?, ?> inside = reading.inject(1).map(__.call(service, Map.of()));
        assertThrows(RuntimeException.class, inside::iterate); // begins a traversal or nothing
      }
    }
    assertEquals(15, writing.size(), writing::toString);
    Map<?, ?> node = Map.of("nodes", List.of(List.of("n", Map.of())));
    assertRefused("bg3.nodes.add", reading.call("bg3.nodes.add", node));
    assertEquals(0L, g.V().hasLabel("n").count().next());
    g.call("bg3.nodes.add", node).iterate();
    graph.tx().rollback(); // it was a commit of its own
    assertEquals(1L, g.V().hasLabel("n").count().next());
  }

  private static void assertRefused(String service, GraphTraversal<?, ?> traversal) {
    VerificationException refused =
        assertThrows(VerificationException.class, traversal::iterate, service);
    assertTrue(refused.getMessage().contains("service=" + service), refused.getMessage());
  }

  /** An application's service may write, unless its factory says that it does not. */
  @Test
  void anApplicationsServiceIsTakenToWriteUnlessItSaysOtherwise() {
    graph.getServiceRegistry().registerService(new Echo("echo.unsaid"));
    graph.getServiceRegistry().registerService(new ReadOnlyEcho());
    GraphTraversalSource reading = g.withStrategies(ReadOnlyStrategy.instance());
    assertEquals(List.of("echo.unsaid"), g.call("echo.unsaid").toList());
    assertRefused("echo.unsaid", reading.call("echo.unsaid"));
    assertEquals(List.of("echo.reading"), reading.call("echo.reading").toList());
    graph.getServiceRegistry().registerService(new Echo("echo.reading"));
    assertRefused("echo.reading", reading.call("echo.reading"));
  }

  /** Answers its own name. */
  @SuppressWarnings("rawtypes") // as the interfaces of services have it
  private static class Echo
      implements Service.ServiceFactory<Object, Object>, Service<Object, Object> {
    private final String name;

    Echo(String name) {
      this.name = name;
    }

    @Override
    public String getName() {
      return name;
    }

    @Override
    public Service.Type getType() {
      return Service.Type.Start;
    }

    @Override
    public Set<Service.Type> getSupportedTypes() {
      return Set.of(Service.Type.Start);
    }

    @Override
    public Service<Object, Object> createService(boolean isStart, Map params) {
      return this;
    }

    @Override
    public CloseableIterator<Object> execute(ServiceCallContext context, Map params) {
      return CloseableIterator.of(List.<Object>of(name).iterator());
    }

    @Override
    public void close() {}
  }

  private static final class ReadOnlyEcho extends Echo implements ReadOnlyService {
    ReadOnlyEcho() {
      super("echo.reading");
    }
  }
}
