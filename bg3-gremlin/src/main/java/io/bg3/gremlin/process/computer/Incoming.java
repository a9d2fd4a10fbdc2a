package io.bg3.gremlin.process.computer;

import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import org.apache.tinkerpop.gremlin.process.computer.MessageScope;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.VertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/**
 * The messages of one scope, and how a vertex finds those that are for it.
 *
 * @param box the messages
 * @param senders the neighbours whose messages a vertex receives as they are; null if each vertex
 *     asks its edges, because the scope looks at edges, vertices may not see all of theirs, or
 *     there are too many for arrays. Of no meaning for the global scope
 * @param sent the direction in which messages go along edges; null for the global scope
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Incoming<M>(MessageBox<M> box, Adjacency[] senders, Direction sent) {
  /** What {@link MessageScope.Local} has for a scope that changes no message. */
  private static final BiFunction<?, ?, ?> UNCHANGED =
      MessageScope.Local.of(__::outE).getEdgeFunction();

  static <M> Incoming<M> of(MessageBox<M> box, Adjacencies adjacencies, boolean isFiltered) {
    if (!(box.scope() instanceof MessageScope.Local<?> scope)) {
      return new Incoming<>(box, null, null);
    }
    Traversal.Admin<Vertex, Edge> edges = edges(scope);
    VertexStep<?> hop =
        TraversalHelper.getLastStepOfAssignableClass(VertexStep.class, edges)
            .orElseThrow(() -> new IllegalArgumentException("a scope without a hop: " + edges));
    boolean isPlain =
        edges.getSteps().size() == 1
            && hop.getClass() == VertexStep.class
            && hop.returnsEdge()
            && scope.getEdgeFunction() == UNCHANGED;
    return new Incoming<>(
        box,
        isPlain && !isFiltered ? adjacencies.get(hop.getDirection().opposite(), labels(hop)) : null,
        hop.getDirection());
  }

  /** The traversal from a sender to its edges, which a caller may change. */
  static Traversal.Admin<Vertex, Edge> edges(MessageScope.Local<?> scope) {
    return scope.getIncidentTraversal().get().asAdmin();
  }

  private static List<String> labels(VertexStep<?> hop) {
    return Arrays.stream(hop.getEdgeLabels()).distinct().sorted().toList();
  }
}
