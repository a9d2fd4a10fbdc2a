import io.bg3.gremlin.structure.Bg3ConflictException;
import io.bg3.gremlin.structure.Bg3Graph;
import java.util.Map;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/** Opens a store, writes two vertices and an edge, and reads them. */
public class HelloGraph {
  public static void main(String[] arguments) {
    String directory = arguments.length > 0 ? arguments[0] : "hello-data";
    try (Bg3Graph graph = Bg3Graph.open(directory)) {
      GraphTraversalSource g = graph.traversal();
      for (int attempt = 1; ; attempt++) {
        try {
          Vertex ada = g.mergeV(Map.of("name", "Ada")).next();
          Vertex charles = g.mergeV(Map.of("name", "Charles")).next();
          g.addE("wrote_to").from(ada).to(charles).property("year", 1843).iterate();
          graph.tx().commit(); // when this returns, the data is on the disk
          break;
        } catch (Bg3ConflictException e) { // another thread changed what this one had read
          if (attempt == 10) {
            throw e;
          }
        }
      }
      System.out.println(g.V().has("name", "Ada").out("wrote_to").values("name").toList());
      graph.tx().rollback(); // the reads above opened a transaction
    }
  }
}
