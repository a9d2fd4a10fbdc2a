package io.bg3.bench.generate;

import io.bg3.Bg3;
import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.data.SeededHash;
import io.bg3.core.graph.Cardinality;
import io.bg3.core.graph.GraphLoad;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.GraphTransaction;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * The benchmark's graph as a property graph: people and pages, with a name, who follow each other
 * since a time. The same numbers make the same graph.
 *
 * <p>Vertices have the ids from 1; every tenth is a {@code page}, the others are {@code person}s.
 * The edges are {@code follows} with {@code time}, in milliseconds since 1970.
 */
public final class SocialGraph {
  private static final String LABEL = "follows";
  private static final int BATCH = 1_000;
  private static final int EACH_PAGE = 10;
  private static final long NAMES = 41;
  private static final long TIMES = 42;
  private static final long FIRST_TIME = Instant.parse("2015-01-01T00:00:00Z").toEpochMilli();
  private static final long LAST_TIME = Instant.parse("2025-01-01T00:00:00Z").toEpochMilli();
  private static final String[] SYLLABLES = {"ka", "lo", "mi", "ra", "so", "tu", "ve", "na"};
  private static final int SHORTEST_NAME = 3;

  private final PowerLawGraph graph;
  private final long seed;

  /**
   * @throws IllegalArgumentException if so many edges do not fit between so few vertices
   */
  public SocialGraph(int vertices, long edges, long seed) {
    this.graph = new PowerLawGraph(vertices, edges, seed);
    this.seed = seed;
  }

  /** The number of vertices and edges that are written. */
  public long elements() {
    return graph.sources() + graph.edges();
  }

  /**
   * The number of entries that {@link #load} tells its progress in all: the vertices, and two for
   * each edge.
   */
  public long entries() {
    return graph.sources() + 2 * graph.edges();
  }

  /**
   * Writes the graph to a store whatever its size, by a {@link GraphLoad}.
   *
   * @param progress is told how many more vertices and entries of edges have been committed
   * @throws IllegalArgumentException if there are vertices already
   */
  public void load(Bg3 store, LongConsumer progress) throws IOException {
    try (GraphLoad load = store.load()) {
      writeVertices(store.graph(), progress);
      long[] targets = new long[graph.maxDegree()];
      for (int index = 0; index < graph.sources(); index++) {
        long source = PowerLawGraph.id(index);
        int degree = graph.targets(index, targets);
        for (int i = 0; i < degree; i++) {
          load.add(source, LABEL, targets[i], Map.of("time", time(source, targets[i])));
        }
      }
      load.finish(progress);
    }
  }

  private void writeVertices(GraphStore store, LongConsumer progress) {
    try (Batches batches = new Batches(store, progress)) {
      for (int index = 0; index < graph.sources(); index++) {
        addVertex(batches.next(), PowerLawGraph.id(index));
      }
      batches.commit();
    }
  }

  /**
   * Writes the graph by transactions, each edge to both its ends at once.
   *
   * @param progress is told how many more elements have been committed
   * @throws IllegalArgumentException if there are vertices already
   */
  public void write(GraphStore store, LongConsumer progress) {
    requireEmpty(store);
    writeVertices(store, progress);
    try (Batches batches = new Batches(store, progress)) {
      long[] targets = new long[graph.maxDegree()];
      for (int index = 0; index < graph.sources(); index++) {
        long source = PowerLawGraph.id(index);
        int degree = graph.targets(index, targets);
        for (int i = 0; i < degree; i++) {
          Map<String, Long> properties = Map.of("time", time(source, targets[i]));
          batches.next().addEdge(source, LABEL, targets[i], null, properties);
        }
      }
      batches.commit();
    }
  }

  private static void requireEmpty(GraphStore store) {
    try (GraphTransaction reading = store.beginReadOnly()) {
      if (reading.vertexCount() > 0) {
        throw new IllegalArgumentException(
            "the store is not empty: vertices=" + reading.vertexCount());
      }
    }
  }

  private void addVertex(GraphTransaction transaction, long id) {
    boolean isPage = id % EACH_PAGE == 0;
    long vertex = transaction.addVertex(id, isPage ? "page" : "person");
    String name = (isPage ? "the " : "") + name(SeededHash.of(seed ^ NAMES, id));
    transaction.setProperty(vertex, Cardinality.SINGLE, "name", name, null);
  }

  private static String name(long random) {
    long rest = random >>> 1;
    StringBuilder name = new StringBuilder();
    for (long left = SHORTEST_NAME + SeededHash.below(random, SHORTEST_NAME); left > 0; left--) {
      name.append(SYLLABLES[(int) (rest % SYLLABLES.length)]);
      rest /= SYLLABLES.length;
    }
    return name.toString();
  }

  private long time(long source, long target) {
    return FIRST_TIME
        + SeededHash.below(
            SeededHash.of(SeededHash.of(seed ^ TIMES, source), target), LAST_TIME - FIRST_TIME);
  }

  /** Transactions of so many elements each. */
  private static final class Batches implements AutoCloseable {
    private final GraphStore store;
    private final LongConsumer progress;
    private GraphTransaction transaction;
    private int count;

    Batches(GraphStore store, LongConsumer progress) {
      this.store = store;
      this.progress = progress;
    }

    /** The transaction for one more element. */
    GraphTransaction next() {
      if (count == BATCH) {
        commit();
      }
      if (transaction == null) {
        transaction = store.begin();
      }
      count++;
      return transaction;
    }

    void commit() {
      if (transaction != null) {
        transaction.commit();
        transaction = null;
        progress.accept(count);
        count = 0;
      }
    }

    @Override
    public void close() {
      if (transaction != null) {
        transaction.rollback();
      }
    }
  }
}
