package io.bg3.bench.gremlin;

import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.data.SeededHash;
import java.time.Instant;
import org.apache.tinkerpop.gremlin.structure.Graph;

/**
 * The graph that every system loads: people and pages whose {@code follows} edges obey a power law,
 * and two hubs. The plain hub has {@code follows} edges, the ordered hub {@code likes} edges, whose
 * label BG3 keeps in the order of their time. A hub with more edges than there are vertices has
 * parallel edges. The times of the edges of a hub are all different.
 *
 * <p>Threads: any, it never changes.
 */
final class BenchGraph {
  static final String PERSON = "person";
  static final String PAGE = "page";
  static final String PLAIN = "follows";
  static final String ORDERED = "likes";
  static final String CODE = "code";
  static final String TIME = "time";

  private static final int EACH_PAGE = 10;
  private static final long TIMES = 42;
  private static final long STARTS = 43;
  private static final long FIRST_TIME = Instant.parse("2015-01-01T00:00:00Z").toEpochMilli();
  private static final long SPAN = 1L << 38; // about nine years, in milliseconds

  /** Odd, so that multiples modulo a power of two are all different. */
  private static final long SCATTER = 0x9E3779B97F4A7C15L;

  private final PowerLawGraph graph;
  private final int plainHub;
  private final int orderedHub;

  BenchGraph(GremlinTask task) {
    this.graph = new PowerLawGraph(task.vertices(), task.edges(), task.seed());
    this.plainHub = task.plainHub();
    this.orderedHub = task.orderedHub();
  }

  /** The vertex with many edges of the plain label. */
  long plainHub() {
    return graph.sources() + 1L;
  }

  /** The vertex with many edges of the ordered label. */
  long orderedHub() {
    return graph.sources() + 2L;
  }

  /** The number of edges. */
  long edges() {
    return graph.edges() + plainHub + orderedHub;
  }

  /** The vertex about which the {@code index}th question asks. */
  long start(long index) {
    return 1 + SeededHash.below(SeededHash.of(graph.seed() ^ STARTS, index), graph.sources());
  }

  /** The code of a vertex. */
  static String code(long id) {
    return "c" + id;
  }

  /** A time that a hundredth of the edges of the ordered hub exceed. */
  static long late() {
    return FIRST_TIME + SPAN - SPAN / 100;
  }

  /**
   * Adds everything through the structure API, 1,000 elements a commit.
   *
   * @param takesIds whether the system takes the numbers of the vertices as their ids, and keeps a
   *     vertex usable in later transactions; in another one, both ends of each edge are looked up
   * @return the ids of the vertices
   */
  VertexIds load(Graph to, boolean takesIds) {
    BenchLoad load = new BenchLoad(to, graph.sources() + 2, takesIds);
    show(load);
    commit(to);
    return load.ids();
  }

  /** Shows everything: the vertices, then the edges. */
  void show(ElementSink to) {
    for (int id = 1; id <= graph.sources() + 2; id++) {
      to.vertex(id, id % EACH_PAGE == 0 ? PAGE : PERSON, CODE, code(id), "name", "name " + id);
    }
    long[] targets = new long[graph.maxDegree()];
    for (int index = 0; index < graph.sources(); index++) {
      long source = PowerLawGraph.id(index);
      int degree = graph.targets(index, targets);
      for (int i = 0; i < degree; i++) {
        long random = SeededHash.of(SeededHash.of(graph.seed() ^ TIMES, source), targets[i]);
        to.edge(source, PLAIN, targets[i], TIME, time(random));
      }
    }
    for (int i = 0; i < plainHub; i++) {
      to.edge(plainHub(), PLAIN, 1 + i % graph.sources(), TIME, time(i * SCATTER));
    }
    for (int i = 0; i < orderedHub; i++) {
      to.edge(orderedHub(), ORDERED, 1 + i % graph.sources(), TIME, time(i * SCATTER));
    }
  }

  private static long time(long random) {
    return FIRST_TIME + (random & (SPAN - 1));
  }

  /** Commits where the system has transactions. */
  static void commit(Graph graph) {
    if (graph.features().graph().supportsTransactions()) {
      graph.tx().commit();
    }
  }

  /** Ends a transaction that has read. */
  static void end(Graph graph) {
    if (graph.features().graph().supportsTransactions()) {
      graph.tx().rollback();
    }
  }
}
