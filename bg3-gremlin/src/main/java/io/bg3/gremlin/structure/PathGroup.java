package io.bg3.gremlin.structure;

import io.bg3.core.graph.EdgeDirection;
import io.bg3.core.graph.EdgeScan;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.NeighbourBatch;
import io.bg3.gremlin.process.traversal.step.util.Hop;
import io.bg3.gremlin.process.traversal.step.util.NeighbourLookup;
import io.bg3.gremlin.process.traversal.step.util.PathLookup;
import io.bg3.gremlin.process.traversal.step.util.SeenVertices;
import java.util.Iterator;
import java.util.List;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/**
 * Counts the paths of some hops from vertices, hop by hop, by internal ids:
 *
 * <pre>
 *   vertices in front of a hop   each once, with the number of paths that lead to it
 *     |  64 of them              their neighbours in one call of the store
 *     v
 *   vertices in front of the next hop; once there are 4,096 of them, the paths from these
 *   are counted, and they are forgotten
 * </pre>
 *
 * <p>A vertex with more than {@value NeighbourGroup#MOST_NEIGHBOURS} neighbours by one label is
 * scanned. A vertex of another graph is asked for its neighbours.
 *
 * <p>Belongs to one thread.
 */
final class PathGroup implements PathLookup {
  /** Vertices in front of a hop that are held. */
  static final int MOST_HELD = 4096;

  /** A hop, and what is in front of it. */
  private static final class Stage {
    final Hop hop;
    final EdgeDirection direction;
    final String[] labels;
    final WeightedVertices from = new WeightedVertices();
    final NeighbourBatch batch = new NeighbourBatch();
    final long[] asked = new long[NeighbourLookup.MOST_VERTICES];

    Stage(Hop hop) {
      this.hop = hop;
      this.direction = Bg3Vertex.directionOf(hop.direction());
      this.labels = hop.labels();
    }
  }

  private final Bg3Graph graph;
  private final Stage[] stages;
  private final boolean countsEdges;
  private final SeenVertices seen;
  private GraphTransaction in;
  private long elsewhere;

  /**
   * Counts nothing yet.
   *
   * @param hops at least one
   * @param countsEdges whether the last hop ends at its edges: then those of loose labels count
   *     whose other end is missing
   * @param seen the vertices that were counted before; null if paths are counted
   */
  PathGroup(Bg3Graph graph, List<Hop> hops, boolean countsEdges, SeenVertices seen) {
    assert seen == null || !countsEdges : hops;
    this.graph = graph;
    this.stages = hops.stream().map(Stage::new).toArray(Stage[]::new);
    this.countsEdges = countsEdges;
    this.seen = seen;
  }

  @Override
  public void add(Vertex vertex, long bulk) {
    if (vertex instanceof Bg3Vertex own && own.graph() == graph) {
      stages[0].from.add(own.vertex(), bulk);
    } else {
      elsewhere += countElsewhere(vertex, 0) * (seen == null ? bulk : 1);
    }
  }

  @Override
  public long count() {
    in = graph.transaction().graph();
    long found = elsewhere + countFrom(0);
    elsewhere = 0;
    return found;
  }

  /** Counts the paths from a vertex of another graph. */
  private long countElsewhere(Vertex vertex, int number) {
    Hop hop = stages[number].hop;
    if (isLast(number)) {
      NeighbourGroup alone = new NeighbourGroup(graph, hop.direction(), false, hop.labels());
      alone.add(vertex);
      alone.lookUp(false);
      if (seen != null) {
        return alone.countNew(0, seen);
      }
      return countsEdges ? alone.countEdges(0, Long.MAX_VALUE) : alone.count(0, Long.MAX_VALUE);
    }
    long found = 0;
    Iterator<Vertex> neighbours = vertex.vertices(hop.direction(), hop.labels());
    while (neighbours.hasNext()) {
      found += countElsewhere(neighbours.next(), number + 1);
    }
    return found;
  }

  private boolean isLast(int number) {
    return number == stages.length - 1;
  }

  /** Counts the paths from the vertices in front of a hop, and forgets these. */
  private long countFrom(int number) {
    Stage stage = stages[number];
    int count = stage.from.count();
    long found = 0;
    for (int start = 0; start < count; start += stage.asked.length) {
      Interrupts.check();
      int some = Math.min(stage.asked.length, count - start);
      stage.from.copy(start, some, stage.asked);
      in.neighbours(
          stage.asked,
          some,
          stage.direction,
          NeighbourGroup.MOST_NEIGHBOURS,
          stage.batch,
          stage.labels);
      for (int i = 0; i < some; i++) {
        long weight = stage.from.weight(start + i);
        found +=
            stage.batch.isComplete(i)
                ? followHeld(number, i, weight)
                : followScanned(number, stage.asked[i], weight);
      }
    }
    stage.from.clear();
    return isLast(number) ? found : found + countFrom(number + 1);
  }

  /**
   * Goes by the edges of a vertex in the batch of its stage.
   *
   * @return the paths that were counted meanwhile
   */
  private long followHeld(int number, int place, long weight) {
    NeighbourBatch batch = stages[number].batch;
    long found = 0;
    for (int range = 0; range < batch.ranges(); range++) {
      int start = batch.start(range, place);
      int end = batch.end(range, place);
      boolean loose = batch.isLoose(range) && !(countsEdges && isLast(number));
      if (isLast(number) && seen == null && !loose) {
        found += weight * (end - start);
        continue;
      }
      if (loose) {
        int of = range;
        in.prefetchVertices(end - start, i -> batch.other(of, start + i));
      }
      for (int at = start; at < end; at++) {
        long other = batch.other(range, at);
        if (!loose || in.vertexExists(other)) {
          found += reach(number, other, weight);
        }
      }
    }
    return found;
  }

  /** Goes by the edges of a vertex that has too many for a batch. */
  private long followScanned(int number, long vertex, long weight) {
    Stage stage = stages[number];
    if (isLast(number) && seen == null) {
      return weight
          * in.countEdges(vertex, stage.direction, !countsEdges, Interrupts::check, stage.labels);
    }
    long found = 0;
    try (EdgeScan scan = in.edges(vertex, stage.direction, false, stage.labels)) {
      while (scan.next()) {
        Interrupts.check();
        if (!scan.isLoose() || in.vertexExists(scan.other())) {
          found += reach(number, scan.other(), weight);
        }
      }
    }
    return found;
  }

  /** Counts a vertex behind the last hop, or has it stand in front of the next one. */
  private long reach(int number, long other, long weight) {
    if (isLast(number)) {
      return seen == null ? weight : seen.add(other) ? 1 : 0;
    }
    WeightedVertices next = stages[number + 1].from;
    next.add(other, weight);
    return next.count() < MOST_HELD ? 0 : countFrom(number + 1);
  }
}
