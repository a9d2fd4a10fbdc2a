package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.services.Bg3Services;
import io.bg3.gremlin.structure.Bg3Graph;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Batches that a connection answers itself, and those that go the way of all requests. */
class BatchIT {
  private static final int HEAD = 8;
  private static final int OPERATION = 36;
  private static final int LINKS = 1_000;

  private ServedFixture served;

  @BeforeEach
  void start() throws Exception {
    Bg3Graph graph = Bg3Graph.open();
    Bg3Services.register(graph);
    served = new ServedFixture(graph, Map.of());
    Map<Object, Object> form = Map.of("label", "7", "sortKey", "time", "loose", true);
    served.g().call("bg3.links.declare", form).iterate();
    List<Object> links = new ArrayList<>();
    LongStream.range(0, LINKS)
        .forEach(target -> links.add(List.of("7", 1L, target + 2, target, true, Map.of())));
    served.g().call("bg3.links.addAll", Map.of("links", links)).iterate();
  }

  @AfterEach
  void stop() {
    served.close();
  }

  /** A batch that asks so many times for all links. */
  private static Map<Object, Object> batch(int times) {
    ByteBuffer bytes = ByteBuffer.allocate(HEAD + times * OPERATION); // drivers send all of it
    bytes.put((byte) 1).putShort((short) 1).putShort((short) 1).put((byte) '7');
    bytes.putShort((short) times);
    for (int i = 0; i < times; i++) {
      bytes.put((byte) 4).putShort((short) 0).putLong(1);
      bytes.putLong(Long.MIN_VALUE).putLong(Long.MAX_VALUE).put((byte) 1);
      bytes.putInt(0).putInt(LINKS);
    }
    return Map.of("operations", bytes.flip());
  }

  private static ByteBuffer ask(GraphTraversalSource g, int times) {
    return (ByteBuffer) g.call("bg3.batch.read", batch(times)).next();
  }

  /** The answers to batches that list all links. */
  private static void assertLinks(ByteBuffer answer, int times) {
    assertEquals(1, answer.get());
    assertEquals(times, answer.getShort());
    for (int i = 0; i < times; i++) {
      assertEquals(0, answer.get());
      int next = answer.getInt() + answer.position();
      assertEquals(LINKS, answer.getInt());
      assertEquals(LINKS + 1L, answer.getLong());
      answer.position(next);
    }
  }

  @Test
  void smallAndLargeOnesAreAnsweredAlike() {
    GraphTraversalSource g = served.g();
    for (int times : new int[] {1, 2, 300}) { // the last takes more than a moment
      assertLinks(ask(g, times), times);
    }
    assertLinks((ByteBuffer) g.call("bg3.batch", batch(1)).next(), 1);
  }

  @Test
  void manyAtOnceOnOneConnectionGetTheirOwn() throws Exception {
    GraphTraversalSource g = served.g();
    List<CompletableFuture<Void>> all =
        IntStream.range(0, 64)
            .mapToObj(
                i ->
                    CompletableFuture.runAsync(
                        () -> {
                          int times = 1 + i % 7 * 20;
                          assertLinks(ask(g, times), times);
                        }))
            .toList();
    CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new)).get(300, TimeUnit.SECONDS);
  }

  /** A faulty batch is answered like any other faulty request, and the connection goes on. */
  @Test
  void whatIsNoBatchIsAnsweredByAnError() {
    GraphTraversalSource g = served.g();
    for (String service : List.of("bg3.batch", "bg3.batch.read")) {
      Map<Object, Object> bad = Map.of("operations", ByteBuffer.wrap(new byte[] {1, 0}));
      assertError("the operations end too early", () -> g.call(service, bad).iterate());
      Map<Object, Object> other = Map.of("operation", ByteBuffer.allocate(1));
      assertError("service has no such parameter", () -> g.call(service, other).iterate());
    }
    ByteBuffer delete = ByteBuffer.allocate(28).put(new byte[] {1, 0, 1, 0, 1, '7', 0, 1, 2, 0, 0});
    delete.putLong(1).putLong(2).put((byte) 1).flip();
    Map<Object, Object> writing = Map.of("operations", delete);
    assertError("an operation writes", () -> g.call("bg3.batch.read", writing).iterate());
    assertEquals(LINKS, g.call("bg3.links.list", source()).count().next());
    g.call("bg3.batch", writing).iterate();
    assertEquals(LINKS - 1, g.call("bg3.links.list", source()).count().next());
  }

  private static Map<Object, Object> source() {
    return Map.of("label", "7", "source", 1L);
  }

  private static void assertError(String part, Runnable query) {
    CompletionException e = assertThrows(CompletionException.class, query::run);
    assertTrue(e.getMessage().contains(part), e.getMessage());
  }
}
