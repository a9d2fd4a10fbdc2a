package io.bg3.gremlin.structure;

import io.bg3.core.graph.EdgeScan;
import java.util.function.Predicate;
import org.apache.tinkerpop.gremlin.structure.Edge;

/**
 * The edges of a scan that was opened with values, those that pass a test, also those that have
 * been removed since. An edge whose entry does not hold its record reads that when it is asked for
 * a property.
 */
final class EdgeIterator extends Bg3Iterator<Edge> {
  private final Bg3Graph graph;
  private final OpenTransaction transaction;
  private final EdgeScan scan;
  private final Predicate<Edge> test;

  EdgeIterator(Bg3Graph graph, OpenTransaction transaction, EdgeScan scan, Predicate<Edge> test) {
    super(transaction);
    this.graph = graph;
    this.transaction = transaction;
    this.scan = scan;
    this.test = test;
  }

  @Override
  protected Edge advance() {
    while (scan.next(this::giveUpIfInterrupted)) {
      giveUpIfInterrupted();
      Bg3Edge edge = edge();
      if (test.test(edge)) {
        return edge;
      }
    }
    return null;
  }

  private Bg3Edge edge() {
    // An entry into a vertex, or under the source of an edge whose label is ordered, tells the id
    // that the user gave but no properties: those are read if wanted.
    if (scan.isOut() && scan.holdsRecord()) {
      return new Bg3Edge(graph, scan.edge(), null).with(transaction.graph(), scan.record());
    }
    Bg3Edge edge = new Bg3Edge(graph, scan.edge(), scan.userId());
    return scan.isRemoved()
        ? edge.onceSeenIn(transaction.graph())
        : edge.seenIn(transaction.graph());
  }

  @Override
  protected void release() {
    scan.close();
  }
}
