package io.bg3.bench.data;

import java.util.Arrays;

/**
 * A directed graph with power-law degrees, a function of three numbers.
 *
 * <p>Vertices have the ids 1 to {@code sources}. How many edges leave a vertex follows a Pareto law
 * with exponent {@value #EXPONENT}, scaled so that the sum is exactly {@code edges}; no vertex has
 * edges to more than a quarter of all. The targets of a vertex are distinct and drawn with a
 * popularity that falls with the square root of the rank. Nothing is stored but the degrees: the
 * targets of a vertex are made again whenever they are asked for.
 *
 * <p>Threads: any, it never changes.
 */
public final class PowerLawGraph {
  private static final double EXPONENT = 1.5;
  private static final long DEGREES = 1;
  private static final long TARGETS = 2;

  private final int sources;
  private final long edges;
  private final long seed;
  private final long multiplier;
  private final int[] degrees;

  /**
   * @param sources number of vertices, 4 or more
   * @param edges at most an eighth of {@code sources} times {@code sources}
   * @throws IllegalArgumentException if so many edges do not fit
   */
  public PowerLawGraph(int sources, long edges, long seed) {
    check(sources, edges);
    this.sources = sources;
    this.edges = edges;
    this.seed = seed;
    this.multiplier = coprime(sources);
    this.degrees = degrees();
  }

  /**
   * Refuses what is no graph, as the constructor does.
   *
   * @throws IllegalArgumentException if so many edges do not fit
   */
  public static void check(int sources, long edges) {
    if (sources < 4 || edges < 1 || edges > (long) sources * sources / 8) {
      throw new IllegalArgumentException(
          "edges must be 1 to sources * sources / 8, sources 4 or more: sources="
              + sources
              + ", edges="
              + edges);
    }
  }

  /** Number of vertices. */
  public int sources() {
    return sources;
  }

  /** Number of edges. */
  public long edges() {
    return edges;
  }

  /** The seed, by which graphs of one size differ. */
  public long seed() {
    return seed;
  }

  /** The id of a vertex, counted from 0. Ids rise with the index. */
  public static long id(int index) {
    return index + 1L;
  }

  /** The index of the vertex with this id. */
  public static int index(long id) {
    return (int) (id - 1);
  }

  /** The number of edges that leave the vertex with this index. */
  public int degree(int index) {
    return degrees[index];
  }

  /** The number of edges that leave the vertex with the most. */
  public int maxDegree() {
    return Arrays.stream(degrees).max().orElseThrow();
  }

  /**
   * Puts the ids of the targets of a vertex into an array, ascending, and returns how many there
   * are.
   *
   * @param into room for {@link #maxDegree} ids
   */
  public int targets(int index, long[] into) {
    int degree = degrees[index];
    long sequence = SeededHash.of(seed ^ TARGETS, index);
    long drawn = 0;
    int count = 0;
    while (count < degree) {
      for (int i = count; i < degree; i++) {
        double unit = SeededHash.unit(SeededHash.of(sequence, drawn++));
        long rank = (long) (unit * unit * sources);
        into[i] = id((int) (rank * multiplier % sources));
      }
      Arrays.sort(into, 0, degree);
      count = unique(into, degree);
    }
    return degree;
  }

  private static int unique(long[] sorted, int count) {
    int kept = 1;
    for (int i = 1; i < count; i++) {
      if (sorted[i] != sorted[kept - 1]) {
        sorted[kept++] = sorted[i];
      }
    }
    return kept;
  }

  private int[] degrees() {
    int most = Math.max(1, sources / 4);
    double sum = 0;
    for (int i = 0; i < sources; i++) {
      sum += weight(i);
    }
    int[] found = new int[sources];
    long left = edges;
    for (int i = 0; i < sources; i++) {
      found[i] = (int) Math.min(most, (long) (weight(i) / sum * edges));
      left -= found[i];
    }
    for (int i = 0; left > 0; i = (i + 1) % sources) { // what rounding and the limit have left over
      if (found[i] < most) {
        found[i]++;
        left--;
      }
    }
    return found;
  }

  /** The share of a vertex in the edges, by the Pareto law. */
  private double weight(int i) {
    return StrictMath.pow(1 - SeededHash.unit(SeededHash.of(seed ^ DEGREES, i)), -1 / EXPONENT);
  }

  /** A factor that scatters ranks over ids: one that has no divisor in common with their number. */
  private static long coprime(int sources) {
    long factor = (long) (sources * 0.6180339887) | 1;
    while (gcd(factor, sources) != 1) {
      factor += 2;
    }
    return factor;
  }

  private static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }

  @Override
  public String toString() {
    return "PowerLawGraph[sources=" + sources + ", edges=" + edges + ", seed=" + seed + "]";
  }
}
