import io.bg3.core.graph.EdgeLabel;
import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.GraphReader;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.SortOrder;
import io.bg3.core.record.PropertyBytes;
import io.bg3.gremlin.structure.Bg3Graph;

/** A feed: edges kept in the order of their time and counted, so that the newest are read alone. */
public class Feed {
  private static final int POSTS = 1_000;

  public static void main(String[] arguments) {
    try (Bg3Graph graph = Bg3Graph.open()) {
      GraphStore store = graph.graphStore();

      // Declared once, before the first edge. Loose: the edges need no vertices at their ends.
      EdgeLabel posted =
          store.declareEdgeLabel(
              "posted",
              EdgeLabelForm.plain().asLoose().orderedBy("time", SortOrder.DESCENDING).asCounted());
      int score = store.makePropertyKey("score");

      long author = 7;
      store.update(
          author,
          transaction -> {
            for (int i = 0; i < POSTS; i++) {
              PropertyBytes properties = new PropertyBytes().putInt(score, i % 10);
              transaction.links().put(posted, author, 1_000 + i, 1_700_000_000L + i, true, properties);
            }
            return null;
          });

      // A reader answers small questions from the newest snapshot; one for each thread.
      GraphReader reader = store.reader();
      System.out.println("posts " + reader.count(posted, author));
      reader.links(
          posted,
          author,
          Long.MIN_VALUE,
          Long.MAX_VALUE,
          0,
          3,
          link -> System.out.println("post " + link.target() + " at " + link.sortKey()));

      // The same edges in Gremlin.
      System.out.println(graph.traversal().E().hasLabel("posted").has("score", 9).count().next());
      graph.tx().rollback();
    }
  }
}
