package io.bg3.transfer.remote;

import io.bg3.transfer.EdgeData;
import io.bg3.transfer.Elements;
import io.bg3.transfer.GraphSource;
import io.bg3.transfer.StarData;
import io.bg3.transfer.TransferException;
import io.bg3.transfer.VertexData;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/**
 * Reads the graph of a server at one snapshot, in ranges within one transaction. For each range the
 * server iterates again over all elements before it, so the ranges are large. The server ends a
 * transaction that exceeds {@code server.session.life}.
 */
public final class RemoteSource implements GraphSource {
  private static final int RANGE = 5_000;
  private static final int STARS = 500;

  private final RemoteGraph graph;
  private final Transaction transaction;
  private final GraphTraversalSource g;

  /** Begins the transaction. The caller closes {@code graph}. */
  public RemoteSource(RemoteGraph graph) {
    this.graph = graph;
    this.transaction = graph.g().tx();
    GraphTraversalSource inside = transaction.begin();
    this.g = inside.with("materializeProperties", "all");
  }

  @Override
  public long vertexCount() throws IOException {
    return asked(() -> g.V().count().next());
  }

  @Override
  public long edgeCount() throws IOException {
    return asked(() -> g.E().count().next());
  }

  @Override
  public void vertices(Visitor<VertexData> visitor) throws IOException {
    each(g.V(), vertex -> visitor.visit(Elements.of(vertex)));
  }

  @Override
  public void edges(Visitor<EdgeData> visitor) throws IOException {
    each(g.E(), edge -> visitor.visit(Elements.of(edge)));
  }

  @Override
  public void stars(Visitor<StarData> visitor) throws IOException {
    ranges(
        g.V(),
        STARS,
        vertices -> {
          Object[] ids = vertices.stream().map(Vertex::id).toArray();
          Map<Object, List<EdgeData>> in = new HashMap<>();
          Map<Object, List<EdgeData>> out = new HashMap<>();
          for (Edge edge : asked(() -> g.V(ids).outE().toList())) {
            EdgeData data = Elements.of(edge);
            out.computeIfAbsent(data.from(), none -> new ArrayList<>()).add(data);
          }
          for (Edge edge : asked(() -> g.V(ids).inE().toList())) {
            EdgeData data = Elements.of(edge);
            in.computeIfAbsent(data.to(), none -> new ArrayList<>()).add(data);
          }
          for (Vertex vertex : vertices) {
            visitor.visit(
                new StarData(
                    Elements.of(vertex),
                    in.getOrDefault(vertex.id(), List.of()),
                    out.getOrDefault(vertex.id(), List.of())));
          }
        });
  }

  private <E> void each(GraphTraversal<E, E> all, Visitor<E> visitor) throws IOException {
    ranges(
        all,
        RANGE,
        elements -> {
          for (E element : elements) {
            visitor.visit(element);
          }
        });
  }

  private <E> void ranges(GraphTraversal<E, E> all, int range, Visitor<List<E>> visitor)
      throws IOException {
    for (long low = 0; ; low += range) {
      GraphTraversal<E, E> next = all.asAdmin().clone().range(low, low + range);
      List<E> elements = asked(next::toList);
      if (!elements.isEmpty()) {
        visitor.visit(elements);
      }
      if (elements.size() < range) {
        return;
      }
    }
  }

  private <T> T asked(Supplier<T> query) throws TransferException {
    try {
      return query.get();
    } catch (RuntimeException e) {
      throw new TransferException(
          "the server did not send the graph: address="
              + graph
              + ", reason="
              + RemoteGraph.reason(e)
              + "\n"
              + "If the export takes longer than server.session.life, stop the server and export"
              + " with --data.",
          RemoteGraph.root(e));
    }
  }

  @Override
  public void close() {
    try {
      transaction.rollback();
    } catch (RuntimeException e) {
      assert e.getMessage() != null
          : e; // the server ends the transaction of a client that has gone
    }
  }
}
