package io.bg3.bench.data;

import java.util.Arrays;

/**
 * The queries that every system answers, in the same order. Edges are drawn with equal chance, and
 * so a vertex is met as often as a traversal meets it: in proportion to its edges.
 */
public final class QuerySequence {
  private static final long OWNERS = 11;
  private static final long EDGES = 12;
  private static final long PLAIN = 15;

  private final PowerLawGraph graph;
  private final long seed;

  public QuerySequence(PowerLawGraph graph, long seed) {
    this.graph = graph;
    this.seed = seed;
  }

  /**
   * Edges, by their two ends.
   *
   * @param owners the sources
   * @param others the targets, in the same order
   */
  @SuppressWarnings("ArrayRecordComponent") // they are read a million times in a measured loop
  public record Edges(long[] owners, long[] others) {}

  /**
   * The sources of random edges.
   *
   * @param maxDegree vertices with more edges are left out
   */
  public long[] owners(int count, int maxDegree) {
    long[] ends = ends(maxDegree);
    long[] owners = new long[count];
    for (int i = 0; i < count; i++) {
      long edge = SeededHash.below(SeededHash.of(seed ^ OWNERS, i), ends[ends.length - 1]);
      owners[i] = PowerLawGraph.id(indexOf(ends, edge));
    }
    return owners;
  }

  /**
   * Vertices that have {@code mean} edges on average, any of them with a chance of its own: the
   * sources of random edges, as a traversal meets them, mixed with vertices that are drawn with
   * equal chance. No vertex is left out.
   */
  public long[] mixedOwners(int count, double mean) {
    double plain = (double) graph.edges() / graph.sources();
    double squares = 0;
    for (int i = 0; i < graph.sources(); i++) {
      squares += (double) graph.degree(i) * graph.degree(i);
    }
    double met = squares / graph.edges();
    double chance = met <= plain ? 1 : Math.max(0, Math.min(1, (mean - plain) / (met - plain)));
    long[] owners = owners(count, Integer.MAX_VALUE);
    for (int i = 0; i < count; i++) {
      if (SeededHash.unit(SeededHash.of(seed ^ PLAIN, 2L * i)) >= chance) {
        long index = SeededHash.below(SeededHash.of(seed ^ PLAIN, 2L * i + 1), graph.sources());
        owners[i] = PowerLawGraph.id((int) index);
      }
    }
    return owners;
  }

  /** Random edges. Reads through the graph once. */
  public Edges edges(int count) {
    long[] ends = ends(Integer.MAX_VALUE);
    long[] picks = picks(count);
    long[] owners = new long[count];
    long[] others = new long[count];
    long[] targets = new long[graph.maxDegree()];
    int made = -1;
    for (int i = 0; i < count; i++) {
      int index = indexOf(ends, picks[i]);
      if (index != made) {
        graph.targets(index, targets);
        made = index;
      }
      owners[i] = PowerLawGraph.id(index);
      others[i] = targets[(int) (picks[i] - (index == 0 ? 0 : ends[index - 1]))];
    }
    shuffle(owners, others);
    return new Edges(owners, others);
  }

  /** Random edges in ascending order, so that the targets of a source are made only once. */
  private long[] picks(int count) {
    long[] picks = new long[count];
    for (int i = 0; i < count; i++) {
      picks[i] = SeededHash.below(SeededHash.of(seed ^ EDGES, i), graph.edges());
    }
    Arrays.sort(picks);
    return picks;
  }

  private int[] sortedDegrees() {
    int[] degrees = new int[graph.sources()];
    for (int i = 0; i < degrees.length; i++) {
      degrees[i] = graph.degree(i);
    }
    Arrays.sort(degrees);
    return degrees;
  }

  /** The degree above which vertices must be left out for the owners to have {@code mean} edges. */
  public int maxDegreeFor(double mean) {
    int[] sorted = sortedDegrees();
    double sum = 0;
    double squares = 0;
    int most = sorted[0];
    for (int degree : sorted) {
      sum += degree;
      squares += (double) degree * degree;
      if (sum > 0 && squares / sum > mean) {
        break;
      }
      most = degree;
    }
    return Math.max(1, most);
  }

  /** The number of edges that leave these vertices together. */
  public long edgesOf(long[] owners) {
    long sum = 0;
    for (long owner : owners) {
      sum += graph.degree(PowerLawGraph.index(owner));
    }
    return sum;
  }

  private void shuffle(long[] owners, long[] others) {
    for (int i = owners.length - 1; i > 0; i--) {
      int j = (int) SeededHash.below(SeededHash.of(seed ^ EDGES, -2 - i), i + 1L);
      long owner = owners[i];
      owners[i] = owners[j];
      owners[j] = owner;
      long other = others[i];
      others[i] = others[j];
      others[j] = other;
    }
  }

  /** For each vertex, the number of edges that leave it and those before it. */
  private long[] ends(int maxDegree) {
    long[] ends = new long[graph.sources()];
    long sum = 0;
    for (int i = 0; i < ends.length; i++) {
      int degree = graph.degree(i);
      sum += degree <= maxDegree ? degree : 0;
      ends[i] = sum;
    }
    return ends;
  }

  /** The vertex that an edge leaves, edges being counted from 0 in the order of their sources. */
  private static int indexOf(long[] ends, long edge) {
    int low = 0;
    int high = ends.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ends[middle] > edge) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
}
