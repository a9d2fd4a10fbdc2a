package io.bg3.server.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.tinkerpop.gremlin.process.traversal.AnonymousTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.util.empty.EmptyGraph;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.junit.jupiter.api.Test;

/** The line of a request whose operations came as bytes. */
class AuditLogTest {
  private static final GraphTraversalSource G =
      AnonymousTraversalSource.traversal().with(EmptyGraph.instance());

  @Test
  void refusedLoginsAreLimitedByAddressAndInAllAndTheRestIsCounted() throws Exception {
    AtomicLong nanos = new AtomicLong();
    AuditLog audit = new AuditLog(true, nanos::get);
    try (AuditedLines audited = new AuditedLines()) {
      for (int i = 0; i < 1_000; i++) {
        audit.login(from("10.0.0.1"), "websocket", Login.refused("\u0001".repeat(65), "wrong"));
      }
      assertEquals(5, audited.lines().size());
      for (String line : audited.lines()) {
        assertTrue(line.length() <= 500, line);
      }
      for (int i = 0; i < 100; i++) {
        audit.login(from("10.0.1." + i), "http", Login.refused("guess" + i, "wrong"));
      }
      assertEquals(20, audited.lines().size());
      Account ada = new Account("ada", Role.WRITER);
      for (int i = 0; i < 50; i++) {
        audit.login(from("10.0.0.1"), "websocket", Login.as(ada));
      }
      assertEquals(70, audited.lines().size(), "a user has every line");
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(10));
      audit.summarise();
      List<String> counts = audited.lines().subList(70, audited.lines().size());
      assertEquals(11, counts.size());
      assertEquals(
          "logins refused: more lines were left out: count=995, from=10.0.0.1", counts.get(0));
      audit.login(from("10.0.0.1"), "websocket", Login.refused("eve", "wrong"));
      assertEquals(82, audited.lines().size());
    }
  }

  /** The channel's event loop is the thread of the test. */
  @Test
  void aLineThatIsHandedOverHasTheTimeOfItsRequest() throws Exception {
    AuditLog audit = new AuditLog(true);
    long before = System.currentTimeMillis();
    try (AuditedLines audited = new AuditedLines()) {
      audit.start();
      try (AuditLog closed = audit) {
        RequestMessage request =
            RequestMessage.build(Tokens.OPS_EVAL).add(Tokens.ARGS_GREMLIN, "g.V()\u0001").create();
        closed.request("ada", "writer", from("10.0.0.1"), "websocket", request, "");
      }
      assertEquals(1, audited.lines().size());
      String line = audited.lines().get(0);
      assertTrue(line.endsWith("outcome=allowed query=\"g.V()\\u0001\""), line);
      long time = audited.times().get(0);
      assertTrue(time >= before && time <= System.currentTimeMillis(), "time=" + time);
    }
  }

  private static EmbeddedChannel from(String address) throws Exception {
    InetAddress host = InetAddress.getByName(address);
    return new EmbeddedChannel() {
      @Override
      protected SocketAddress remoteAddress0() {
        return new InetSocketAddress(host, 1);
      }
    };
  }

  @Test
  void theOperationsAreSaidHoweverAServiceIsGivenThem() {
    ByteBuffer asks = batch("likes", 1);
    Map<Object, Object> parameters = Map.of("operations", asks);
    for (Traversal<?, ?> query :
        List.of(
            G.call("bg3.batch", parameters),
            G.inject(1).map(__.call("bg3.batch.read", parameters)),
            G.call("bg3.batch").with("operations", asks),
            G.call("bg3.batch").as("x").with("other", 1).with("operations", asks))) {
      assertSaid(query.asAdmin().getBytecode(), Map.of());
    }
    Bytecode bound = new Bytecode();
    bound.addStep("call", "bg3.batch");
    bound.addStep("with", "operations", new Bytecode.Binding<>("x", asks));
    assertSaid(bound, Map.of());
    bound = new Bytecode();
    bound.addStep("call", "bg3.batch", Map.of("operations", new Bytecode.Binding<>("x", asks)));
    assertSaid(bound, Map.of());
    assertSaid("g.call('bg3.batch', x)", Map.of("x", parameters));
  }

  @Test
  void bytesForOthersAreNoOperations() {
    ByteBuffer asks = batch("likes", 1);
    Bytecode query = G.call("known").with("operations", asks).asAdmin().getBytecode();
    assertFalse(text(query, Map.of()).contains("nodes.get"));
    query = G.call("bg3.batch").property("bytes", asks).asAdmin().getBytecode();
    assertFalse(text(query, Map.of()).contains("nodes.get"));
    assertFalse(text("g.V().has('bytes', x)", Map.of("x", asks)).contains("nodes.get"));
  }

  @Test
  void aLineIsNotPutTogetherBeyondItsLength() {
    ByteBuffer asks = batch("x".repeat(1_024), 1_024);
    Bytecode query = new Bytecode();
    for (int i = 0; i < 13; i++) {
      query.addStep("call", "bg3.batch", Map.of("operations", asks));
    }
    assertTrue(text(query, Map.of()).length() < 5_000);
    assertTrue(text("g.call('bg3.batch', x)", Map.of("x", asks, "y", asks)).length() < 5_000);
  }

  private static void assertSaid(Object query, Map<String, Object> bindings) {
    String text = text(query, bindings);
    assertTrue(text.endsWith(" [nodes.get likes 1]"), text);
  }

  private static String text(Object query, Map<String, Object> bindings) {
    return AuditLog.text(
        RequestMessage.build(Tokens.OPS_EVAL)
            .addArg(Tokens.ARGS_GREMLIN, query)
            .addArg(Tokens.ARGS_BINDINGS, bindings)
            .create());
  }

  /** Asks for node 1 so many times. */
  private static ByteBuffer batch(String label, int count) {
    ByteBuffer bytes = ByteBuffer.allocate(8 + label.length() + count * 11);
    bytes.put((byte) 1).putShort((short) 1).putShort((short) label.length());
    label.chars().forEach(c -> bytes.put((byte) c));
    bytes.putShort((short) count);
    for (int i = 0; i < count; i++) {
      bytes.put((byte) 7).putShort((short) 0).putLong(1);
    }
    return bytes.flip();
  }
}
