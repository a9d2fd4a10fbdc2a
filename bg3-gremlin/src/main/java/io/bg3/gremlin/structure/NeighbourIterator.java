package io.bg3.gremlin.structure;

import io.bg3.core.graph.EdgeScan;
import java.util.function.LongFunction;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/**
 * The vertices at the other ends of a scan's edges: topology only, no record is read. A loose edge
 * may lead to a vertex that is not there, which is passed over.
 */
final class NeighbourIterator extends Bg3Iterator<Vertex> {
  private final LongFunction<Vertex> vertex;
  private final OpenTransaction transaction;
  private final EdgeScan scan;

  /**
   * The neighbours of a scan that is closed with this iterator.
   *
   * @param vertex makes a vertex from its internal id
   */
  NeighbourIterator(OpenTransaction transaction, EdgeScan scan, LongFunction<Vertex> vertex) {
    super(transaction);
    this.vertex = vertex;
    this.transaction = transaction;
    this.scan = scan;
  }

  @Override
  protected Vertex advance() {
    while (scan.next()) {
      if (!scan.isLoose() || transaction.graph().vertexExists(scan.other())) {
        return vertex.apply(scan.other());
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
