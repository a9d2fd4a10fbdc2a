package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.PropertyBytes;
import io.bg3.core.record.PropertyId;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a transaction adds and removes again changes nothing: drawn transactions are done on two
 * stores, and on one of them between all kinds of elements that come and go in the transaction:
 * vertices with ids of each kind and large values, edges with ids, in orders, counted, hidden and
 * loose, with values in indexes that are looked into meanwhile. Both stores have the same content
 * afterwards, no check finds a fault, also behind a reopening, and vertices have trees of their
 * own.
 */
class NeedlessRemovalModelTest {
  private static final int TRANSACTIONS = 60;
  private static final int STEPS = 12;
  private static final int VERTICES = 8;
  private static final long PASSING = 100_000; // the first id of a vertex that goes again
  private static final List<String> LABELS = List.of("plain", "counted", "ordered");

  @TempDir Path directory;

  private final long seed = Seeds.one();

  private Bg3 open(String name, String isolation) throws IOException {
    Bg3 store =
        Bg3.open(
            Settings.defaults()
                .with(Setting.DIRECTORY, directory.resolve(name).toString())
                .with(Setting.DURABILITY, "none")
                .with(Setting.PAGE_CAPACITY, "1k")
                .with(Setting.SPLIT_OUT, "20")
                .with(Setting.VALUE_THRESHOLD, "2k")
                .with(Setting.ISOLATION, isolation));
    GraphStore graph = store.graph();
    EdgeLabelForm inOrder = EdgeLabelForm.plain().orderedBy("at", SortOrder.DESCENDING);
    graph.declareEdgeLabel("counted", EdgeLabelForm.plain().asCounted());
    graph.declareEdgeLabel("ordered", inOrder.asCounted());
    graph.declareEdgeLabel("loose", inOrder.asLoose());
    return store;
  }

  /** Adds the vertices, and the indexes that are looked into. */
  private static void fill(GraphStore graph) throws InterruptedException {
    graph.retry(
        in -> {
          for (long vertex = 1; vertex <= VERTICES; vertex++) {
            in.addVertex(vertex, "v");
          }
          return null;
        });
    graph.createIndex(IndexedKeys.ofVertices("v", "n"), true);
    graph.createIndex(IndexedKeys.ofEdges("plain", "at"), false);
    Indexes.await(graph);
  }

  /** What a transaction has added and will remove. */
  private static final class Passing {
    private final GraphTransaction graph;
    private final GraphStore store;
    private final Random random;
    private final List<Runnable> removals = new ArrayList<>();
    private long next = PASSING;

    Passing(GraphTransaction graph, GraphStore store, Random random) {
      this.graph = graph;
      this.store = store;
      this.random = random;
    }

    void step() {
      if (!removals.isEmpty() && random.nextBoolean()) {
        removals.remove(random.nextInt(removals.size())).run();
        return;
      }
      switch (random.nextInt(6)) {
        case 0, 1 -> addVertex();
        case 2 -> putLink("ordered");
        case 3 -> putLink("loose");
        case 4 -> graph.lookUp("n", List.of(PASSING + random.nextInt(5)), "v").close();
        default -> addEdge(1L + random.nextInt(VERTICES));
      }
    }

    private void addVertex() {
      Object id =
          switch (random.nextInt(4)) {
            case 0 -> null;
            case 1 -> "passing" + random.nextInt(3);
            case 2 -> new UUID(random.nextInt(3), 1);
            default -> next++;
          };
      if (id != null && graph.findVertex(id) != null) {
        return;
      }
      long vertex = graph.addVertex(id, "v");
      String text = "x".repeat(random.nextInt(5_000));
      int number = graph.setProperty(vertex, Cardinality.LIST, "text", text, null);
      if (random.nextBoolean()) {
        graph.setProperty(vertex, Cardinality.SINGLE, "text", text + "y", null);
      } else {
        graph.setMeta(new PropertyId(vertex, number), "meta", text);
      }
      graph.setProperty(vertex, Cardinality.SINGLE, "n", next++, null);
      addEdge(vertex);
      removals.add(() -> graph.removeVertexIfPresent(vertex, null, () -> {}));
    }

    private void addEdge(long source) {
      long target = 1L + random.nextInt(VERTICES);
      Object userId = random.nextBoolean() ? "passing" + next++ : null;
      String label = LABELS.get(random.nextInt(3));
      boolean isOut = random.nextBoolean();
      EdgeId edge =
          graph.addEdge(
              isOut ? source : target,
              label,
              isOut ? target : source,
              userId,
              Map.of("at", (long) random.nextInt(5)));
      if (random.nextInt(3) == 0) {
        graph.setEdgeProperty(edge, "at", (long) random.nextInt(5));
      }
      boolean isSeen = random.nextBoolean();
      removals.add(
          () -> {
            if (isSeen) {
              graph.removeSeenEdge(edge, userId);
            } else {
              graph.removeEdgeIfPresent(edge);
            }
          });
    }

    /** Puts, hides and shows a link that neither the store nor this has. */
    private void putLink(String name) {
      EdgeLabel label = store.declaredEdgeLabel(name);
      long source = 1L + random.nextInt(VERTICES);
      long target = 1L + random.nextInt(VERTICES);
      if (graph.links().get(label, source, target) != null) {
        return;
      }
      for (int i = random.nextInt(3); i >= 0; i--) {
        boolean visible = random.nextBoolean();
        long at = random.nextInt(5);
        graph.links().put(label, source, target, at, visible, new PropertyBytes());
      }
      if (random.nextBoolean()) {
        graph.links().hide(label, source, target);
      }
      removals.add(() -> graph.links().expunge(label, source, target));
    }

    /** Removes all that is left. */
    void end() {
      while (!removals.isEmpty()) {
        removals.remove(random.nextInt(removals.size())).run();
      }
    }
  }

  /** A change that stays. */
  private static void change(GraphTransaction graph, Random random) {
    long vertex = 1L + random.nextInt(VERTICES);
    long other = 1L + random.nextInt(VERTICES);
    if (!graph.vertexExists(vertex)) {
      graph.addVertex(vertex, "v");
    } else if (random.nextInt(20) == 0) {
      graph.removeVertex(vertex);
      graph.addVertex(vertex, "v");
    }
    if (!graph.vertexExists(other)) {
      graph.addVertex(other, "v");
    }
    String label = LABELS.get(random.nextInt(2));
    long at = random.nextInt(5);
    if (random.nextInt(3) > 0) {
      graph.addEdge(vertex, label, other, null, Map.of("at", at));
    } else {
      graph.removeEdges(vertex, EdgeDirection.OUT, () -> {}, label);
    }
    graph.setProperty(vertex, Cardinality.SINGLE, "n", vertex, null);
  }

  /** The vertices that stay, their edges without the numbers of parallel ones, and the totals. */
  private static Set<String> content(Bg3 store) {
    Set<String> content = new TreeSet<>();
    try (GraphTransaction graph = store.graph().beginReadOnly()) {
      try (VertexScan scan = graph.vertices()) {
        while (scan.next(() -> {})) {
          content.add("vertex " + scan.vertex() + " " + scan.record().properties().size());
          content.add("edges " + edges(graph, scan.vertex()));
          for (EdgeDirection direction : EdgeDirection.values()) {
            long count = graph.countEdges(scan.vertex(), direction, false, () -> {});
            content.add("count " + scan.vertex() + " " + direction + " " + count);
            for (String label : LABELS) {
              count = graph.countEdges(scan.vertex(), direction, false, () -> {}, label);
              content.add("count " + scan.vertex() + " " + direction + " " + label + " " + count);
            }
          }
        }
      }
      content.add("totals " + graph.vertexCounts() + " " + graph.edgeCounts());
      content.add("totals " + graph.vertexCount() + " " + graph.edgeCount());
    }
    return content;
  }

  private static List<String> edges(GraphTransaction graph, long vertex) {
    List<String> edges = new ArrayList<>();
    try (EdgeScan scan = graph.edges(vertex, EdgeDirection.BOTH, true)) {
      while (scan.next()) {
        String at = scan.isOut() ? String.valueOf(scan.record().properties().size()) : "";
        edges.add(vertex + " " + scan.isOut() + scan.label() + " " + scan.other() + " " + at);
      }
    }
    edges.sort(null);
    return edges;
  }

  private void run(Bg3 plain, Bg3 passing, int transaction) {
    Random forBoth = new Random(seed + transaction);
    int steps = forBoth.nextInt(STEPS);
    List<Long> draws = forBoth.longs(steps).boxed().toList();
    try (GraphTransaction graph = plain.graph().begin()) {
      draws.forEach(draw -> change(graph, new Random(draw)));
      graph.commit();
    }
    Random random = new Random(~seed + transaction);
    try (GraphTransaction graph = passing.graph().begin()) {
      Passing comesAndGoes = new Passing(graph, passing.graph(), random);
      for (long draw : draws) {
        for (int i = random.nextInt(4); i > 0; i--) {
          comesAndGoes.step();
        }
        change(graph, new Random(draw));
      }
      comesAndGoes.end();
      graph.commit();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"strict", "snapshot"})
  void whatComesAndGoesInATransactionChangesNothing(String isolation) throws Exception {
    Bg3 plain = open("plain", isolation);
    Bg3 passing = open("passing", isolation);
    try {
      fill(plain.graph());
      fill(passing.graph());
      for (int i = 0; i < TRANSACTIONS; i++) {
        int transaction = i;
        run(plain, passing, i);
        assertEquals(
            content(plain),
            content(passing),
            () -> "seed=" + seed + ", transaction=" + transaction);
        if (i % 20 == 19) {
          passing.close();
          passing = open("passing", isolation);
        }
      }
      assertEquals(List.of(), passing.check(looked -> {}), () -> "seed=" + seed);
    } finally {
      plain.close();
      passing.close();
    }
  }
}
