package io.bg3.gremlin.process.computer;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.structure.Direction;

/**
 * The neighbours along which messages travel, by edge labels. They are read from the snapshot when
 * they are first asked for, in one pass over the edges, and kept for the computation.
 *
 * <p>Threads: one, while no worker runs; what it gives any may read.
 */
final class Adjacencies {
  /** Bytes an edge at most while an adjacency is made. */
  private static final int WIDTH = 12;

  /** The part of the heap that one adjacency may take. */
  private static final int SHARE = 3;

  private static final Adjacency[] NONE = {};

  private final ComputedGraph graph;
  private final Map<List<String>, Adjacency> out = new HashMap<>();
  private final Map<List<String>, Adjacency> in = new HashMap<>();
  private long edges = -1; // of the snapshot; not counted yet

  Adjacencies(ComputedGraph graph) {
    this.graph = graph;
  }

  /**
   * The neighbours in a direction: two adjacencies for both.
   *
   * @param labels of the edges, sorted; none for all
   * @return null if there are too many edges to hold them in arrays: a third of the heap, or 2^31
   */
  Adjacency[] get(Direction direction, List<String> labels) {
    if (!graph.hasEdges()) {
      return NONE;
    }
    if (edges < 0) {
      edges = graph.snapshot().edgeCount(); // may have to read edges
    }
    if (!fits(edges, Runtime.getRuntime().maxMemory())) {
      return null;
    }
    return switch (direction) {
      case OUT -> new Adjacency[] {out(labels)};
      case IN -> new Adjacency[] {in(labels)};
      case BOTH -> new Adjacency[] {out(labels), in(labels)};
    };
  }

  /** Whether edges may be held in arrays in a heap of this size. */
  static boolean fits(long count, long heap) {
    return count <= Math.min(Adjacency.Builder.MOST, heap / SHARE / WIDTH);
  }

  private Adjacency out(List<String> labels) {
    return out.computeIfAbsent(labels, this::read);
  }

  private Adjacency in(List<String> labels) {
    Adjacency known = in.get(labels);
    if (known == null) {
      known = out(labels).transposed();
      in.put(labels, known);
    }
    return known;
  }

  private Adjacency read(List<String> labels) {
    VertexNumbers numbers = graph.numbers();
    Adjacency.Builder builder = new Adjacency.Builder(numbers.count());
    graph
        .snapshot()
        .edges(
            (source, target) -> {
              int from = numbers.of(source);
              int to = numbers.of(target);
              if (from >= 0 && to >= 0) { // else one has been filtered out, or does not exist
                builder.add(from, to);
              }
              if (Thread.interrupted()) {
                throw new TraversalInterruptedException();
              }
            },
            labels.toArray(String[]::new));
    return builder.build();
  }
}
