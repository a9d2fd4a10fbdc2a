package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.PropertyBytes;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Adds, hides and removes edges of a plain, an ordered and a loose label, in transactions, under
 * locks and in batches, while the labels become counted at moments that are drawn and vertices move
 * to trees of their own. A map says how many edges each vertex has, now and at snapshots that stay
 * open. Repeat with {@code -Dbg3.seed=N}.
 */
class CounterModelTest {
  private static final int ROUNDS = 150;
  private static final int VERTICES = 12;
  private static final int SNAPSHOTS = 3;
  private static final String[] LABELS = {"plain", "ordered", "loose"};
  private static final EdgeLabelForm BY_TIME =
      EdgeLabelForm.plain().orderedBy("time", SortOrder.DESCENDING);

  @TempDir Path directory;

  private Random random;
  private Bg3 store;

  /** The visible edges that are there, with the indexes of their labels. */
  private Map<EdgeId, Integer> model = new HashMap<>();

  private record Open(GraphTransaction graph, Map<EdgeId, Integer> model) {}

  static LongStream seeds() {
    return Seeds.of(3);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void countersAndAMapAgree(long seed) throws Exception {
    random = Seeds.random(seed);
    Settings settings =
        Settings.defaults()
            .with(Setting.DIRECTORY, directory.toString())
            .with(Setting.DURABILITY, "none")
            .with(Setting.MEMORY_BUDGET, "16m")
            .with(Setting.PAGE_CAPACITY, "512")
            .with("bg3.forest.split-out", random.nextBoolean() ? "8" : "1000000")
            .with(Setting.ISOLATION, random.nextBoolean() ? "strict" : "snapshot");
    int[] declaredAt = random.ints(LABELS.length, 0, ROUNDS).toArray();
    Deque<Open> open = new ArrayDeque<>();
    open(settings);
    try {
      for (int i = 0; i < ROUNDS; i++) {
        String at = Seeds.say(seed) + ", round=" + i;
        round(declaredAt, i, at);
        if (random.nextInt(6) == 0) {
          open.add(new Open(store.graph().beginReadOnly(), new HashMap<>(model)));
        }
        if (open.size() > SNAPSHOTS) {
          open.remove().graph.close();
        }
        open.forEach(each -> compare(each.graph, each.model, at + ", snapshot"));
        try (GraphTransaction now = store.graph().beginReadOnly()) {
          compare(now, model, at);
        }
        if (random.nextInt(40) == 0) {
          open.forEach(each -> each.graph.close());
          open.clear();
          store.close();
          open(settings);
        }
      }
      for (String label : LABELS) {
        Counters.await(store.graph(), label);
      }
      assertEquals(List.of(), store.check(looked -> {}), Seeds.say(seed));
      try (GraphTransaction now = store.graph().beginReadOnly()) {
        compare(now, model, Seeds.say(seed));
      }
    } finally {
      open.forEach(each -> each.graph.close());
      store.close();
    }
  }

  private void open(Settings settings) throws IOException {
    store = Bg3.open(settings);
    GraphStore graph = store.graph();
    if (graph.declaredEdgeLabel("ordered") == null) {
      graph.declareEdgeLabel("ordered", BY_TIME);
      graph.declareEdgeLabel("loose", BY_TIME.asLoose());
      graph.retry(
          in -> {
            for (long vertex : vertices()) {
              in.addVertex(vertex, "v");
            }
            return null;
          });
    }
  }

  private static long[] vertices() {
    return LongStream.rangeClosed(1, VERTICES).toArray();
  }

  /** Changes the graph in one of several ways; labels become counted before the commit. */
  private void round(int[] declaredAt, int round, String at) {
    Map<EdgeId, Integer> changed = new HashMap<>(model);
    switch (random.nextInt(4)) {
      case 0 ->
          store
              .graph()
              .update(
                  vertices(),
                  in -> {
                    change(in, changed, at);
                    return null;
                  });
      case 1 -> putLinks(changed);
      default -> {
        try (GraphTransaction in = store.graph().begin()) {
          change(in, changed, at);
          declare(declaredAt, round);
          change(in, changed, at);
          if (random.nextInt(6) == 0) {
            return;
          }
          in.commit();
        }
      }
    }
    declare(declaredAt, round); // unless it is already
    model = changed;
  }

  private void declare(int[] declaredAt, int round) {
    for (int label = 0; label < LABELS.length; label++) {
      if (declaredAt[label] == round) {
        EdgeLabel declared = store.graph().declaredEdgeLabel(LABELS[label]);
        EdgeLabelForm form = declared == null ? EdgeLabelForm.plain() : declared.form();
        store.graph().declareEdgeLabel(LABELS[label], form.asCounted());
      }
    }
  }

  private long vertex() {
    int drawn = random.nextInt(VERTICES);
    return drawn < VERTICES / 2 ? 1 : 1L + drawn; // half of all at one
  }

  private EdgeLabel label(int label) {
    return store.graph().declaredEdgeLabel(LABELS[label]);
  }

  private void change(GraphTransaction in, Map<EdgeId, Integer> changed, String at) {
    for (int steps = random.nextInt(6); steps > 0; steps--) {
      int label = random.nextInt(LABELS.length);
      long source = vertex();
      long target = vertex();
      int what = random.nextInt(10);
      if (what < 5 || (what < 8 && label == 0)) {
        Map<String, ?> properties = label == 0 ? Map.of() : Map.of("time", random.nextLong());
        changed.put(in.addEdge(source, LABELS[label], target, null, properties), label);
      } else if (what < 8) {
        boolean visible = random.nextBoolean();
        in.links()
            .put(label(label), source, target, random.nextInt(5), visible, new PropertyBytes());
        put(changed, label, source, target, visible);
      } else {
        remove(in, changed, source, what == 8 ? 1 : Integer.MAX_VALUE);
      }
    }
    compare(in, changed, at + ", open");
  }

  private void put(
      Map<EdgeId, Integer> changed, int label, long source, long target, boolean visible) {
    EdgeId edge = new EdgeId(source, label(label).code(), target, 0);
    if (visible) {
      changed.put(edge, label);
    } else {
      changed.remove(edge);
    }
  }

  /** Removes the first edges of a vertex. */
  private static void remove(
      GraphTransaction in, Map<EdgeId, Integer> changed, long source, int most) {
    List<EdgeId> edges = changed.keySet().stream().filter(e -> e.source() == source).toList();
    for (EdgeId edge : edges.subList(0, Math.min(most, edges.size()))) {
      in.removeEdge(edge);
      changed.remove(edge);
    }
  }

  private void putLinks(Map<EdgeId, Integer> changed) {
    LinkBatch batch = new LinkBatch();
    int label = 1 + random.nextInt(2);
    long source = vertex();
    for (long target = 1; target <= VERTICES; target += 1 + random.nextInt(3)) {
      boolean visible = random.nextInt(3) > 0;
      batch.add(label(label), source, target, random.nextInt(5), visible, new PropertyBytes());
      put(changed, label, source, target, visible);
    }
    store.graph().putLinks(batch);
  }

  private void compare(GraphTransaction in, Map<EdgeId, Integer> expected, String at) {
    for (int label = 0; label < LABELS.length; label++) {
      int of = label;
      for (long vertex : new long[] {1, vertex()}) {
        long edges =
            expected.entrySet().stream()
                .filter(each -> each.getValue() == of && each.getKey().source() == vertex)
                .count();
        String what = at + ", label=" + LABELS[label] + ", vertex=" + vertex;
        assertEquals(edges, Counters.count(in, vertex, LABELS[label]), what);
        EdgeLabel declared = label(label);
        if (declared != null && declared.form().counted()) {
          assertEquals(edges, in.links().count(declared, vertex), what);
        }
      }
    }
  }
}
