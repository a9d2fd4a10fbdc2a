package io.bg3.core.tree;

import io.bg3.core.entry.EdgeEntries;
import java.util.Arrays;

/**
 * The neighbours of some vertices, in the order in which the vertices were asked for. Filled anew
 * by each question; a thread that keeps it for the next one allocates nothing. Belongs to one
 * thread.
 */
public final class Neighbours {
  private long[] others = new long[64];
  private int size;
  private int[] ends = new int[16];
  private int count;

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

  /** A neighbour. */
  public long other(int index) {
    return others[index];
  }

  /** The array that holds the neighbours from index 0 on; valid until the next question. */
  public long[] array() {
    return others;
  }

  /** Forgets everything. */
  public void clear() {
    size = 0;
    count = 0;
  }

  /** Adds a neighbour to those of the vertex that is asked about. */
  public void add(long other) {
    ensure(1);
    others[size++] = other;
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
      others = Arrays.copyOf(others, Math.max(others.length * 2, Math.addExact(size, more)));
    }
    return others;
  }

  /** Says that so many have been written behind {@link #size}. */
  void added(int more) {
    size += more;
  }

  void addAll(EdgeEntries entries, int most) {
    int more = Math.min(entries.count(), most);
    entries.copyOthers(0, more, ensure(more), size);
    size += more;
  }
}
