package io.bg3.gremlin;

import io.bg3.gremlin.process.computer.Bg3GraphComputer;
import org.apache.tinkerpop.gremlin.GraphProvider;
import org.apache.tinkerpop.gremlin.process.computer.GraphComputer;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Graph;

/** The graphs of {@link Bg3GraphProvider}, whose traversals run on the graph computer. */
@GraphProvider.Descriptor(computer = Bg3GraphComputer.class)
public final class Bg3ComputerProvider extends Bg3GraphProvider {
  @Override
  public GraphTraversalSource traversal(Graph graph) {
    return graph.traversal().withComputer();
  }

  @Override
  public GraphComputer getGraphComputer(Graph graph) {
    return graph.compute(Bg3GraphComputer.class);
  }
}
