package io.bg3.bench.work;

import io.bg3.bench.data.SeededHash;
import io.bg3.bench.store.StoreReader;

/**
 * Walks from vertex to vertex. A vertex gives its first edges up to a number, {@value #MOST} unless
 * another is given, and a hop goes on from as many vertices that the one before reached. All walks
 * use the same arrays. Belongs to one thread.
 */
final class Walk {
  private static final int MOST = 100;
  private static final long DEPTHS = 21;

  private final StoreReader reader;
  private final int most;
  private final long[] others;
  private final int[] ends;
  private long[] frontier;
  private long[] next;
  private long edges;

  Walk(StoreReader reader) {
    this(reader, MOST);
  }

  /**
   * Walks of another width.
   *
   * @param most edges of a vertex, and vertices that a hop goes on from
   */
  Walk(StoreReader reader, int most) {
    this.reader = reader;
    this.most = most;
    this.others = new long[most * most];
    this.ends = new int[most];
    this.frontier = new long[most];
    this.next = new long[most];
  }

  /** A number that depends on all edges of the walk and on their order. */
  long from(long start, int depth) {
    long sum = 0;
    int size = 1;
    frontier[0] = start;
    for (int hop = 0; hop < depth; hop++) {
      reader.first(frontier, size, most, others, ends);
      int reached = 0;
      for (int i = 0; i < size; i++) {
        int begin = i == 0 ? 0 : ends[i - 1];
        int count = ends[i] - begin;
        edges += count;
        for (int j = 0; j < count; j++) {
          sum += others[begin + j] * (j + 1L);
        }
        int kept = Math.min(count, most - reached);
        System.arraycopy(others, begin, next, reached, kept);
        reached += kept;
      }
      long[] done = frontier;
      frontier = next;
      next = done;
      size = reached;
    }
    return sum;
  }

  /** The edges that all walks together have gone along. */
  long edges() {
    return edges;
  }

  /** Begins a transaction for the walks from now on. */
  void renew() {
    reader.renew();
  }

  /** How many hops each of some walks takes: 70 % one, 20 % two, 10 % three. */
  static byte[] depths(long seed, int count) {
    byte[] depths = new byte[count];
    for (int i = 0; i < count; i++) {
      long percent = SeededHash.below(SeededHash.of(seed ^ DEPTHS, i), 100);
      depths[i] = (byte) (percent < 70 ? 1 : percent < 90 ? 2 : 3);
    }
    return depths;
  }

  /** How many hops each of some long walks takes: five to ten, each number with equal chance. */
  static byte[] longDepths(long seed, int count) {
    byte[] depths = new byte[count];
    for (int i = 0; i < count; i++) {
      depths[i] = (byte) (5 + SeededHash.below(SeededHash.of(seed ^ DEPTHS, i), 6));
    }
    return depths;
  }

  /** The walks in words, in front of what they do besides. */
  static String text(long edges) {
    return "70 % 1, 20 % 2, 10 % 3 hops, at most " + MOST + " a hop, " + edges + " edges a walk, ";
  }
}
