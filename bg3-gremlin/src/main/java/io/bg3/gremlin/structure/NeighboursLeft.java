package io.bg3.gremlin.structure;

import io.bg3.core.graph.EdgeDirection;
import io.bg3.core.graph.EdgeScan;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.NeighbourBatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The neighbours of a vertex that are still there after the transaction has changed something, for
 * a caller that goes through those which a batch has read before. Belongs to one thread.
 */
final class NeighboursLeft {
  private final List<Map<Long, Integer>> numbers = new ArrayList<>(); // of edges, by range

  /**
   * Reads the neighbours of a vertex again.
   *
   * @param batch has read them before the change; its ranges are meant by {@link #take}
   */
  NeighboursLeft(
      GraphTransaction in,
      NeighbourBatch batch,
      long vertex,
      EdgeDirection direction,
      String... labels) {
    for (int i = 0; i < batch.ranges(); i++) {
      numbers.add(new HashMap<>());
    }
    try (EdgeScan scan = in.edges(vertex, direction, false, labels)) {
      int from = 0; // the ranges of both are in one order, and a label may be named twice
      int last = -1; // range of the scan
      int of = -1; // range of the batch; the scan also has those of labels that are new
      while (scan.next()) {
        Interrupts.check();
        if (labels.length == 0) {
          of = batch.range(0, scan.isOut(), scan.label());
        } else if (scan.range() != last) {
          last = scan.range();
          of = batch.range(from, scan.isOut(), scan.label());
          from = Math.max(from, of + 1);
        }
        if (of >= 0) {
          numbers.get(of).merge(scan.other(), 1, Integer::sum);
        }
      }
    }
  }

  /** Takes an edge of a range to a neighbour; false if there is none any more. */
  boolean take(int range, long other) {
    return numbers.get(range).merge(other, -1, Integer::sum) >= 0;
  }
}
