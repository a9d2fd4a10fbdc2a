package io.bg3.gremlin.process.computer;

import java.util.ArrayList;
import java.util.List;

/**
 * The neighbours of all vertices in one direction, by their numbers: those of vertex {@code n} are
 * at {@code [begin(n), end(n))}. Four bytes an edge and four a vertex.
 *
 * <p>Threads: any; it does not change.
 */
final class Adjacency {
  private final int[] ends; // of vertex n the index behind its last neighbour is at n + 1
  private final int[] others;

  private Adjacency(int[] ends, int[] others) {
    this.ends = ends;
    this.others = others;
  }

  int begin(int number) {
    return ends[number];
  }

  int end(int number) {
    return ends[number + 1];
  }

  int other(int index) {
    return others[index];
  }

  /** Gives the same edges in the other direction. */
  Adjacency transposed() {
    int[] starts = new int[ends.length];
    for (int other : others) {
      starts[other + 1]++;
    }
    sum(starts);
    int[] into = new int[others.length];
    int[] next = starts.clone();
    for (int number = 0; number + 1 < ends.length; number++) {
      for (int i = begin(number); i < end(number); i++) {
        into[next[others[i]]++] = number;
      }
    }
    return new Adjacency(starts, into);
  }

  private static void sum(int[] counts) {
    for (int i = 1; i < counts.length; i++) {
      counts[i] += counts[i - 1];
    }
  }

  /**
   * Collects edges by the numbers of their ends in any order. Twelve bytes an edge until it is
   * built, in pieces, so that no array is copied to grow.
   */
  static final class Builder {
    /** The most edges: indexes are ints. */
    static final long MOST = Integer.MAX_VALUE - 64;

    private static final int PIECE = 1 << 18;

    private final int vertices;
    private final List<int[]> pieces = new ArrayList<>();
    private int[] piece = new int[0];
    private int inPiece;
    private long count;

    Builder(int vertices) {
      this.vertices = vertices;
    }

    void add(int from, int to) {
      if (inPiece == piece.length) {
        piece = new int[2 * PIECE];
        pieces.add(piece);
        inPiece = 0;
      }
      piece[inPiece++] = from;
      piece[inPiece++] = to;
      count++;
    }

    Adjacency build() {
      if (count > MOST) {
        throw new IllegalStateException("too many edges for arrays: edges=" + count);
      }
      int[] ends = new int[vertices + 1];
      for (int p = 0; p < pieces.size(); p++) {
        int[] pairs = pieces.get(p);
        for (int i = 0; i < filled(p); i += 2) {
          ends[pairs[i] + 1]++;
        }
      }
      sum(ends);
      int[] next = ends.clone();
      int[] others = new int[(int) count];
      for (int p = 0; p < pieces.size(); p++) {
        int[] pairs = pieces.get(p);
        int filled = filled(p);
        for (int i = 0; i < filled; i += 2) {
          others[next[pairs[i]]++] = pairs[i + 1];
        }
        pieces.set(p, null);
      }
      return new Adjacency(ends, others);
    }

    private int filled(int index) {
      return index == pieces.size() - 1 ? inPiece : 2 * PIECE;
    }
  }
}
