package io.bg3.core.graph;

import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.tree.Neighbours;
import java.util.Arrays;

/**
 * Counts edges of one vertex: by a counter where the vertex has one, or by its degree where that is
 * kept, else by the leaves: what they say of the entries of one label, or the entries without their
 * values. Used by one thread.
 */
final class EdgeCounter {
  /** So many edges are read under the lock at once. */
  private static final int CHUNK = 1024;

  /** So many edges of one label are counted in a step of their own, which copies none. */
  private static final int MOST_AT_ONCE = 1 << 16;

  private static final long UNKNOWN = -1;

  private final GraphTransaction graph;
  private final Transaction transaction;
  private final Edges edges;
  private final long vertex;
  private final EdgeRanges ranges;
  private final boolean mayHaveDegrees;

  /**
   * Counts the edges in some ranges.
   *
   * @param graph the lock of its transaction
   * @param mayHaveDegrees false if the vertex's degrees are known not to be kept
   */
  EdgeCounter(
      GraphTransaction graph,
      Transaction transaction,
      Edges edges,
      long vertex,
      EdgeRanges ranges,
      boolean mayHaveDegrees) {
    this.graph = graph;
    this.transaction = transaction;
    this.edges = edges;
    this.vertex = vertex;
    this.ranges = ranges;
    this.mayHaveDegrees = mayHaveDegrees;
  }

  /**
   * The number of edges.
   *
   * @param ends whether only edges count whose other end exists
   * @param pause called before each chunk, outside of the lock
   */
  long count(boolean ends, Runnable pause) {
    long found = 0;
    int[] others = new int[ranges.count()];
    int left = 0;
    for (int range = 0; range < ranges.count(); range++) {
      if (hasCounter(range, ends)) {
        synchronized (graph) {
          found += transaction.count(vertex, EdgeTags.label(ranges.low(range)));
        }
      } else {
        long known = ends && mayBeLoose(range) ? UNKNOWN : countAtOnce(range, pause);
        if (known == UNKNOWN) {
          others[left++] = range;
        } else {
          found += known;
        }
      }
    }
    if (left > 0) {
      try (EdgeScan scan = scan(Arrays.copyOf(others, left))) {
        found += ends && edges.hasLoose() ? withEnds(scan, pause) : all(scan, pause);
      }
    }
    return found;
  }

  /** Whether a range is that of one counted label, out of the vertex. */
  private boolean hasCounter(int range, boolean ends) {
    int tagLabel = ranges.low(range);
    int label = EdgeTags.label(tagLabel);
    return tagLabel == ranges.high(range)
        && EdgeTags.tag(tagLabel) != EdgeTags.IN
        && edges.isCounted(label)
        && !(ends && edges.isLoose(label));
  }

  /** Whether a range may have loose edges. */
  private boolean mayBeLoose(int range) {
    int low = ranges.low(range);
    return low == ranges.high(range) ? edges.isLoose(EdgeTags.label(low)) : edges.hasLoose();
  }

  /** The degree of a range, or the number of the few edges of a label. */
  private long countAtOnce(int range, Runnable pause) {
    int low = ranges.low(range);
    int high = ranges.high(range);
    pause.run();
    synchronized (graph) {
      long degree = mayHaveDegrees ? transaction.degree(vertex, low, high) : UNKNOWN;
      if (degree != UNKNOWN || low != high) {
        return degree;
      }
      Neighbours counted = new Neighbours();
      counted.countOnly(true);
      transaction.neighbours(vertex, low, MOST_AT_ONCE, counted);
      return counted.size() < MOST_AT_ONCE ? counted.size() : UNKNOWN;
    }
  }

  private EdgeScan scan(int... others) {
    return new EdgeScan(
        graph,
        others.length,
        i ->
            transaction.edges(
                vertex, ranges.low(others[i]), ranges.high(others[i]), false, ScanOrder.FORWARD),
        edges,
        EdgeScan.Shown.EACH);
  }

  private static long all(EdgeScan scan, Runnable pause) {
    long found = 0;
    int skipped;
    do {
      pause.run();
      skipped = scan.skip(CHUNK);
      found += skipped;
    } while (skipped == CHUNK);
    return found;
  }

  private long withEnds(EdgeScan scan, Runnable pause) {
    long found = 0;
    for (int read = 0; scan.next(); read++) {
      if (read % CHUNK == 0) {
        pause.run();
      }
      found += !scan.isLoose() || graph.vertexExists(scan.other()) ? 1 : 0;
    }
    return found;
  }
}
