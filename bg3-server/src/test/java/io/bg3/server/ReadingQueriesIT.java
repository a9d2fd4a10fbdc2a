package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.gremlin.structure.ReadOnlyService;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.tinkerpop.gremlin.driver.Client;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.driver.Result;
import org.apache.tinkerpop.gremlin.driver.exception.ResponseException;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.service.Service;
import org.apache.tinkerpop.gremlin.structure.service.Service.ServiceCallContext;
import org.apache.tinkerpop.gremlin.structure.service.Service.ServiceFactory;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Requests that cannot write run in a read-only transaction, and what a request has read before it
 * writes is validated: no two requests that each read what the other writes both succeed.
 */
class ReadingQueriesIT {
  private static final int MANY = 2_000;

  private final ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();
  private Bg3Graph graph;
  private WaitingService waiting;
  private ServedFixture served;
  private Cluster other;

  @BeforeEach
  void start() throws Exception {
    graph = Bg3Graph.open();
    for (long i = 1; i <= MANY; i++) {
      graph.addVertex(T.id, i, "on", 1);
    }
    graph.traversal().V().as("a").addE("next").to(__.V(1L)).iterate();
    graph.tx().commit();
    graph.getServiceRegistry().registerService(new Noting("test.write"));
    graph.getServiceRegistry().registerService(new ReadingNote("test.read"));
    waiting = new WaitingService("test.wait", false);
    graph.getServiceRegistry().registerService(waiting);
    served = new ServedFixture(graph, Map.of());
    other = ServedFixture.client(served.port());
  }

  @AfterEach
  void stop() {
    other.close();
    served.close();
  }

  /** Notes which transaction the request has that calls it: adds a vertex where it can. */
  private void note() {
    try {
      graph.addVertex();
      seen.add("writes");
    } catch (IllegalStateException e) {
      seen.add(e.getMessage().contains("read-only") ? "reads" : e.toString());
    }
  }

  /** Notes the transaction of each traverser. */
  @SuppressWarnings("rawtypes") // as the interfaces of services have it
  private class Noting implements ServiceFactory<Object, Object>, Service<Object, Object> {
    private final String name;

    Noting(String name) {
      this.name = name;
    }

    @Override
    public String getName() {
      return name;
    }

    @Override
    public Type getType() {
      return Type.Streaming;
    }

    @Override
    public Set<Type> getSupportedTypes() {
      return Set.of(Type.Streaming);
    }

    @Override
    public Service<Object, Object> createService(boolean isStart, Map params) {
      return this;
    }

    @Override
    public CloseableIterator<Object> execute(
        ServiceCallContext context, Traverser.Admin<Object> in, Map params) {
      note();
      return CloseableIterator.of(List.<Object>of(1).iterator());
    }

    @Override
    public void close() {}
  }

  /** One that says that it only reads, which is not true. */
  private final class ReadingNote extends Noting implements ReadOnlyService {
    ReadingNote(String name) {
      super(name);
    }
  }

  private List<String> seen() {
    List<String> all = new ArrayList<>(seen);
    seen.clear();
    return all;
  }

  private static List<Result> ask(Client client, String text) throws Exception {
    return client.submit(text).all().get(5, TimeUnit.MINUTES);
  }

  @Test
  void requestsThatCannotWriteRunInReadOnlyTransactions() throws Exception {
    GraphTraversalSource g = served.g();
    assertEquals(MANY, g.V().out("next").count().sideEffect(__.call("test.read")).next());
    assertEquals(List.of("reads"), seen());
    assertEquals(MANY, g.V().out("next").count().sideEffect(__.call("test.write")).next());
    assertEquals(List.of("writes"), seen());
    g.V(1L).property("on", 1).call("test.read").iterate();
    assertEquals(List.of("writes"), seen());
    Client texts = served.cluster().connect();
    ask(texts, "g.V().out('next').count().call('test.read')");
    assertEquals(List.of("reads"), seen());
    ask(texts, "g.V().out('next').count().call('test.write')");
    assertEquals(List.of("writes"), seen());
    ask(texts, "g.V(1L).id().next();g.V(1L).call('test.read')");
    assertEquals(List.of("writes"), seen(), "a query with a terminal step has begun it");
    ask(texts, "g.V(1L).property('on', 1).iterate();g.V(1L).call('test.read')");
    assertEquals(List.of("writes"), seen());
  }

  private static String threads() {
    StringBuilder text = new StringBuilder();
    Thread.getAllStackTraces()
        .forEach((thread, at) -> text.append("\n").append(thread).append(List.of(at)));
    return text.toString();
  }

  private void assertConflict(CompletableFuture<?> one, CompletableFuture<?> two) throws Exception {
    int conflicts = 0;
    for (CompletableFuture<?> each : List.of(one, two)) {
      try {
        each.get(1, TimeUnit.MINUTES);
      } catch (TimeoutException e) {
        throw new AssertionError(
            "a request is not answered; calls=" + waiting.calls() + threads(), e);
      } catch (ExecutionException e) {
        Throwable cause = e.getCause();
        while (!(cause instanceof ResponseException)) {
          cause = cause.getCause();
        }
        assertEquals(
            ResponseStatusCode.SERVER_ERROR_TEMPORARY,
            ((ResponseException) cause).getResponseStatusCode());
        conflicts++;
      }
    }
    assertEquals(1, conflicts);
    long on = graph.traversal().V(1L, 2L).has("on", 1).count().next();
    graph.tx().rollback();
    assertEquals(1, on, "each turns one off while the other is on");
  }

  /** Each reads a vertex in a query of its own, waits for the other, and changes another vertex. */
  @Test
  void aTextThatReadsBeforeItWritesIsValidated() throws Exception {
    String text =
        "g.V(%dL).values('on').next();g.inject(1).call('test.wait').iterate();"
            + "g.V(%dL).property('on', 0)";
    CompletableFuture<?> one = served.cluster().connect().submit(text.formatted(1, 2)).all();
    CompletableFuture<?> two = other.connect().submit(text.formatted(2, 1)).all();
    waiting.awaitCall();
    waiting.awaitCall();
    waiting.letGo(2);
    assertConflict(one, two);
  }

  @Test
  void aTraversalThatReadsBeforeItWritesIsValidated() throws Exception {
    CompletableFuture<?> one = turnsOff(served.g(), 1, 2);
    CompletableFuture<?> two = turnsOff(ServedFixture.source(other), 2, 1);
    waiting.awaitCall();
    waiting.awaitCall();
    waiting.letGo(2);
    assertConflict(one, two);
  }

  private static CompletableFuture<?> turnsOff(GraphTraversalSource g, long read, long written) {
    return ServedFixture.begin(
        () -> g.V(read).has("on", 1).call("test.wait").V(written).property("on", 0).iterate());
  }

  @Test
  void aSessionThatReadsBeforeItWritesIsValidated() throws Exception {
    var first = served.g().tx();
    var second = ServedFixture.source(other).tx();
    GraphTraversalSource one = first.begin();
    GraphTraversalSource two = second.begin();
    assertEquals(1, one.V(1L).values("on").next());
    assertEquals(1, two.V(2L).values("on").next());
    one.V(2L).property("on", 0).iterate();
    two.V(1L).property("on", 0).iterate();
    first.commit();
    assertThrows(RuntimeException.class, second::commit);
    long on = graph.traversal().V(1L, 2L).has("on", 1).count().next();
    graph.tx().rollback();
    assertEquals(1, on);
  }

  @Test
  void aReadSeesWhatWasAnsweredBefore() throws Exception {
    GraphTraversalSource writes = served.g();
    GraphTraversalSource reads = ServedFixture.source(other);
    for (int i = 0; i < 300; i++) {
      writes.V(3L).property("on", i).iterate();
      assertEquals(i, reads.V(3L).values("on").next());
    }
    assertTrue(seen().isEmpty());
  }
}
