package io.bg3.gremlin.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.core.graph.Indexes;
import io.bg3.gremlin.process.traversal.strategy.optimization.Bg3GraphStepStrategy;
import io.bg3.gremlin.services.Bg3Services;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;

/** A graph in memory with its services, by which a test makes indexes. Threads: one. */
final class IndexedGraph implements AutoCloseable {
  private final Bg3Graph graph = Bg3Graph.open();
  private final GraphTraversalSource g = graph.traversal();

  IndexedGraph() {
    Bg3Services.register(graph);
  }

  Bg3Graph graph() {
    return graph;
  }

  /** A source that uses the indexes. */
  GraphTraversalSource g() {
    return g;
  }

  /** A source that uses no index. */
  @SuppressWarnings("unchecked") // an array of classes
  GraphTraversalSource scanning() {
    return g.withoutStrategies(Bg3GraphStepStrategy.class);
  }

  /** Makes an index of the vertices of all labels by one key, and waits until it is ready. */
  void index(String key) throws InterruptedException {
    index(Map.of("keys", List.of(key)));
  }

  /** Makes an index of the vertices with a label by one key, and waits until it is ready. */
  void index(String label, String key) throws InterruptedException {
    assertEquals(List.of(key), index(Map.of("label", label, "keys", List.of(key))).get("keys"));
  }

  /**
   * Makes an index, and waits until it is ready.
   *
   * @param of the parameters of {@code bg3.index.create}
   * @return the answer of the service
   */
  Map<String, Object> index(Map<String, ?> of) throws InterruptedException {
    Map<String, Object> row = g.<Map<String, Object>>call("bg3.index.create", of).next();
    await();
    return row;
  }

  /** Waits until no index is built or removed any more. */
  void await() throws InterruptedException {
    Indexes.await(graph.graphStore());
  }

  @Override
  public void close() {
    graph.close();
  }
}
