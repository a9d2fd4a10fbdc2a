package io.bg3.gremlin.process.computer;

import java.util.Collections;
import java.util.Iterator;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.computer.GraphComputer;
import org.apache.tinkerpop.gremlin.process.computer.Memory;
import org.apache.tinkerpop.gremlin.process.computer.MemoryComputeKey;
import org.apache.tinkerpop.gremlin.process.computer.MessageScope;
import org.apache.tinkerpop.gremlin.process.computer.Messenger;
import org.apache.tinkerpop.gremlin.process.computer.VertexComputeKey;
import org.apache.tinkerpop.gremlin.process.computer.util.StaticVertexProgram;
import org.apache.tinkerpop.gremlin.process.traversal.Operator;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;

/**
 * Adds up messages of every kind for three iterations: several of one sender without a combiner,
 * unchanged ones in both directions, ones that the edges change, ones along chosen edges, and ones
 * that each vertex sends itself. Numbers of two classes share a scope.
 */
final class SpreadProgram extends StaticVertexProgram<Number> {
  /** The key of the sum of a vertex. */
  static final String SUM = "sum";

  private static final String TOTAL = "total";
  private static final MessageScope.Local<Number> BOTH = MessageScope.Local.of(__::bothE);
  private static final MessageScope.Local<Number> WEIGHED =
      MessageScope.Local.of(
          () -> __.outE("knows", "owns"),
          (message, edge) -> message.longValue() + edge.<Integer>value("weight"));
  private static final MessageScope.Local<Number> CHOSEN =
      MessageScope.Local.of(() -> __.inE("likes").has("weight", 3));

  @Override
  public void setup(Memory memory) {
    memory.set(TOTAL, 0L);
  }

  @Override
  public void execute(Vertex vertex, Messenger<Number> messenger, Memory memory) {
    long sum = vertex.<Long>property(SUM).orElse(0L);
    Iterator<Number> received = messenger.receiveMessages();
    while (received.hasNext()) {
      sum += received.next().longValue();
    }
    vertex.property(VertexProperty.Cardinality.single, SUM, sum);
    memory.add(TOTAL, 1L);
    long id = ((Number) vertex.id()).longValue() % 10;
    messenger.sendMessage(BOTH, id);
    messenger.sendMessage(BOTH, (int) id + 1);
    messenger.sendMessage(WEIGHED, 7L);
    messenger.sendMessage(CHOSEN, 10_000L);
    messenger.sendMessage(MessageScope.Global.of(vertex), 1_000_000L);
    vertex
        .vertices(Direction.OUT)
        .forEachRemaining(
            other -> messenger.sendMessage(MessageScope.Global.of(other), 100_000_000L));
  }

  @Override
  public boolean terminate(Memory memory) {
    return memory.getIteration() == 2;
  }

  @Override
  public Set<VertexComputeKey> getVertexComputeKeys() {
    return Set.of(VertexComputeKey.of(SUM, false));
  }

  @Override
  @SuppressWarnings("rawtypes") // as the interface has it
  public Set<MemoryComputeKey> getMemoryComputeKeys() {
    return Collections.singleton(MemoryComputeKey.of(TOTAL, Operator.sum, true, false));
  }

  @Override
  public Set<MessageScope> getMessageScopes(Memory memory) {
    return Set.of(BOTH, WEIGHED, CHOSEN, MessageScope.Global.instance());
  }

  @Override
  public GraphComputer.ResultGraph getPreferredResultGraph() {
    return GraphComputer.ResultGraph.NEW;
  }

  @Override
  public GraphComputer.Persist getPreferredPersist() {
    return GraphComputer.Persist.EDGES;
  }
}
