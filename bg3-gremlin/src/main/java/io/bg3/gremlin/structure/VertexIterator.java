package io.bg3.gremlin.structure;

import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.VertexCursor;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/**
 * The vertices of a scan that pass a test, as far as the scan shows them also those that have been
 * removed since it was opened; reports how many vertices the scan reads for them.
 */
final class VertexIterator extends Bg3Iterator<Vertex> {
  private final Bg3Graph graph;
  private final GraphTransaction transaction;
  private final VertexCursor scan;
  private final Predicate<Vertex> test;
  private final LongConsumer read;
  private long reported;

  /**
   * @param read is told how many vertices were read since it was last told
   */
  VertexIterator(
      Bg3Graph graph,
      OpenTransaction transaction,
      VertexCursor scan,
      Predicate<Vertex> test,
      LongConsumer read) {
    super(transaction);
    this.graph = graph;
    this.transaction = transaction.graph();
    this.scan = scan;
    this.test = test;
    this.read = read;
  }

  @Override
  protected Vertex advance() {
    while (scan.next(this::giveUpIfInterrupted)) {
      giveUpIfInterrupted();
      Bg3Vertex vertex = graph.vertex(transaction, scan.vertex());
      if (!scan.isRemoved()) {
        vertex.with(transaction, scan.record());
      }
      if (test.test(vertex)) {
        report();
        return vertex;
      }
    }
    report();
    return null;
  }

  private void report() {
    long passed = scan.passed();
    read.accept(passed - reported);
    reported = passed;
  }

  @Override
  protected void release() {
    scan.close();
  }
}
