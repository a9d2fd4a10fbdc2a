package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.PropertyBytes;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Counts of the edges of one vertex while it moves to a tree of its own and its degrees are kept,
 * compared with what a scan shows: parallel edges, loops, edges that are loose or hidden, edges
 * that come, go and change, before and behind commits, after rollbacks and after reopening.
 */
class DegreesTest {
  private static final int OTHERS = 20;
  private static final int WANTED = 200;
  private static final int MOST = 20_000;
  private static final String[][] LABELS = {
    {}, {"knows"}, {"likes"}, {"ordered"}, {"loose"}, {"knows", "ordered", "loose"}
  };

  @TempDir Path directory;

  private final List<EdgeId> edges = new ArrayList<>();
  private EdgeLabel ordered;
  private EdgeLabel loose;
  private long hub;

  private Bg3 open() throws IOException {
    return Bg3.open(
        Settings.defaults()
            .with(Setting.DIRECTORY, directory.toString())
            .with(Setting.DURABILITY, "none")
            .with(Setting.PAGE_CAPACITY, "512")
            .with(Setting.COUNTED_LEAVES, "2")
            .with(Setting.SPLIT_OUT, "8"));
  }

  @Test
  void countsAreWhatAScanShows() throws IOException {
    long seed = Seeds.one();
    String message = "-Dbg3.seed=" + seed;
    Random random = new Random(seed);
    try (Bg3 store = open()) {
      EdgeLabelForm byTime = EdgeLabelForm.plain().orderedBy("time", SortOrder.DESCENDING);
      ordered = store.graph().declareEdgeLabel("ordered", byTime);
      loose = store.graph().declareEdgeLabel("loose", byTime.asLoose());
      try (GraphTransaction graph = store.graph().begin()) {
        hub = graph.addVertex(null, "v");
        for (int i = 1; i < OTHERS; i++) {
          assertEquals(hub + i, graph.addVertex(null, "v"));
        }
        graph.addEdge(hub, "knows", hub, null, Map.of());
        graph.commit();
      }
      int kept = 0;
      for (int round = 0; kept < WANTED; round++) {
        assertTrue(round < MOST, "no degree is kept: " + message);
        try (GraphTransaction graph = store.graph().begin()) {
          List<EdgeId> before = List.copyOf(edges);
          for (int i = random.nextInt(6); i >= 0; i--) {
            change(graph, random);
          }
          if (random.nextInt(10) == 0) {
            compare(graph, message);
          }
          if (random.nextInt(8) == 0) {
            edges.clear();
            edges.addAll(before);
          } else {
            graph.commit();
          }
        }
        try (GraphTransaction graph = store.graph().beginReadOnly()) {
          int knows = EdgeTags.out(1 + store.graph().edgeLabels().indexOf("knows"));
          boolean isKept = graph.transaction().degree(hub, knows, knows) >= 0;
          kept += isKept ? 1 : 0;
          if (isKept || round % 50 == 0) {
            compare(graph, message);
          }
        }
      }
      assertEquals(List.of(), Damage.problems(store), message);
    }
    try (Bg3 store = open()) {
      try (GraphTransaction graph = store.graph().begin()) {
        compare(graph, message);
        graph.removeVertex(hub);
        graph.commit();
      }
      assertEquals(List.of(), Damage.problems(store), message);
    }
  }

  private void change(GraphTransaction graph, Random random) {
    long other = hub + 1 + random.nextInt(OTHERS - 1);
    String label = random.nextBoolean() ? "knows" : "likes";
    EdgeId any = edges.isEmpty() ? null : edges.get(random.nextInt(edges.size()));
    switch (random.nextInt(8)) {
      case 0 -> edges.add(graph.addEdge(hub, label, other, null, Map.of("n", 1)));
      case 1 -> edges.add(graph.addEdge(other, label, hub, null, Map.of()));
      case 2 -> edges.add(graph.addEdge(hub, label, hub, null, Map.of()));
      case 3 ->
          graph
              .links()
              .put(ordered, hub, other, random.nextInt(9), random.nextBoolean(), properties());
      case 4 ->
          graph
              .links()
              .put(loose, hub, 1_000 + random.nextInt(9), 3, random.nextBoolean(), properties());
      case 5 -> graph.links().put(ordered, other, hub, 4, random.nextBoolean(), properties());
      case 6 -> {
        if (any != null) {
          graph.setEdgeProperty(any, "n", random.nextInt());
        }
      }
      default -> {
        if (any != null && edges.size() > OTHERS) {
          graph.removeEdge(any);
          edges.remove(any);
        }
      }
    }
  }

  private static PropertyBytes properties() {
    return new PropertyBytes();
  }

  private void compare(GraphTransaction graph, String message) {
    for (EdgeDirection direction : EdgeDirection.values()) {
      for (String[] labels : LABELS) {
        for (boolean ends : new boolean[] {false, true}) {
          long scanned = 0;
          try (EdgeScan scan = graph.edges(hub, direction, false, labels)) {
            while (scan.next()) {
              scanned += !ends || !scan.isLoose() || graph.vertexExists(scan.other()) ? 1 : 0;
            }
          }
          long counted = graph.countEdges(hub, direction, ends, () -> {}, labels);
          assertEquals(
              scanned, counted, message + ", " + direction + " " + List.of(labels) + " " + ends);
        }
      }
    }
  }
}
