package io.bg3.bench.data;

import java.util.Arrays;

/**
 * Edges of a graph in an order in which they are written: all of them in the order of their keys,
 * or some of them in an order that is random and a function of a seed. It takes eight bytes of heap
 * an edge, so that a measured loop does not compute what it writes.
 *
 * <p>Threads: any, it never changes.
 */
public final class EdgeList {
  private static final long ORDER = 13;
  private static final long CHOICE = 14;

  private final int[] owners;
  private final int[] others;

  private EdgeList(int[] owners, int[] others) {
    this.owners = owners;
    this.others = others;
  }

  /** All edges in the order of their keys. */
  public static EdgeList sorted(PowerLawGraph graph) {
    return of(graph, graph.seed(), 1);
  }

  /** All edges in a random order. */
  public static EdgeList shuffled(PowerLawGraph graph, long seed) {
    EdgeList edges = sorted(graph);
    edges.shuffle(seed);
    return edges;
  }

  /**
   * The edges that {@linkplain #isChosen are chosen} to be overwritten, in a random order.
   *
   * @param share which part of all edges, 0 to 1
   */
  public static EdgeList chosen(PowerLawGraph graph, long seed, double share) {
    EdgeList edges = of(graph, seed, share);
    edges.shuffle(~seed);
    return edges;
  }

  /**
   * Whether an edge is one of those that are overwritten: a random choice with the chance {@code
   * share} that is a function of the edge and the seed.
   */
  public static boolean isChosen(long owner, long other, long seed, double share) {
    return SeededHash.unit(SeededHash.of(seed ^ CHOICE, SeededHash.of(owner, other))) < share;
  }

  private static int arrayLength(PowerLawGraph graph) {
    if (graph.edges() > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException("more edges than an array holds: edges=" + graph.edges());
    }
    return (int) graph.edges();
  }

  private static EdgeList of(PowerLawGraph graph, long seed, double share) {
    int[] owners = new int[arrayLength(graph)];
    int[] others = new int[owners.length];
    long[] targets = new long[graph.maxDegree()];
    int count = 0;
    for (int index = 0; index < graph.sources(); index++) {
      int degree = graph.targets(index, targets);
      for (int i = 0; i < degree; i++) {
        if (isChosen(PowerLawGraph.id(index), targets[i], seed, share)) {
          owners[count] = index;
          others[count++] = PowerLawGraph.index(targets[i]);
        }
      }
    }
    return count == owners.length
        ? new EdgeList(owners, others)
        : new EdgeList(Arrays.copyOf(owners, count), Arrays.copyOf(others, count));
  }

  private void shuffle(long seed) {
    for (int i = owners.length - 1; i > 0; i--) {
      int j = (int) SeededHash.below(SeededHash.of(seed ^ ORDER, i), i + 1L);
      int owner = owners[i];
      owners[i] = owners[j];
      owners[j] = owner;
      int other = others[i];
      others[i] = others[j];
      others[j] = other;
    }
  }

  /** Number of edges. */
  public int count() {
    return owners.length;
  }

  /** The id of an edge's source. */
  public long owner(int index) {
    return PowerLawGraph.id(owners[index]);
  }

  /** The id of an edge's target. */
  public long other(int index) {
    return PowerLawGraph.id(others[index]);
  }
}
