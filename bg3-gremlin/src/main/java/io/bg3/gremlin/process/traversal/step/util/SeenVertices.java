package io.bg3.gremlin.process.traversal.step.util;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * The vertices that {@code dedup()} has seen: those of the step's graph by their internal ids, in
 * an open hash table without an object for each. Belongs to one thread.
 */
public final class SeenVertices {
  private static final int FIRST_ROOM = 64;
  private static final long SCATTER = 0x9E3779B97F4A7C15L;

  private long[] table = new long[FIRST_ROOM]; // 0 for a free place
  private int count;
  private boolean hasZero;
  private Set<Object> others = Set.of();

  /** Adds a vertex by its internal id; false if it was seen before. */
  public boolean add(long vertex) {
    if (vertex == 0) {
      boolean isNew = !hasZero;
      hasZero = true;
      return isNew;
    }
    int at = place(vertex);
    if (table[at] == vertex) {
      return false;
    }
    table[at] = vertex;
    if (2 * ++count > table.length) {
      grow();
    }
    return true;
  }

  /** Adds a vertex that the graph does not have, by its id; false if it was seen before. */
  public boolean addOther(Object id) {
    if (others.isEmpty()) {
      others = new HashSet<>();
    }
    return others.add(id);
  }

  /** Where a vertex is, or the free place for it. */
  private int place(long vertex) {
    int at = (int) ((vertex * SCATTER) >>> Integer.SIZE) & (table.length - 1);
    while (table[at] != 0 && table[at] != vertex) {
      at = (at + 1) & (table.length - 1);
    }
    return at;
  }

  private void grow() {
    long[] old = table;
    table = new long[Math.multiplyExact(2, old.length)];
    Arrays.stream(old)
        .filter(vertex -> vertex != 0)
        .forEach(vertex -> table[place(vertex)] = vertex);
  }
}
