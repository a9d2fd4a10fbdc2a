package io.bg3.gremlin.structure;

import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.VertexScan;
import java.util.function.Predicate;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/** The vertices of a scan that pass a test. */
final class VertexIterator extends Bg3Iterator<Vertex> {
  private final Bg3Graph graph;
  private final GraphTransaction transaction;
  private final VertexScan scan;
  private final Predicate<Vertex> test;

  VertexIterator(
      Bg3Graph graph, OpenTransaction transaction, VertexScan scan, Predicate<Vertex> test) {
    super(transaction);
    this.graph = graph;
    this.transaction = transaction.graph();
    this.scan = scan;
    this.test = test;
  }

  @Override
  protected Vertex advance() {
    while (scan.next()) {
      giveUpIfInterrupted();
      Bg3Vertex vertex = graph.vertex(transaction, scan.vertex()).with(transaction, scan.record());
      if (test.test(vertex)) {
        return vertex;
      }
    }
    return null;
  }

  @Override
  protected void release() {
    scan.close();
  }
}
