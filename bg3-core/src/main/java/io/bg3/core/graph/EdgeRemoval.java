package io.bg3.core.graph;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.limit.Limit;
import io.bg3.core.record.EdgeId;
import io.bg3.core.transaction.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The removal of all edges of one vertex but loose ones, in steps. Between two steps it can be told
 * to give up, and it refuses what no commit could hold: a vertex may have more edges than there is
 * memory for their removals. Used by one thread.
 */
final class EdgeRemoval {
  /** So many edges are read in one step. */
  static final int STEP = 1024;

  private final Transaction transaction;
  private final Edges edges;
  private final GraphRemovals removals;
  private final long vertex;
  private final EdgeRanges ranges;
  private final long most;
  private final Runnable pause;

  /** An edge to remove, and the id that the user gave it, null if none. */
  private record Found(EdgeId edge, Object userId) {}

  /** All edges, if one scan has found them all; else null. */
  private List<Found> few;

  /**
   * A removal of the edges in these ranges, which hold the entries out of the vertex and into it.
   *
   * @param most entries that the transaction may write
   * @param pause called before each step; what it throws ends the removal
   */
  EdgeRemoval(
      Transaction transaction,
      Edges edges,
      GraphRemovals removals,
      long vertex,
      EdgeRanges ranges,
      long most,
      Runnable pause) {
    this.transaction = transaction;
    this.edges = edges;
    this.removals = removals;
    this.vertex = vertex;
    this.ranges = ranges;
    this.most = most;
    this.pause = pause;
  }

  /**
   * Counts the edges, and changes nothing. If there are at most {@value #STEP}, it keeps them for
   * {@link #run}, which then does not scan again.
   *
   * @throws io.bg3.core.limit.LimitExceededException if their removal alone writes too much
   */
  void requireRoom() {
    long least = findFew();
    if (few == null) {
      least = count();
    }
    requireAtMost(least);
  }

  /** Fills {@code few} if there are few edges; returns how many entries their removal writes. */
  private long findFew() {
    long least = 0;
    List<Found> found = new ArrayList<>();
    try (EdgeScan scan = scan(true)) {
      for (int read = 0; scan.next(); read++) {
        if (read == STEP) {
          return 0;
        }
        least += entries(scan);
        if (isFirst(scan)) {
          found.add(new Found(scan.edge(), userId(scan)));
        }
      }
    }
    if (!found.isEmpty()) {
      pause.run();
    }
    few = found;
    return least;
  }

  private long count() {
    long least = 0;
    try (EdgeScan scan = scan(false)) {
      for (int read = 0; scan.next(); read++) {
        if (read % STEP == 0) {
          pause.run();
          requireAtMost(least);
        }
        least += entries(scan);
      }
    }
    return least;
  }

  /** The number of entries that go for one that the scan shows, at least. */
  private int entries(EdgeScan scan) {
    // The scan shows both entries of a loop. An ordered edge may be hidden, with one entry.
    boolean isOne =
        scan.other() == vertex || (scan.isOut() && edges.orderedLabel(scan.label()) != null);
    return isOne ? 1 : 2;
  }

  /** Of an edge with an ordered label it is read when the edge is removed. */
  private Object userId(EdgeScan scan) {
    return edges.orderedLabel(scan.label()) == null ? scan.userId() : null;
  }

  /** Whether it is not the second entry of a loop, which goes with the first. */
  private boolean isFirst(EdgeScan scan) {
    return scan.isOut() || scan.other() != vertex;
  }

  /** The number of edges that are kept for {@link #run}; 0 if it scans them again. */
  int kept() {
    return few == null ? 0 : few.size();
  }

  /** Adds the keys of the entries at the other ends of the edges that are kept. */
  void addOtherEnds(List<byte[]> to) {
    if (few == null) {
      return;
    }
    for (Found each : few) {
      EdgeId edge = each.edge();
      boolean isOut = edge.source() == vertex;
      int tagLabel = isOut ? EdgeTags.in(edge.label()) : EdgeTags.out(edge.label());
      to.add(EdgeKey.encode(other(edge), tagLabel, vertex, edge.sequence()));
    }
  }

  /**
   * Removes the edges. An exception leaves some of them removed.
   *
   * @throws io.bg3.core.limit.LimitExceededException if the transaction writes too much
   */
  void run() {
    run(Set.of());
  }

  /**
   * Removes the edges, as {@link #run()} does.
   *
   * @param gone vertices that were removed after {@link #requireRoom}, with all their edges
   * @throws io.bg3.core.limit.LimitExceededException if the transaction writes too much
   */
  void run(Set<Long> gone) {
    if (few != null) {
      requireAtMost(removals.writeCount());
      for (Found each : few) {
        if (gone.isEmpty() || !gone.contains(other(each.edge()))) {
          removals.removeFound(each.edge(), each.userId());
        } else {
          removals.removeLeft(each.edge());
        }
      }
      return;
    }
    removals.writeGathered(); // the scan is to show what is left
    try (EdgeScan scan = scan(true)) {
      for (int read = 0; scan.next(); read++) {
        if (read % STEP == 0) {
          pause.run();
          requireAtMost(removals.writeCount());
        }
        if (isFirst(scan)) {
          removals.removeFound(scan.edge(), userId(scan));
        }
      }
    }
  }

  private long other(EdgeId edge) {
    return edge.source() == vertex ? edge.target() : edge.source();
  }

  private EdgeScan scan(boolean values) {
    return new EdgeScan(
        transaction,
        ranges.count(),
        i -> transaction.edges(vertex, ranges.low(i), ranges.high(i), values, ScanOrder.FORWARD));
  }

  private void requireAtMost(long writes) {
    if (writes > most) {
      throw Limit.COMMIT_ENTRIES.exceeded(writes, "the edges of vertex " + vertex);
    }
  }
}
