package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.core.record.EdgeId;
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

/**
 * A graph beside a map of its edges, in rounds that change both. Each of the labels gets a new form
 * in a round that is drawn. The map and its copies say what the graph shows, now and at snapshots
 * that stay open, also after it was closed and opened.
 *
 * @param <K> what is known of an edge
 */
abstract class LabelModel<K> {
  private static final int SNAPSHOTS = 3;

  private final String[] labels;
  private final int vertices;

  /** The round in which each label gets its form. */
  int[] declaredAt;

  Random random;
  Bg3 store;
  Map<EdgeId, K> model = new HashMap<>();

  private record Open<K>(GraphTransaction graph, Map<EdgeId, K> model) {}

  /**
   * @param labels the names of the labels
   * @param vertices how many there are, with the ids from 1
   */
  LabelModel(String[] labels, int vertices) {
    this.labels = labels.clone();
    this.vertices = vertices;
  }

  /** Declares what the labels are from the beginning. */
  abstract void declare(GraphStore graph);

  /** Changes the graph and the model. */
  abstract void round(int round, String at);

  /** Compares what a transaction shows with what it should. */
  abstract void compare(GraphTransaction in, Map<EdgeId, K> expected, String at);

  /** Waits until a label has its form. */
  abstract void await(String label) throws Exception;

  /**
   * Runs the rounds.
   *
   * @param kept rounds from one opening to the next, on average
   */
  final void run(Path directory, long seed, int rounds, int kept) throws Exception {
    random = Seeds.random(seed);
    Settings settings =
        Settings.defaults()
            .with(Setting.DIRECTORY, directory.toString())
            .with(Setting.DURABILITY, "none")
            .with(Setting.MEMORY_BUDGET, "16m")
            .with(Setting.PAGE_CAPACITY, "512")
            .with("bg3.forest.split-out", random.nextBoolean() ? "8" : "1000000")
            .with("bg3.forest.counted-leaves", "2")
            .with(Setting.ISOLATION, random.nextBoolean() ? "strict" : "snapshot");
    declaredAt = random.ints(labels.length, 0, rounds).toArray();
    Deque<Open<K>> open = new ArrayDeque<>();
    open(settings);
    try {
      for (int i = 0; i < rounds; i++) {
        String at = Seeds.say(seed) + ", round=" + i;
        round(i, at);
        if (random.nextInt(6) == 0) {
          open.add(new Open<>(store.graph().beginReadOnly(), new HashMap<>(model)));
        }
        if (open.size() > SNAPSHOTS) {
          open.remove().graph.close();
        }
        open.forEach(each -> compare(each.graph, each.model, at + ", snapshot"));
        compareNow(at);
        if (random.nextInt(kept) == 0) {
          open.forEach(each -> each.graph.close());
          open.clear();
          store.close();
          open(settings);
        }
      }
      for (String label : labels) {
        await(label);
      }
      assertEquals(List.of(), store.check(looked -> {}), Seeds.say(seed));
      compareNow(Seeds.say(seed));
    } finally {
      open.forEach(each -> each.graph.close());
      store.close();
    }
  }

  private void compareNow(String at) {
    try (GraphTransaction now = store.graph().beginReadOnly()) {
      compare(now, model, at);
    }
  }

  private void open(Settings settings) throws IOException {
    store = Bg3.open(settings);
    if (store.graph().declaredEdgeLabels().isEmpty()) {
      declare(store.graph());
      store
          .graph()
          .retry(
              in -> {
                for (long vertex : vertices()) {
                  in.addVertex(vertex, "v");
                }
                return null;
              });
    }
  }

  final long[] vertices() {
    return LongStream.rangeClosed(1, vertices).toArray();
  }

  /** One of the vertices, in half of the cases the first. */
  final long vertex() {
    int drawn = random.nextInt(vertices);
    return drawn < vertices / 2 ? 1 : 1L + drawn;
  }

  /** A label by its index; null if nothing was declared of it. */
  final EdgeLabel label(int label) {
    return store.graph().declaredEdgeLabel(labels[label]);
  }
}
