package io.bg3.gremlin;

import org.apache.tinkerpop.gremlin.LoadGraphWith.GraphData;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;

/** The same graphs, asked on the graph computer. */
public final class ComputerWorld extends Bg3World {
  @Override
  public GraphTraversalSource getGraphTraversalSource(GraphData data) {
    return super.getGraphTraversalSource(data).withComputer();
  }
}
