package io.bg3.server;

import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.server.dispatch.Scheduler;
import io.bg3.server.request.GraphName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalSource;
import org.apache.tinkerpop.gremlin.structure.Graph;

/**
 * The graphs of a server by their names. One of them is the default graph, {@link
 * GraphName#DEFAULT}.
 *
 * <p>Threads: any.
 */
final class NamedGraphs {
  private final Function<Graph, TraversalSource> sources;
  private final Scheduler scheduler;
  private volatile Map<String, NamedGraph> graphs = Map.of(); // replaced under the monitor

  /**
   * Starts with these graphs.
   *
   * @param sources makes the source of a graph for the queries of clients
   * @param scheduler of the requests that commit to them
   * @throws IllegalArgumentException if the default graph is missing or a name is not valid
   */
  NamedGraphs(
      Map<String, Graph> first, Function<Graph, TraversalSource> sources, Scheduler scheduler) {
    this.sources = sources;
    this.scheduler = scheduler;
    if (!first.containsKey(GraphName.DEFAULT)) {
      throw new IllegalArgumentException(
          "the default graph is missing: graph="
              + GraphName.DEFAULT
              + ", graphs="
              + first.keySet());
    }
    first.forEach(this::add);
  }

  /**
   * Adds a graph: from now on requests reach it.
   *
   * @throws IllegalArgumentException if the name is not valid or taken
   */
  synchronized void add(String name, Graph graph) {
    GraphName.require(name);
    if (graphs.containsKey(name)) {
      throw new IllegalArgumentException("a graph of this name exists already: graph=" + name);
    }
    NamedGraphManager.guardCommits(graph, scheduler);
    Map<String, NamedGraph> more = new TreeMap<>(graphs);
    more.put(name, new NamedGraph(name, graph, sources.apply(graph)));
    graphs = Collections.unmodifiableMap(more);
  }

  /** Removes a graph that is not the default one: no request reaches it any more. */
  synchronized void remove(String name) {
    Map<String, NamedGraph> fewer = new TreeMap<>(graphs);
    fewer.remove(name);
    graphs = Collections.unmodifiableMap(fewer);
  }

  /** Whether requests reach this graph. */
  boolean isServed(NamedGraph graph) {
    return graph.equals(graphs.get(graph.name()));
  }

  /** The graph of a name. */
  Optional<NamedGraph> find(String name) {
    return Optional.ofNullable(graphs.get(name));
  }

  /** The graph of requests that name none. */
  NamedGraph standard() {
    return graphs.get(GraphName.DEFAULT);
  }

  /** How long each thread has held a snapshot of a graph, in milliseconds. */
  Map<Thread, Long> transactionMillis() {
    Map<Thread, Long> millis = new HashMap<>();
    for (NamedGraph named : graphs.values()) {
      if (named.graph() instanceof Bg3Graph own) {
        own.transactionMillis().forEach((thread, age) -> millis.merge(thread, age, Math::max));
      }
    }
    return millis;
  }

  /** All names, sorted. */
  List<String> names() {
    return List.copyOf(graphs.keySet());
  }

  /** All graphs, the default graph first. */
  List<NamedGraph> all() {
    Map<String, NamedGraph> now = graphs;
    List<NamedGraph> all = new ArrayList<>(List.of(now.get(GraphName.DEFAULT)));
    now.values().stream().filter(one -> !one.name().equals(GraphName.DEFAULT)).forEach(all::add);
    return all;
  }
}
