package io.bg3.server;

import io.bg3.gremlin.structure.Bg3Graph;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalSource;
import org.apache.tinkerpop.gremlin.structure.Graph;

/** A graph of a server with its name and its source. Threads: any. */
final class NamedGraph {
  private final String name;
  private final Graph graph;
  private final TraversalSource source;
  private final boolean commitsInLoops;

  /**
   * A graph that is open.
   *
   * @param name of the graph and of its source, for clients
   * @param source for the queries of clients, with the server's limits
   */
  NamedGraph(String name, Graph graph, TraversalSource source) {
    this.name = name;
    this.graph = graph;
    this.source = source;
    this.commitsInLoops = graph instanceof Bg3Graph;
  }

  String name() {
    return name;
  }

  Graph graph() {
    return graph;
  }

  TraversalSource source() {
    return source;
  }

  /**
   * Whether event loops may commit to it: they wait for no disk (R58, R59). False of a graph whose
   * commits {@link NamedGraphManager#guardCommits} does not guard.
   */
  boolean commitsInLoops() {
    return commitsInLoops;
  }

  /** Whether it takes commits, or was opened to be read only. */
  boolean isWriting() {
    try {
      return !(graph instanceof Bg3Graph own) || own.failure().isEmpty();
    } catch (IllegalStateException closed) {
      return false;
    }
  }

  /** Rolls back what the calling thread has open in it. */
  void rollBack() {
    if (graph.tx().isOpen()) {
      graph.tx().rollback();
    }
  }

  /** Commits what the calling thread has open in it. */
  void commit() {
    if (graph.tx().isOpen()) {
      graph.tx().commit();
    }
  }
}
