package io.bg3.server;

import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerTransactionGraph;

/** The graphs that tests serve. */
final class Graphs {
  private Graphs() {}

  static Graph inMemory() {
    return TinkerTransactionGraph.open();
  }
}
