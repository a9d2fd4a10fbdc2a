package io.bg3.core.tree;

import io.bg3.core.entry.EdgeEntries;
import java.util.Arrays;

/**
 * The neighbours of some vertices, in the order in which the vertices were asked for. Filled anew
 * by each question; a thread that keeps it for the next one allocates nothing. Belongs to one
 * thread.
 *
 * <p>An object that only counts has the number of neighbours of each vertex and none of them: the
 * reader then does not read the column of a leaf in which they are.
 */
public final class Neighbours {
  private static final int FIRST_ROOM = 64;
  private static final long[] NONE = {};

  private long[] others = NONE;
  private int size;
  private int[] ends = new int[16];
  private int count;
  private boolean counting;

  /** Vertices that were asked about. */
  public int count() {
    return count;
  }

  /** Neighbours of all of them together. */
  public int size() {
    return size;
  }

  /** Index of the first neighbour of a vertex. */
  public int start(int vertex) {
    return vertex == 0 ? 0 : ends[vertex - 1];
  }

  /** Index behind the last neighbour of a vertex. */
  public int end(int vertex) {
    return ends[vertex];
  }

  /** The number of neighbours of a vertex. */
  int count(int vertex) {
    return end(vertex) - start(vertex);
  }

  /** A neighbour; not of an object that only counts. */
  public long other(int index) {
    assert !counting : index;
    return others[index];
  }

  /**
   * The array that holds the neighbours from index 0 on; valid until the next question. Not of an
   * object that only counts.
   */
  public long[] array() {
    assert !counting;
    return others;
  }

  /** Whether the neighbours that are read from now on are counted and not held. */
  public void countOnly(boolean only) {
    counting = only;
  }

  /** Whether neighbours are counted and not held. */
  boolean isCounting() {
    return counting;
  }

  /** Forgets all neighbours. */
  public void clear() {
    size = 0;
    count = 0;
  }

  /** Adds a neighbour to those of the vertex that is asked about. */
  public void add(long other) {
    if (!counting) {
      ensure(1)[size] = other;
    }
    size++;
  }

  /** Ends the neighbours of a vertex. */
  public void endVertex() {
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, 2 * count);
    }
    ends[count++] = size;
  }

  /** Neighbours of the vertex that is asked about, so far. */
  int pending() {
    return size - (count == 0 ? 0 : ends[count - 1]);
  }

  /** The array with room for so many more behind {@link #size}. */
  long[] ensure(int more) {
    if (more > others.length - size) {
      int twice = Math.max(FIRST_ROOM, others.length * 2);
      others = Arrays.copyOf(others, Math.max(twice, Math.addExact(size, more)));
    }
    return others;
  }

  /** Says that so many have been written behind {@link #size}. */
  void added(int more) {
    size += more;
  }

  void addAll(EdgeEntries entries, int most) {
    int more = Math.min(entries.count(), most);
    if (!counting) {
      entries.copyOthers(0, more, ensure(more), size);
    }
    size += more;
  }
}
