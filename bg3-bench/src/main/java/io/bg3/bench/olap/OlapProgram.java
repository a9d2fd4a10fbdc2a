package io.bg3.bench.olap;

import java.util.Locale;
import org.apache.tinkerpop.gremlin.process.computer.VertexProgram;
import org.apache.tinkerpop.gremlin.process.computer.clustering.connected.ConnectedComponentVertexProgram;
import org.apache.tinkerpop.gremlin.process.computer.ranking.pagerank.PageRankVertexProgram;

/** A program of TinkerPop that is measured. */
enum OlapProgram {
  /** Twenty iterations, whether the ranks have converged or not. */
  PAGERANK(PageRankVertexProgram.PAGE_RANK) {
    @Override
    VertexProgram<?> create() {
      return PageRankVertexProgram.build().iterations(ITERATIONS).epsilon(0).create();
    }
  },

  /** Until no vertex hears of a smaller component. */
  COMPONENTS(ConnectedComponentVertexProgram.COMPONENT) {
    @Override
    VertexProgram<?> create() {
      return ConnectedComponentVertexProgram.build().create();
    }
  };

  private static final int ITERATIONS = 20;

  private final String key;

  OlapProgram(String key) {
    this.key = key;
  }

  /** The program, to be run once. */
  abstract VertexProgram<?> create();

  /** The key of the property that it computes. */
  String key() {
    return key;
  }

  /** The name in tables. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
