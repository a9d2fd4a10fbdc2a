package io.bg3.gremlin.structure;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Vertices by their internal ids, each once and with a weight, in the order in which they were
 * added first: two arrays, and an open hash table of their indexes. Clients choose ids, so the hash
 * has a part that they do not know.
 *
 * <p>Belongs to one thread.
 */
final class WeightedVertices {
  private static final int FIRST_ROOM = 16;
  private static final long SECRET = new SplittableRandom().nextLong() | 1;
  private static final long SCATTER = 0x9E3779B97F4A7C15L;

  private long[] vertices = new long[FIRST_ROOM];
  private long[] weights = new long[FIRST_ROOM];
  private int[] places = new int[2 * FIRST_ROOM]; // an index and 1, or 0 for a free one
  private int[] taken = new int[FIRST_ROOM]; // by index, its place
  private int count;

  /** The number of vertices. */
  int count() {
    return count;
  }

  /** A vertex by its index. */
  long vertex(int index) {
    return vertices[index];
  }

  /** The weights with which a vertex was added, together. */
  long weight(int index) {
    return weights[index];
  }

  /** Copies vertices from an index on to the beginning of an array. */
  void copy(int from, int some, long[] into) {
    System.arraycopy(vertices, from, into, 0, some);
  }

  /** Adds a vertex, or adds to its weight. */
  void add(long vertex, long weight) {
    int place = place(vertex);
    if (places[place] != 0) {
      weights[places[place] - 1] += weight;
      return;
    }
    if (count == vertices.length) {
      grow();
      place = place(vertex);
    }
    vertices[count] = vertex;
    weights[count] = weight;
    taken[count] = place;
    places[place] = ++count;
  }

  /** Where the index of a vertex is, or has its free place. */
  private int place(long vertex) {
    long product = vertex * SECRET;
    long hash = (product ^ (product >>> Integer.SIZE)) * SCATTER;
    int at = (int) (hash >>> Integer.SIZE) & (places.length - 1);
    while (places[at] != 0 && vertices[places[at] - 1] != vertex) {
      at = (at + 1) & (places.length - 1);
    }
    return at;
  }

  private void grow() {
    vertices = Arrays.copyOf(vertices, 2 * count);
    weights = Arrays.copyOf(weights, 2 * count);
    taken = new int[2 * count];
    places = new int[4 * count];
    for (int i = 0; i < count; i++) {
      int place = place(vertices[i]);
      taken[i] = place;
      places[place] = i + 1;
    }
  }

  /** Forgets all vertices; takes the longer the more there are, whatever room there is for more. */
  void clear() {
    for (int i = 0; i < count; i++) {
      places[taken[i]] = 0;
    }
    count = 0;
  }
}
