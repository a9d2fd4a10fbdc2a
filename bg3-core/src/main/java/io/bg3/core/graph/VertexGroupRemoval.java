package io.bg3.core.graph;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.record.VertexRecord;
import io.bg3.core.transaction.Transaction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The removal of several vertices with all their edges, as {@link GraphRemovals} does it one after
 * the other. The records of the vertices are looked up in step, and what the removals need of edges
 * is loaded together where it is not in memory: first the edges of the vertices, then the entries
 * at their other ends, which the commit changes.
 *
 * <pre>
 *   records of all     edges of some     other ends of these     removed, one after the other
 *                      edges of the next some ...
 * </pre>
 *
 * <p>An edge between two vertices of a group is read at both and goes with the first. Belongs to
 * one transaction.
 */
final class VertexGroupRemoval {
  /** The edges of the next vertices are not read before so many that were read are removed. */
  private static final int MOST_READ = 4 * EdgeRemoval.STEP;

  private final Transaction transaction;
  private final Vertices vertices;
  private final GraphRemovals removals;
  private final Runnable pause;

  /**
   * @param pause called before the edges of a vertex are removed, and before each {@value
   *     EdgeRemoval#STEP} of them; what it throws ends the removal
   */
  VertexGroupRemoval(
      Transaction transaction, Vertices vertices, GraphRemovals removals, Runnable pause) {
    this.transaction = transaction;
    this.vertices = vertices;
    this.removals = removals;
    this.pause = pause;
  }

  /**
   * Removes the vertices that are there.
   *
   * @param seen records of them that this transaction has read before, by their indexes; null where
   *     there is none
   * @return how many there were
   */
  int run(long[] group, VertexRecord[] seen) {
    VertexRecord[] records = records(group, seen);
    transaction.prefetchEdges(group.length, i -> EdgeKey.prefix(group[i]));
    Set<Long> gone = new HashSet<>();
    int to;
    for (int from = 0; from < group.length; from = to) {
      EdgeRemoval[] read = new EdgeRemoval[group.length];
      to = read(group, records, read, from);
      prefetchOthers(read, from, to);
      try {
        for (int i = from; i < to; i++) {
          removals.gather(); // anew behind a vertex with many edges
          remove(group[i], records[i], read[i], gone);
        }
      } finally {
        removals.writeGathered();
      }
    }
    return gone.size();
  }

  private VertexRecord[] records(long[] group, VertexRecord... seen) {
    VertexRecord[] records = new VertexRecord[group.length];
    int[] places = new int[group.length];
    int asked = 0;
    for (int i = 0; i < group.length; i++) {
      if (seen[i] == null) {
        places[asked++] = i;
      } else {
        records[i] = vertices.recordOrSeen(group[i], seen[i]);
      }
    }
    if (asked > 0) {
      transaction.prefetch(TreeIds.VERTICES, asked, i -> GraphKeys.vertex(group[places[i]]));
      VertexRecord[] found = new VertexRecord[asked];
      vertices.records(asked, i -> group[places[i]], found);
      for (int i = 0; i < asked; i++) {
        records[places[i]] = found[i];
      }
    }
    return records;
  }

  /** Reads the edges of vertices from an index on; returns the index of the first one not read. */
  private int read(long[] group, VertexRecord[] records, EdgeRemoval[] into, int from) {
    int edgesRead = 0;
    int i = from;
    while (i < group.length && edgesRead < MOST_READ) {
      if (records[i] != null) {
        into[i] = removals.edgesOf(group[i], pause);
        into[i].requireRoom();
        edgesRead += into[i].kept();
      }
      i++;
    }
    return i;
  }

  /** Has the entries at the other ends of edges that were read loaded together. */
  private void prefetchOthers(EdgeRemoval[] read, int from, int to) {
    if (!transaction.mayPrefetch()) {
      return;
    }
    List<byte[]> others = new ArrayList<>();
    for (int i = from; i < to; i++) {
      if (read[i] != null) {
        read[i].addOtherEnds(others);
      }
    }
    transaction.prefetchEdges(others.size(), others::get);
  }

  private void remove(long vertex, VertexRecord record, EdgeRemoval removal, Set<Long> gone) {
    if (record == null || gone.contains(vertex)) {
      vertices.exists(vertex); // notes, in every isolation, that it is not there
      return;
    }
    removals.remove(vertex, record, removal, gone);
    gone.add(vertex);
  }
}
