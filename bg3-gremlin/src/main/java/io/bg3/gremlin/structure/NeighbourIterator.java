package io.bg3.gremlin.structure;

import io.bg3.core.graph.EdgeScan;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/**
 * The vertices at the other ends of a scan's edges: topology only, no record is read. A loose edge
 * may lead to a vertex that is not there, which is passed over.
 */
final class NeighbourIterator extends Bg3Iterator<Vertex> {
  private final Bg3Graph graph;
  private final OpenTransaction transaction;
  private final EdgeScan scan;

  NeighbourIterator(Bg3Graph graph, OpenTransaction transaction, EdgeScan scan) {
    super(transaction);
    this.graph = graph;
    this.transaction = transaction;
    this.scan = scan;
  }

  @Override
  protected Vertex advance() {
    while (scan.next()) {
      if (!scan.isLoose() || transaction.graph().vertexExists(scan.other())) {
        return graph.vertex(transaction.graph(), scan.other());
      }
      giveUpIfInterrupted();
    }
    return null;
  }

  @Override
  protected void release() {
    scan.close();
  }
}
