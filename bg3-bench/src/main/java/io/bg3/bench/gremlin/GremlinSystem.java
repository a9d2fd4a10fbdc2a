package io.bg3.bench.gremlin;

import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.IndexState;
import io.bg3.core.graph.SortOrder;
import io.bg3.gremlin.structure.Bg3Graph;
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
    Graph open(GremlinTask task) {
      BaseConfiguration settings = new BaseConfiguration();
      settings.setProperty("bg3.directory", task.directory().toString());
      settings.setProperty("bg3.durability", "none");
      settings.setProperty("bg3.memory.budget", Long.toString(task.memory()));
      Bg3Graph graph = Bg3Graph.open(settings);
      graph
          .graphStore()
          .declareEdgeLabel(
              BenchGraph.ORDERED,
              EdgeLabelForm.plain().orderedBy(BenchGraph.TIME, SortOrder.DESCENDING).asCounted());
      return graph;
    }

    @Override
    void index(Graph graph) {
      GraphStore store = ((Bg3Graph) graph).graphStore();
      store.createIndex(BenchGraph.PERSON, BenchGraph.CODE);
      while (!store.indexes().stream().allMatch(index -> index.state() == IndexState.READY)) {
        LockSupport.parkNanos(POLL_NANOS);
      }
    }

    @Override
    String settings() {
      return "on a disk, bg3.durability=none; edge label "
          + BenchGraph.ORDERED
          + " ordered and counted; property index";
    }
  },

  /** TinkerPop's reference implementation: objects in the heap, without transactions. */
  TINKERGRAPH {
    @Override
    Graph open(GremlinTask task) {
      BaseConfiguration ids = new BaseConfiguration();
      ids.setProperty("gremlin.tinkergraph.vertexIdManager", "LONG");
      ids.setProperty("gremlin.tinkergraph.edgeIdManager", "LONG");
      return TinkerGraph.open(ids);
    }

    @Override
    void index(Graph graph) {
      ((TinkerGraph) graph).createIndex(BenchGraph.CODE, Vertex.class);
    }

    @Override
    String settings() {
      return "in the heap, without transactions; property index";
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

  /** An empty graph. */
  abstract Graph open(GremlinTask task);

  /** Indexes the property by which vertices are looked up, and waits until it is complete. */
  abstract void index(Graph graph);

  /** The settings, for people. */
  abstract String settings();
}
