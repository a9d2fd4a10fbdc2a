package io.bg3.bench.gremlin;

import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;

/** The subjects of the works: vertices of one graph, drawn from its seed. */
final class Questions {
  private static final int EACH_PAGE = 10;

  private final GraphTraversalSource g;
  private final BenchGraph graph;
  private final GremlinTask task;

  Questions(GraphTraversalSource g, BenchGraph graph, GremlinTask task) {
    this.g = g;
    this.graph = graph;
    this.task = task;
  }

  GraphTraversalSource g() {
    return g;
  }

  /** The number of vertices without the hubs; their ids begin with 1. */
  int vertices() {
    return task.vertices();
  }

  /** The vertex of the {@code n}th question. */
  long start(long n) {
    return graph.start(n);
  }

  /** A person. */
  long person(long n) {
    long id = graph.start(n);
    return id % EACH_PAGE == 0 ? id - 1 : id;
  }

  /** A vertex to which the ordered hub has an edge. */
  long target(long n) {
    return 1 + n % Math.min(task.vertices(), task.orderedHub());
  }

  long plainHub() {
    return graph.plainHub();
  }

  long orderedHub() {
    return graph.orderedHub();
  }
}
