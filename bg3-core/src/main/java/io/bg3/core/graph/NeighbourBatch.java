package io.bg3.core.graph;

import io.bg3.core.tree.Neighbours;
import java.util.Arrays;

/**
 * The neighbours of several vertices as {@link GraphTransaction#neighbours} has read them, in one
 * range or in several: the edges with one label in one direction are a range. The neighbours of a
 * vertex are those of the first range, then those of the second, in the order in which {@link
 * GraphTransaction#edges} shows the edges.
 *
 * <p>A batch that only counts has the numbers of neighbours and not the neighbours, which takes
 * less memory and less time.
 *
 * <p>An object that is used again allocates nothing. Belongs to one thread.
 */
public final class NeighbourBatch {
  /** The neighbours of a range that a batch holds. */
  private enum Held {
    ALL,
    /** Of loose edges all, because some may not exist. */
    LOOSE,
    NONE
  }

  private final Held held;
  private Neighbours[] ranges = new Neighbours[1];
  private boolean[] loose = new boolean[1];
  private int[] tagLabels = new int[1];
  private boolean leftOut;
  private int count;
  private int most;

  /** An empty batch that holds neighbours. */
  public NeighbourBatch() {
    this(Held.ALL);
  }

  private NeighbourBatch(Held held) {
    this.held = held;
  }

  /**
   * An empty batch that only counts.
   *
   * @param ends whether the neighbours of loose edges are held all the same, for a caller that asks
   *     whether they exist
   */
  public static NeighbourBatch counting(boolean ends) {
    return new NeighbourBatch(ends ? Held.LOOSE : Held.NONE);
  }

  /** The number of ranges that were read. */
  public int ranges() {
    return count;
  }

  /** Position of the first neighbour of a vertex in a range, by its index in the question. */
  public int start(int range, int vertex) {
    return ranges[range].start(vertex);
  }

  /** Position behind the last neighbour of a vertex in a range. */
  public int end(int range, int vertex) {
    return ranges[range].end(vertex);
  }

  /** The neighbour at a position of a range, if the batch holds it. */
  public long other(int range, int position) {
    return ranges[range].other(position);
  }

  /** Whether the edges of a range are loose: a neighbour need not exist. */
  public boolean isLoose(int range) {
    return loose[range];
  }

  /** Whether these are all neighbours of a vertex; false if it has more than were asked for. */
  public boolean isComplete(int vertex) {
    if (leftOut) {
      return false;
    }
    for (int range = 0; range < count; range++) {
      if (ranges[range].end(vertex) - ranges[range].start(vertex) > most) {
        return false;
      }
    }
    return true;
  }

  /** The number of neighbours that were read, of all vertices together. */
  public int size() {
    int size = 0;
    for (int range = 0; range < count; range++) {
      size += ranges[range].size();
    }
    return size;
  }

  /** Forgets everything; at most {@code most} neighbours in each range make a vertex complete. */
  void begin(int mostOfVertex) {
    count = 0;
    most = mostOfVertex;
    leftOut = false;
  }

  /** Says that nothing is looked up: no vertex is complete. */
  void leaveOut() {
    leftOut = true;
  }

  /** The neighbours in one more range, to be filled with one more than make a vertex complete. */
  Neighbours add(int tagLabel, boolean isLoose) {
    if (count == ranges.length) {
      ranges = Arrays.copyOf(ranges, 2 * count);
      loose = Arrays.copyOf(loose, 2 * count);
      tagLabels = Arrays.copyOf(tagLabels, 2 * count);
    }
    if (ranges[count] == null) {
      ranges[count] = new Neighbours();
    }
    ranges[count].countOnly(held == Held.NONE || (held == Held.LOOSE && !isLoose));
    loose[count] = isLoose;
    tagLabels[count] = tagLabel;
    return ranges[count++];
  }
}
