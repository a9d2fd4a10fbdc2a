package io.bg3.core.graph;

/**
 * Gives vertices consecutive ids without gaps, to all threads and also after a restart: for graphs
 * whose readers pick ids by number. Its user gives the ids to vertices; there is one for a name in
 * an open store.
 *
 * <p>The next id is in memory. Two variables of the graph, {@code name.limit} and {@code
 * name.floor}, bound it for the next opening of the store:
 *
 * <ul>
 *   <li>D1: no vertex has got an id from {@code limit} on; it is raised, by a block, before that
 *       would change, and is exact after a clean close.
 *   <li>D2: every id below {@code floor} was given away; it is raised when a vertex near the limit
 *       is removed, so that its id is not given away again.
 * </ul>
 *
 * <p>So the next id is found, also after a crash, by looking for the highest vertex between the
 * two.
 *
 * <p>Threads: any; this object's monitor guards its fields.
 */
public final class DenseVertexIds {
  private static final int BLOCK = 4_096;

  private final GraphStore graph;
  private final String limitName;
  private final String floorName;
  private long next;
  private long limit;
  private long floor;

  /** Goes on where the last one with this name has ended, with 1 if there was none. */
  public DenseVertexIds(GraphStore graph, String name) {
    this.graph = graph;
    this.limitName = name + ".limit";
    this.floorName = name + ".floor";
    try (GraphTransaction transaction = graph.beginReadOnly()) {
      limit = number(transaction, limitName);
      floor = number(transaction, floorName);
      next = limit;
      while (next > floor && !transaction.vertexExists(next - 1)) {
        next--;
      }
    }
  }

  /** The first of so many new ids. */
  public synchronized long take(int count) {
    if (next + count > limit) {
      set(floor, next + count + BLOCK);
    }
    long first = next;
    next += count;
    return first;
  }

  /** Takes note that the vertex with an id is about to be removed. */
  public synchronized void removing(long id) {
    if (id >= limit - 2L * BLOCK && id >= floor && id < next) {
      set(id + 1, limit);
    }
  }

  /** Begins again with an id; none from it on may be taken. */
  public synchronized void reset(long first) {
    set(first, first);
    next = first;
  }

  /** Makes the limit exact, because the store is about to be closed. */
  public synchronized void settle() {
    if (limit != next) {
      set(floor, next);
    }
  }

  private void set(long newFloor, long newLimit) {
    graph.retry(
        transaction -> {
          transaction.variables().set(floorName, newFloor);
          transaction.variables().set(limitName, newLimit);
          return null;
        });
    floor = newFloor;
    limit = newLimit;
  }

  private static long number(GraphTransaction transaction, String name) {
    return transaction.variables().get(name) instanceof Long number ? number : 1;
  }
}
