package io.bg3.bench.gremlin;

import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.IndexState;
import io.bg3.core.graph.SortOrder;
import io.bg3.gremlin.structure.Bg3Graph;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.tinkerpop.gremlin.structure.Graph;

/** BG3, embedded, on a disk; commits are not synced. */
final class Bg3System implements GraphSystem {
  private static final long POLL_NANOS = 10_000_000;

  @Override
  public Graph open(Path directory, long memory) {
    return open(directory, memory, "none");
  }

  /**
   * An empty graph.
   *
   * @param durability bg3.durability
   */
  static Graph open(Path directory, long memory, String durability) {
    BaseConfiguration settings = new BaseConfiguration();
    settings.setProperty("bg3.directory", directory.toString());
    settings.setProperty("bg3.durability", durability);
    settings.setProperty("bg3.memory.budget", Long.toString(memory));
    return Bg3Graph.open(settings);
  }

  @Override
  public void order(Graph graph, String label, String key) {
    ((Bg3Graph) graph)
        .graphStore()
        .declareEdgeLabel(
            label, EdgeLabelForm.plain().orderedBy(key, SortOrder.DESCENDING).asCounted());
  }

  @Override
  public void index(Graph graph, String label, String key) {
    GraphStore store = ((Bg3Graph) graph).graphStore();
    store.createIndex(label, key);
    while (!store.indexes().stream().allMatch(index -> index.state() == IndexState.READY)) {
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  @Override
  public String settings() {
    return "on a disk, bg3.durability=none";
  }
}
