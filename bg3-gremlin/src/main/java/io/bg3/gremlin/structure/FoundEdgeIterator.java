package io.bg3.gremlin.structure;

import io.bg3.core.graph.EdgeLookup;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.apache.tinkerpop.gremlin.structure.Edge;

/**
 * The edges of a look-up by an index that pass a test; reports how many edges it reads for them.
 */
final class FoundEdgeIterator extends Bg3Iterator<Edge> {
  private final Bg3Graph graph;
  private final OpenTransaction transaction;
  private final EdgeLookup lookup;
  private final Predicate<Edge> test;
  private final LongConsumer read;
  private long reported;

  /**
   * @param read is told how many edges were read since it was last told
   */
  FoundEdgeIterator(
      Bg3Graph graph,
      OpenTransaction transaction,
      EdgeLookup lookup,
      Predicate<Edge> test,
      LongConsumer read) {
    super(transaction);
    this.graph = graph;
    this.transaction = transaction;
    this.lookup = lookup;
    this.test = test;
    this.read = read;
  }

  @Override
  protected Edge advance() {
    while (lookup.next()) {
      giveUpIfInterrupted();
      Bg3Edge edge =
          new Bg3Edge(graph, lookup.edge(), null).with(transaction.graph(), lookup.record());
      if (test.test(edge)) {
        report();
        return edge;
      }
    }
    report();
    return null;
  }

  private void report() {
    long passed = lookup.passed();
    read.accept(passed - reported);
    reported = passed;
  }

  @Override
  protected void release() {
    lookup.close();
  }
}
