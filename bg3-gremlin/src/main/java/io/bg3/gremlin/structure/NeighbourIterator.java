package io.bg3.gremlin.structure;

import io.bg3.core.graph.EdgeScan;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/** The vertices at the other ends of a scan's edges: topology only, no record is read. */
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
    return scan.next() ? graph.vertex(transaction.graph(), scan.other()) : null;
  }

  @Override
  protected void release() {
    scan.close();
  }
}
