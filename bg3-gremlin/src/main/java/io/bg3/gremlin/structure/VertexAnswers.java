package io.bg3.gremlin.structure;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * What a test has said of vertices, by their internal ids: a table of {@value #SLOTS} places at
 * most, of which each holds the vertex that was put there last. So it forgets, and its owner asks
 * the test again. Clients choose ids, so the hash has a part that they do not know.
 *
 * <p>Belongs to one thread.
 */
final class VertexAnswers {
  /** Nothing is known of the vertex. */
  static final byte UNKNOWN = 0;

  /** It has not passed. */
  static final byte NO = 1;

  /** It has passed. */
  static final byte YES = 2;

  private static final int SLOTS = 1 << 12;
  private static final int FIRST_SLOTS = 1 << 6;
  private static final long SECRET = new SplittableRandom().nextLong() | 1;
  private static final long SCATTER = 0x9E3779B97F4A7C15L;

  private long[] vertices = new long[FIRST_SLOTS];
  private byte[] answers = new byte[FIRST_SLOTS];
  private int put;

  /** Forgets everything. */
  void clear() {
    Arrays.fill(answers, UNKNOWN);
    put = 0;
  }

  /** What is known of a vertex. */
  byte of(long vertex) {
    int slot = slot(vertex);
    return vertices[slot] == vertex ? answers[slot] : UNKNOWN;
  }

  /** Remembers an answer, perhaps in the place of another one. */
  void put(long vertex, byte answer) {
    if (++put > vertices.length / 2 && vertices.length < SLOTS) {
      vertices = new long[2 * vertices.length];
      answers = new byte[vertices.length];
      put = 1; // what it knew is asked for once more
    }
    int slot = slot(vertex);
    vertices[slot] = vertex;
    answers[slot] = answer;
  }

  private int slot(long vertex) {
    long product = vertex * SECRET;
    long hash = (product ^ (product >>> Integer.SIZE)) * SCATTER;
    return (int) (hash >>> Integer.SIZE) & (vertices.length - 1);
  }
}
