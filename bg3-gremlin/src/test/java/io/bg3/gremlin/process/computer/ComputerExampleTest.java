package io.bg3.gremlin.process.computer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.gremlin.structure.Bg3Graph;
import java.util.List;
import org.apache.tinkerpop.gremlin.process.computer.ComputerResult;
import org.apache.tinkerpop.gremlin.process.computer.ranking.pagerank.PageRankVertexProgram;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.Test;

/** Runs the example of docs/provider.md. */
class ComputerExampleTest {
  @Test
  @SuppressWarnings("try") // TinkerPop's close() may throw anything
  void theVertexWithTheMostLinksIsTheBest() throws Exception {
    try (Bg3Graph graph = Bg3Graph.open()) {
      Vertex best = graph.addVertex("name", "best");
      for (int i = 0; i < 20; i++) {
        graph.addVertex("name", "other").addEdge("links", best);
      }
      graph.tx().commit();
      assertEquals("best", best(graph).get(0));
    }
  }

  private static List<Object> best(Bg3Graph graph) throws Exception {
    ComputerResult result =
        graph.compute().program(PageRankVertexProgram.build().create()).submit().get();
    List<Object> best =
        result
            .graph()
            .traversal()
            .V()
            .order()
            .by(PageRankVertexProgram.PAGE_RANK, Order.desc)
            .limit(10)
            .values("name")
            .toList();
    result.close();
    return best;
  }
}
