package io.bg3.bench.gremlin;

import java.nio.file.Path;
import org.apache.tinkerpop.gremlin.structure.Graph;

/**
 * How one graph system is opened and prepared.
 *
 * <p>Its classes are loaded in the process that measures it, because only that process has all of
 * the system's libraries.
 */
interface GraphSystem {
  /**
   * An empty graph.
   *
   * @param directory for its files, if it has any
   * @param memory bytes that it may use outside of the heap
   */
  Graph open(Path directory, long memory);

  /** Keeps the edges of a label in the order of a property, newest first, and counts them. */
  void order(Graph graph, String label, String key);

  /** Indexes a property of the vertices of a label, and waits until the index is complete. */
  void index(Graph graph, String label, String key);

  /** The settings, for people. */
  String settings();
}
