package io.bg3.server.access;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.process.traversal.AnonymousTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.util.empty.EmptyGraph;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.junit.jupiter.api.Test;

/** What the line of a request says of operations that came as bytes. */
class AuditLogTest {
  private static final GraphTraversalSource G =
      AnonymousTraversalSource.traversal().with(EmptyGraph.instance());

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
