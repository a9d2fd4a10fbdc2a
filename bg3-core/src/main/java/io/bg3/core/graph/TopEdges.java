package io.bg3.core.graph;

import io.bg3.core.record.EdgeRecord;
import io.bg3.core.record.WholeNumber;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Predicate;

/**
 * Finds the edges of a scan that come first by a property, with a heap of as many edges as are
 * wanted: an edge that cannot be one of them costs a look at one property. Used by one thread,
 * once.
 */
final class TopEdges {
  /** So many edges are read under the lock at once. */
  private static final int CHUNK = 1024;

  /** An edge that is among the first so far. */
  private record Candidate(long rank, long arrival, FoundEdge edge) {}

  private final EdgeScan scan;
  private final WholeNumber number;
  private final SortOrder order;
  private final int most;

  /** The candidate that leaves first is at the head: the last one, of equal ones the latest. */
  private final PriorityQueue<Candidate> candidates =
      new PriorityQueue<>(
          Comparator.comparingLong(Candidate::rank)
              .thenComparingLong(Candidate::arrival)
              .reversed());

  private long arrivals;

  /**
   * @param scan of edges out of one vertex with one label, opened with values
   * @param key code of the property, 0 if no edge has it
   */
  TopEdges(EdgeScan scan, int key, SortOrder order, int most) {
    this.scan = scan;
    this.number = new WholeNumber(key);
    this.order = order;
    this.most = most;
  }

  /** The edges in the order of the scan; null if an edge has no whole number there. */
  List<FoundEdge> find(Object lock, Predicate<FoundEdge> test, Runnable pause) {
    Progress progress;
    do {
      pause.run();
      synchronized (lock) {
        progress = readChunk(test);
      }
    } while (progress == Progress.MORE);
    if (progress == Progress.OTHER_VALUES) {
      return null;
    }
    List<Candidate> found = new ArrayList<>(candidates);
    found.sort(Comparator.comparingLong(Candidate::arrival));
    return found.stream().map(Candidate::edge).toList();
  }

  private enum Progress {
    MORE,
    DONE,
    OTHER_VALUES
  }

  private Progress readChunk(Predicate<FoundEdge> test) {
    for (int read = 0; read < CHUNK; read++) {
      if (!scan.next()) {
        return Progress.DONE;
      }
      byte[] value = scan.value();
      switch (number.read(value)) {
        case NUMBER -> consider(value, test);
        case OTHER -> {
          return Progress.OTHER_VALUES;
        }
        case NOTHING -> {}
      }
    }
    return Progress.MORE;
  }

  private void consider(byte[] value, Predicate<FoundEdge> test) {
    // The complement turns the order around and has no overflow.
    long rank = order == SortOrder.DESCENDING ? ~number.value() : number.value();
    long arrival = arrivals++;
    if (candidates.size() == most && rank >= candidates.element().rank()) {
      return;
    }
    FoundEdge edge = new FoundEdge(scan.edge(), EdgeRecord.decode(value));
    if (test.test(edge)) {
      candidates.add(new Candidate(rank, arrival, edge));
      if (candidates.size() > most) {
        candidates.remove();
      }
    }
  }
}
