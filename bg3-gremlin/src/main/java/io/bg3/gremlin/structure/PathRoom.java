package io.bg3.gremlin.structure;

import io.bg3.core.graph.NeighbourBatch;
import io.bg3.gremlin.process.traversal.step.util.NeighbourLookup;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * A {@link PathGroup} holds vertices in front of a hop here, and the neighbours of some of them. A
 * room grows to half a MiB for one label, so a query that counts uses again what another one has
 * left.
 *
 * <p>Belongs to one thread at a time.
 */
final class PathRoom {
  /** The vertices in front of the hop. */
  final WeightedVertices from = new WeightedVertices();

  /** The neighbours of those that were looked up last. */
  final NeighbourBatch batch = new NeighbourBatch();

  /** The neighbours of one that has too many for that. */
  final NeighbourBatch ofOne = new NeighbourBatch();

  /** That one. */
  final long[] one = new long[1];

  /** The vertices that are looked up. */
  final long[] asked = new long[NeighbourLookup.MOST_VERTICES];

  /** The rooms of a graph that nobody uses: a few, which take about 4 MiB at most. Threads: any. */
  static final class Spares {
    private static final int MOST = 8;

    /** A room for more labels would keep more memory than the others. */
    private static final int MOST_RANGES = 2;

    private final BlockingQueue<PathRoom> rooms = new ArrayBlockingQueue<>(MOST);

    /** An empty room, which the caller gives back or drops. */
    PathRoom take() {
      PathRoom room = rooms.poll();
      return room == null ? new PathRoom() : room;
    }

    /** Takes back an empty room. */
    void give(PathRoom room) {
      assert room.from.count() == 0 : room.from.count();
      if (room.batch.ranges() <= MOST_RANGES) {
        var unused = rooms.offer(room); // one too many is dropped
      }
    }
  }
}
