package io.bg3.bench.gremlin;

/** Receives the elements of a graph: all vertices, then all edges. */
interface ElementSink {
  /**
   * Receives a vertex.
   *
   * @param number from 1
   * @param properties keys and values in turn
   */
  void vertex(int number, String label, Object... properties);

  /** Receives an edge between vertices that came before. */
  void edge(long from, String label, long target, Object... properties);
}
