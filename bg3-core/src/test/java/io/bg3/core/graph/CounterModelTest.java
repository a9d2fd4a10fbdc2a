package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.core.record.EdgeId;
import io.bg3.core.record.PropertyBytes;
import io.bg3.testing.Seeds;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
class CounterModelTest extends LabelModel<Integer> {
  private static final int ROUNDS = 150;
  private static final int VERTICES = 12;
  private static final String[] LABELS = {"plain", "ordered", "loose"};
  private static final EdgeLabelForm BY_TIME =
      EdgeLabelForm.plain().orderedBy("time", SortOrder.DESCENDING);

  @TempDir Path directory;

  CounterModelTest() {
    super(LABELS, VERTICES);
  }

  static LongStream seeds() {
    return Seeds.of(3);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void countersAndAMapAgree(long seed) throws Exception {
    run(directory, seed, ROUNDS, 40);
  }

  @Override
  void declare(GraphStore graph) {
    graph.declareEdgeLabel("ordered", BY_TIME);
    graph.declareEdgeLabel("loose", BY_TIME.asLoose());
  }

  @Override
  void await(String label) throws Exception {
    Counters.await(store.graph(), label);
  }

  /** Changes the graph in one of several ways; labels become counted before the commit. */
  @Override
  void round(int round, String at) {
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
          declareThoseOf(round);
          change(in, changed, at);
          if (random.nextInt(6) == 0) {
            return;
          }
          in.commit();
        }
      }
    }
    declareThoseOf(round); // unless it is already
    model = changed;
  }

  private void declareThoseOf(int round) {
    for (int label = 0; label < LABELS.length; label++) {
      if (declaredAt[label] == round) {
        EdgeLabel declared = store.graph().declaredEdgeLabel(LABELS[label]);
        EdgeLabelForm form = declared == null ? EdgeLabelForm.plain() : declared.form();
        store.graph().declareEdgeLabel(LABELS[label], form.asCounted());
      }
    }
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

  @Override
  void compare(GraphTransaction in, Map<EdgeId, Integer> expected, String at) {
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
