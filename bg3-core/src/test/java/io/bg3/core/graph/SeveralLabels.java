package io.bg3.core.graph;

/**
 * Three vertices, two of which have several labels: 1 with a and b, 2 with b, 3 with b, c and a.
 */
public final class SeveralLabels {
  private SeveralLabels() {}

  /** Adds the vertices in one commit. */
  public static void add(GraphStore store) {
    store.retry(
        graph -> {
          graph.addVertex(1, "a", "b");
          graph.addVertex(2, "b");
          graph.addVertex(3, "b", "c", "a");
          return null;
        });
  }
}
