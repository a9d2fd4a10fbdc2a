package io.bg3.gremlin.structure;

import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.NeighbourBatch;
import io.bg3.core.record.VertexRecord;
import io.bg3.gremlin.process.traversal.step.util.NeighbourLookup;
import io.bg3.gremlin.process.traversal.step.util.SeenVertices;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Predicate;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;

/**
 * The neighbours of a group of vertices, which the store looks up in one call. Each vertex has the
 * neighbours that {@link Vertex#vertices} gives, in the same order. A vertex that is counted by
 * itself is counted by the counters that the store has for it.
 *
 * <p>A vertex gives its neighbours by itself if it is the only one of the group, if it belongs to
 * another graph, if it has more than {@value #MOST_NEIGHBOURS} neighbours by one label, or if the
 * transaction has changed something between the look-up and the first of its neighbours. So a group
 * holds a bounded number of neighbours, and those of a vertex are as they were when it was asked
 * for them. A group that counts holds neighbours of loose edges alone, and counts up to {@value
 * #MOST_COUNTED} by one label itself. A group with conditions on the neighbours has only those that
 * meet them.
 *
 * <p>Belongs to one thread.
 */
final class NeighbourGroup implements NeighbourLookup {
  /** The most neighbours of a vertex, by one label in one direction, that a group holds. */
  static final int MOST_NEIGHBOURS = 256;

  /**
   * The most neighbours of a vertex, by one label in one direction, that a group counts by itself.
   * As many stand in a few leaves, each of which says its number. A vertex that has more may have a
   * counter.
   */
  static final int MOST_COUNTED = 1024;

  /** Room of a new group: most traversals end before they have a larger one. */
  private static final int FEW = 4;

  private static final int APART = -1;

  private final Bg3Graph graph;
  private final Direction direction;
  private final String[] labels;
  private final NeighbourBatch batch;

  /** Of the vertices whose neighbours the batch does not hold. */
  private final NeighboursApart apart;

  private Object[] vertices = new Object[FEW];
  private int[] places = new int[FEW]; // in the batch, or APART
  private long[] asked = new long[FEW];
  private int count;
  private OpenTransaction transaction;
  private int changes;

  /** Whether the vertices at the ends of the edges are about to be read. */
  private final boolean readsEnds;

  /** The most neighbours by one label that a vertex of the batch has. */
  private final int most;

  /** On the neighbours that are given or counted; null if there are none. */
  private final RecordConditions conditions;

  /** Of the neighbours that the batch holds. */
  private final NeighbourRecords records;

  /** What the test of {@link #anyNeighbour} has said of neighbours; null until it is asked. */
  private VertexAnswers answers;

  /**
   * An empty group of vertices of a graph, for the neighbours by edges with these labels.
   *
   * @param use what is asked of it
   */
  NeighbourGroup(Bg3Graph graph, Direction direction, Use use, String... labels) {
    this(graph, direction, use, null, labels);
  }

  /**
   * An empty group, for the neighbours that meet some conditions. They are given or counted, also
   * those that are new; nothing else is asked.
   *
   * @param conditions on labels and properties, of which each answers the same whenever it is asked
   */
  NeighbourGroup(
      Bg3Graph graph, Direction direction, List<HasContainer> conditions, String... labels) {
    this(graph, direction, Use.NEIGHBOURS_TO_READ, new RecordConditions(graph, conditions), labels);
  }

  private NeighbourGroup(
      Bg3Graph graph, Direction direction, Use use, RecordConditions conditions, String... labels) {
    this.graph = graph;
    this.direction = direction;
    this.readsEnds = use == Use.NEIGHBOURS_TO_READ;
    this.most = use.counts() ? MOST_COUNTED : MOST_NEIGHBOURS;
    this.batch = use.counts() ? NeighbourBatch.counting(use == Use.COUNTS) : new NeighbourBatch();
    this.labels = labels.clone();
    this.records = new NeighbourRecords(batch, readsEnds);
    this.conditions = conditions;
    this.apart = new NeighboursApart(graph, direction, conditions, this.labels);
  }

  @Override
  public void clear() {
    count = 0;
  }

  @Override
  public void add(Object vertex) {
    if (count == vertices.length) {
      vertices = Arrays.copyOf(vertices, 2 * count);
      places = new int[2 * count];
      asked = new long[2 * count];
    }
    vertices[count++] = vertex;
  }

  @Override
  public void lookUp(boolean alone) {
    int own = 0;
    boolean together = count > 1 || readsEnds || alone;
    for (int i = 0; i < count; i++) {
      places[i] = APART;
      if (vertices[i] instanceof Bg3Vertex vertex && vertex.graph() == graph && together) {
        asked[own] = vertex.vertex();
        places[i] = own++;
      }
    }
    if (own > 0) {
      OpenTransaction now = graph.transaction();
      GraphTransaction in = now.graph();
      if (answers != null && (transaction != now || changes != in.changes())) {
        answers.clear();
      }
      transaction = now;
      changes = in.changes();
      in.neighbours(asked, own, Bg3Vertex.directionOf(direction), most, batch, labels);
      records.begin(in, own);
    }
  }

  @Override
  public Iterator<Vertex> neighbours(int index) {
    announceEnds(index);
    return isHeld(index)
        ? new HeldNeighbours(places[index], null)
        : apart.neighbours((Vertex) vertices[index]);
  }

  @Override
  public Iterator<Vertex> newNeighbours(int index, SeenVertices seen) {
    announceEnds(index);
    return isHeld(index)
        ? new HeldNeighbours(places[index], seen)
        : apart.newNeighbours((Vertex) vertices[index], seen);
  }

  private void announceEnds(int index) {
    if (isRead(index)) {
      records.announce(places[index]); // of a vertex with too many, the first ones
    }
  }

  @Override
  public long count(int index, long wanted) {
    return count(index, true, wanted);
  }

  @Override
  public long countEdges(int index, long wanted) {
    return count(index, false, wanted);
  }

  private long count(int index, boolean ends, long wanted) {
    if (isHeld(index)) {
      return countHeld(places[index], ends);
    }
    if (wanted <= most && conditions == null && isRead(index)) {
      long found = countHeld(places[index], ends);
      if (found >= wanted) {
        return found; // of a vertex that has more
      }
    }
    return apart.count((Vertex) vertices[index], ends, wanted);
  }

  @Override
  public long countNew(int index, SeenVertices seen) {
    return isHeld(index)
        ? countNewHeld(places[index], seen)
        : apart.countNew((Vertex) vertices[index], seen);
  }

  private long countNewHeld(int place, SeenVertices seen) {
    long found = 0;
    records.announce(place);
    for (int range = 0; range < batch.ranges(); range++) {
      for (int at = batch.start(range, place); at < batch.end(range, place); at++) {
        long other = batch.other(range, at);
        found += isMet(range, at) && seen.add(other) ? 1 : 0;
      }
    }
    return found;
  }

  /**
   * The number of neighbours of a vertex in the batch.
   *
   * @param ends whether only those count that exist
   */
  private long countHeld(int place, boolean ends) {
    long found = 0;
    for (int range = 0; range < batch.ranges(); range++) {
      int start = batch.start(range, place);
      int end = batch.end(range, place);
      if (!ends || (!batch.isLoose(range) && conditions == null)) {
        found += end - start;
        continue;
      }
      records.announce(place);
      for (int at = start; at < end; at++) {
        found += isMet(range, at) ? 1 : 0;
      }
    }
    return found;
  }

  /**
   * Whether the neighbour at a position exists and meets the conditions, where the transaction has
   * changed nothing since the look-up.
   */
  private boolean isMet(int range, int at) {
    GraphTransaction in = transaction.graph();
    long other = batch.other(range, at);
    if (batch.isLoose(range) && !in.vertexExists(other)) {
      return false;
    }
    return conditions == null || meets(in, other, records.at(range, at));
  }

  /**
   * Whether a neighbour that exists meets the conditions, of which there are some.
   *
   * @param record of the neighbour; null if it was not read
   */
  private boolean meets(GraphTransaction in, long other, VertexRecord record) {
    return record == null
        ? conditions.test(graph.vertex(in, other))
        : conditions.test(in, other, record);
  }

  @Override
  public boolean anyNeighbour(int index, Predicate<Vertex> test) {
    if (isHeld(index)) {
      return anyHeld(places[index], test);
    }
    Iterator<Vertex> neighbours = apart.neighbours((Vertex) vertices[index]);
    try {
      while (neighbours.hasNext()) {
        if (test.test(neighbours.next())) {
          return true;
        }
      }
      return false;
    } finally {
      CloseableIterator.closeIterator(neighbours);
    }
  }

  private boolean anyHeld(int place, Predicate<Vertex> test) {
    if (answers == null) {
      answers = new VertexAnswers();
    }
    for (int range = 0; range < batch.ranges(); range++) {
      for (int at = batch.start(range, place); at < batch.end(range, place); at++) {
        long other = batch.other(range, at);
        byte answer = answers.of(other);
        if (answer == VertexAnswers.UNKNOWN) {
          answer = answer(other, batch.isLoose(range), test);
        }
        if (answer == VertexAnswers.YES) {
          return true;
        }
      }
    }
    return false;
  }

  private byte answer(long other, boolean loose, Predicate<Vertex> test) {
    GraphTransaction in = transaction.graph();
    boolean passes = (!loose || in.vertexExists(other)) && test.test(graph.vertex(in, other));
    byte answer = passes ? VertexAnswers.YES : VertexAnswers.NO;
    answers.put(other, answer);
    return answer;
  }

  @Override
  public boolean isHeld(int index) {
    return isRead(index) && batch.isComplete(places[index]);
  }

  /** Whether the batch has neighbours of a vertex, maybe not all, and nothing has changed since. */
  private boolean isRead(int index) {
    return places[index] != APART && transaction.graph().changes() == changes;
  }

  /** The number of neighbours that are held. */
  int held() {
    return batch.size();
  }

  /** The neighbours of one vertex in the batch, all or those that were not seen before. */
  private final class HeldNeighbours implements Iterator<Vertex> {
    private final int place;
    private final SeenVertices before; // null for all
    private int range = -1;
    private int at;
    private int end;
    private int seen = changes;
    private Vertex next;

    HeldNeighbours(int place, SeenVertices before) {
      this.place = place;
      this.before = before;
    }

    @Override
    public boolean hasNext() {
      while (next == null) {
        if (at < end) {
          long other = batch.other(range, at++);
          next = isThere(other) ? wanted(other) : null;
        } else if (++range < batch.ranges()) {
          at = batch.start(range, place);
          end = batch.end(range, place);
        } else {
          range--; // stays there, also when asked again
          requireGoesOn();
          return false;
        }
      }
      return true;
    }

    /** A neighbour that is there; null if it misses a condition, or was seen before. */
    private Vertex wanted(long other) {
      GraphTransaction in = transaction.graph();
      boolean isRead = readsEnds && seen == changes;
      VertexRecord record = isRead ? records.at(range, at - 1) : null;
      if ((conditions != null && !meets(in, other, record))
          || (before != null && !before.add(other))) {
        return null;
      }
      Bg3Vertex vertex = graph.vertex(in, other);
      return isRead ? vertex.with(in, record) : vertex;
    }

    /** Whether a neighbour is there: at the end of a loose edge there may be none. */
    private boolean isThere(long other) {
      requireGoesOn();
      return !batch.isLoose(range) || transaction.graph().vertexExists(other);
    }

    /** Throws if the transaction has ended, which counts as a change. */
    private void requireGoesOn() {
      int now = transaction.graph().changes();
      if (now != seen) {
        transaction.requireGoesOn(graph);
        seen = now;
      }
    }

    @Override
    public Vertex next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      Vertex result = next;
      next = null;
      return result;
    }
  }
}
