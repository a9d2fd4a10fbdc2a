package io.bg3.gremlin.process.computer;

import java.util.Arrays;

/**
 * The numbers 0, 1, 2, … of the vertices of a computation, in the order of their internal ids.
 * Eight bytes a vertex, and up to sixteen more where the ids are close together: then the number of
 * an id is read from a table instead of searched.
 *
 * <p>Threads: any; it does not change.
 */
final class VertexNumbers {
  /** The most vertices: numbers are ints, and arrays are a little shorter than their range. */
  private static final int MOST = Integer.MAX_VALUE - 64;

  private static final int SPARSE = 4;

  private final long[] ids;
  private final int[]
      table; // number + 1 by the distance to the first id; null if ids are far apart

  private VertexNumbers(long[] ids) {
    this.ids = ids;
    long range = ids.length == 0 ? 0 : ids[ids.length - 1] - ids[0] + 1;
    if (range > 0 && range <= Math.min(MOST, (long) SPARSE * ids.length)) {
      table = new int[(int) range];
      for (int i = 0; i < ids.length; i++) {
        table[(int) (ids[i] - ids[0])] = i + 1;
      }
    } else {
      table = null;
    }
  }

  int count() {
    return ids.length;
  }

  /** The internal id of the vertex with a number. */
  long id(int number) {
    return ids[number];
  }

  /** The number of the vertex with an internal id; negative if it has none. */
  int of(long id) {
    if (table == null) {
      return Arrays.binarySearch(ids, id);
    }
    long at = id - ids[0];
    return at < 0 || at >= table.length ? -1 : table[(int) at] - 1;
  }

  /** Collects internal ids, each once, in any order. */
  static final class Builder {
    private long[] ids;
    private int count;
    private boolean isSorted = true;

    Builder(long expected) {
      ids = new long[(int) Math.max(16, Math.min(expected, MOST))];
    }

    void add(long id) {
      if (count == ids.length) {
        if (count == MOST) {
          throw new IllegalStateException("a computation takes at most " + MOST + " vertices");
        }
        ids = Arrays.copyOf(ids, (int) Math.min(MOST, ids.length + (ids.length >> 1) + 1L));
      }
      isSorted &= count == 0 || ids[count - 1] < id;
      ids[count++] = id;
    }

    VertexNumbers build() {
      long[] all = count == ids.length ? ids : Arrays.copyOf(ids, count);
      if (!isSorted) {
        Arrays.sort(all);
      }
      return new VertexNumbers(all);
    }
  }
}
