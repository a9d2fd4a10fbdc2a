package io.bg3.bench.gremlin;

import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.IndexState;
import io.bg3.core.graph.SortOrder;
import io.bg3.gremlin.structure.Bg3Graph;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph;

/** A graph system that answers Gremlin. */
public enum GremlinSystem {
  /** BG3, embedded, on a disk; commits are not synced. */
  BG3 {
    @Override
    public Graph open(Path directory, long memory) {
      BaseConfiguration settings = new BaseConfiguration();
      settings.setProperty("bg3.directory", directory.toString());
      settings.setProperty("bg3.durability", "none");
      settings.setProperty("bg3.memory.budget", Long.toString(memory));
      return Bg3Graph.open(settings);
    }

    @Override
    void order(Graph graph, String label, String key) {
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
  },

  /** TinkerPop's reference implementation: objects in the heap, without transactions. */
  TINKERGRAPH {
    @Override
    public Graph open(Path directory, long memory) {
      BaseConfiguration ids = new BaseConfiguration();
      ids.setProperty("gremlin.tinkergraph.vertexIdManager", "LONG");
      ids.setProperty("gremlin.tinkergraph.edgeIdManager", "LONG");
      return TinkerGraph.open(ids);
    }

    @Override
    void order(Graph graph, String label, String key) {}

    @Override
    public void index(Graph graph, String label, String key) {
      ((TinkerGraph) graph).createIndex(key, Vertex.class);
    }

    @Override
    public String settings() {
      return "in the heap, without transactions";
    }
  };

  private static final long POLL_NANOS = 10_000_000;

  /** The systems with these names, all if there are none. */
  public static List<GremlinSystem> of(List<String> names) {
    for (String name : names) {
      if (Arrays.stream(values()).noneMatch(system -> system.text().equals(name))) {
        throw new IllegalArgumentException(
            "no such system: system="
                + name
                + ", known="
                + String.join(", ", Arrays.stream(values()).map(GremlinSystem::text).toList()));
      }
    }
    return Arrays.stream(values())
        .filter(system -> names.isEmpty() || names.contains(system.text()))
        .toList();
  }

  /** The name in tables. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * An empty graph.
   *
   * @param directory for its files, if it has any
   * @param memory bytes that it may use outside of the heap
   */
  public abstract Graph open(Path directory, long memory);

  /** Keeps the edges of a label in the order of a property, newest first, and counts them. */
  abstract void order(Graph graph, String label, String key);

  /** Indexes a property of the vertices of a label, and waits until the index is complete. */
  public abstract void index(Graph graph, String label, String key);

  /** The settings, for people. */
  public abstract String settings();
}
