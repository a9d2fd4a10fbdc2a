package io.bg3.gremlin.structure;

import io.bg3.core.graph.EdgeDirection;
import io.bg3.core.graph.EdgeScan;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.NeighbourBatch;
import io.bg3.gremlin.process.traversal.step.util.Hop;
import io.bg3.gremlin.process.traversal.step.util.NeighbourLookup.Use;
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
 * <p>In front of the last hop only numbers are read, unless different vertices count.
 *
 * <p>A vertex with more than {@value NeighbourGroup#MOST_NEIGHBOURS} neighbours by one label is
 * looked up alone, and scanned if it has more than {@value #MOST_ALONE}. In front of the last hop
 * it is counted by itself if it has more than {@value NeighbourGroup#MOST_COUNTED}. A vertex of
 * another graph is asked for its neighbours.
 *
 * <p>Belongs to one thread.
 */
final class PathGroup implements PathLookup {
  /** Vertices in front of a hop that are held. */
  static final int MOST_HELD = 4096;

  /** The most neighbours by one label that are held of a vertex that is looked up alone. */
  static final int MOST_ALONE = 4096;

  /** A hop, and what is in front of it. */
  private static final class Stage {
    final Hop hop;
    final EdgeDirection direction;
    final String[] labels;
    final int most;
    PathRoom room; // null while nothing is counted, but for the first stage
    NeighbourBatch batch; // of the room, or of its own if that only counts

    /** A stage whose neighbours are held. */
    Stage(Hop hop) {
      this(hop, NeighbourGroup.MOST_NEIGHBOURS, null);
    }

    /** A stage whose neighbours are counted. */
    Stage(Hop hop, NeighbourBatch counting) {
      this(hop, NeighbourGroup.MOST_COUNTED, counting);
    }

    private Stage(Hop hop, int most, NeighbourBatch counting) {
      this.hop = hop;
      this.direction = Bg3Vertex.directionOf(hop.direction());
      this.labels = hop.labels();
      this.most = most;
      this.batch = counting;
    }

    void take(PathRoom taken) {
      room = taken;
      if (most == NeighbourGroup.MOST_NEIGHBOURS) {
        batch = taken.batch;
      }
    }

    PathRoom leave() {
      PathRoom left = room;
      room = null;
      return left;
    }
  }

  private final Bg3Graph graph;
  private final PathRoom.Spares spares;
  private final Stage[] stages;
  private final boolean countsEdges;
  private final boolean countsStarts;
  private final SeenVertices seen;
  private GraphTransaction in;
  private long early; // counted before the vertices that were added are followed

  /**
   * Counts nothing yet.
   *
   * @param hops at least one
   * @param countsEdges whether the last hop ends at its edges: then those of loose labels count
   *     whose other end is missing
   * @param countsStarts whether the vertices that are added count too
   * @param seen the vertices that were counted before; null if paths are counted
   */
  PathGroup(
      Bg3Graph graph,
      PathRoom.Spares spares,
      List<Hop> hops,
      boolean countsEdges,
      boolean countsStarts,
      SeenVertices seen) {
    assert seen == null || !countsEdges : hops;
    this.graph = graph;
    this.spares = spares;
    this.stages = new Stage[hops.size()];
    this.countsEdges = countsEdges;
    this.countsStarts = countsStarts;
    this.seen = seen;
    for (int i = 0; i < stages.length; i++) {
      stages[i] =
          isLast(i) && seen == null
              ? new Stage(hops.get(i), NeighbourBatch.counting(!countsEdges))
              : new Stage(hops.get(i));
    }
    stages[0].take(new PathRoom()); // which is small as a rule, and in use between two counts
  }

  @Override
  public void add(Vertex vertex, long bulk) {
    if (countsStarts) {
      early += seen == null ? bulk : VerticesById.addTo(seen, graph, vertex) ? 1 : 0;
    }
    if (vertex instanceof Bg3Vertex own && own.graph() == graph) {
      stages[0].room.from.add(own.vertex(), bulk);
    } else {
      early += countElsewhere(vertex, 0) * (seen == null ? bulk : 1);
    }
  }

  @Override
  public long count() {
    in = graph.transaction().graph();
    for (int i = 1; i < stages.length; i++) {
      stages[i].take(spares.take());
    }
    long found = early + countFrom(0);
    for (int i = 1; i < stages.length; i++) {
      spares.give(stages[i].leave());
    }
    early = 0;
    return found;
  }

  /** Counts the paths from a vertex of another graph. */
  private long countElsewhere(Vertex vertex, int number) {
    Hop hop = stages[number].hop;
    if (isLast(number)) {
      NeighbourGroup alone =
          new NeighbourGroup(graph, hop.direction(), Use.NEIGHBOURS, hop.labels());
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
      Vertex neighbour = neighbours.next();
      boolean ends =
          hop.isCounted() && (seen == null || VerticesById.addTo(seen, graph, neighbour));
      found += (ends ? 1 : 0) + countElsewhere(neighbour, number + 1);
    }
    return found;
  }

  private boolean isLast(int number) {
    return number == stages.length - 1;
  }

  /** Counts the paths from the vertices in front of a hop, and forgets these. */
  private long countFrom(int number) {
    Stage stage = stages[number];
    WeightedVertices from = stage.room.from;
    long[] asked = stage.room.asked;
    long found = 0;
    for (int start = 0; start < from.count(); start += asked.length) {
      Interrupts.check();
      int some = Math.min(asked.length, from.count() - start);
      from.copy(start, some, asked);
      in.neighbours(asked, some, stage.direction, stage.most, stage.batch, stage.labels);
      if (isLast(number) && seen != null) {
        seen.expect(stage.batch.size());
      }
      for (int i = 0; i < some; i++) {
        long weight = from.weight(start + i);
        found +=
            stage.batch.isComplete(i)
                ? follow(stage.batch, i, number, weight)
                : followAlone(number, asked[i], weight);
      }
    }
    from.clear();
    return isLast(number) ? found : found + countFrom(number + 1);
  }

  /**
   * Goes by the edges of a vertex in a batch.
   *
   * @return the paths that were counted meanwhile
   */
  private long follow(NeighbourBatch batch, int place, int number, long weight) {
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

  /** Goes by the edges of a vertex that has too many for a batch with others. */
  private long followAlone(int number, long vertex, long weight) {
    Stage stage = stages[number];
    if (isLast(number) && seen == null) {
      return weight
          * in.countEdges(vertex, stage.direction, !countsEdges, Interrupts::check, stage.labels);
    }
    NeighbourBatch batch = stage.room.ofOne;
    stage.room.one[0] = vertex;
    in.neighbours(stage.room.one, 1, stage.direction, MOST_ALONE, batch, stage.labels);
    return batch.isComplete(0)
        ? follow(batch, 0, number, weight)
        : followScanned(stage, vertex, number, weight);
  }

  private long followScanned(Stage stage, long vertex, int number, long weight) {
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
      return end(other, weight);
    }
    long found = stages[number].hop.isCounted() ? end(other, weight) : 0;
    WeightedVertices next = stages[number + 1].room.from;
    next.add(other, weight);
    return next.count() < MOST_HELD ? found : found + countFrom(number + 1);
  }

  /** The paths that count because they end at a vertex. */
  private long end(long other, long weight) {
    if (seen == null) {
      return weight;
    }
    return seen.add(other) ? 1 : 0;
  }
}
