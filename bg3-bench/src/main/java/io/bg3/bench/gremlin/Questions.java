package io.bg3.bench.gremlin;

import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;

/** The subjects of the works: vertices of one graph, drawn from its seed. */
final class Questions {
  private static final int EACH_PAGE = 10;

  private final GraphTraversalSource g;
  private final BenchGraph graph;
  private final GremlinTask task;
  private final VertexIds ids;

  Questions(GraphTraversalSource g, BenchGraph graph, GremlinTask task, VertexIds ids) {
    this.g = g;
    this.graph = graph;
    this.task = task;
    this.ids = ids;
  }

  GraphTraversalSource g() {
    return g;
  }

  /** The number of vertices without the hubs; their numbers begin with 1. */
  int vertices() {
    return task.vertices();
  }

  /** The id of a vertex in the system that is asked. */
  Object id(long number) {
    return ids.id(number);
  }

  /** A result with numbers of vertices in place of their ids. */
  Object numbered(Object result) {
    return ids.numbered(result);
  }

  /** The number of the vertex of the {@code n}th question. */
  long start(long n) {
    return graph.start(n);
  }

  /** The id of the vertex of the {@code n}th question. */
  Object startId(long n) {
    return ids.id(graph.start(n));
  }

  /** The number of a person. */
  long person(long n) {
    long id = graph.start(n);
    return id % EACH_PAGE == 0 ? id - 1 : id;
  }

  /** The id of a vertex to which the ordered hub has an edge. */
  Object target(long n) {
    return ids.id(1 + n % Math.min(task.vertices(), task.orderedHub()));
  }

  /** The id of the vertex with many edges of the plain label. */
  Object plainHub() {
    return ids.id(graph.plainHub());
  }

  /** The id of the vertex with many edges of the ordered label. */
  Object orderedHub() {
    return ids.id(graph.orderedHub());
  }
}
