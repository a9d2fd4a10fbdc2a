package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.core.record.PropertyBytes;
import io.bg3.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Several threads at the same few lists, by updates, by transactions and in batches. */
class LinksTogetherTest {
  private static final int THREADS = 4;
  private static final int OPERATIONS = 400;
  private static final int SOURCES = 3;
  private static final int TARGETS = 20;

  @Test
  void countersAndOrdersAgreeInTheEnd() throws Exception {
    long seed = Seeds.one();
    Settings settings =
        Settings.defaults().with(Setting.DURABILITY, "none").with(Setting.PAGE_CAPACITY, "1k");
    try (Bg3 store = Bg3.open(settings)) {
      EdgeLabelForm form = EdgeLabelForm.plain().asLoose().asCounted();
      EdgeLabel link =
          store.graph().declareEdgeLabel("link", form.orderedBy("time", SortOrder.DESCENDING));
      run(store, link, seed);
      assertEquals(List.of(), store.check(looked -> {}), "seed=" + seed);
      compareCounts(store, link, seed);
    }
  }

  private static void run(Bg3 store, EdgeLabel link, long seed)
      throws InterruptedException, ExecutionException {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        Random random = new Random(seed + i);
        running.add(
            threads.submit(
                () -> {
                  for (int k = 0; k < OPERATIONS; k++) {
                    operation(store.graph(), link, random);
                  }
                }));
      }
      for (Future<?> each : running) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static void operation(GraphStore graph, EdgeLabel link, Random random) {
    long source = random.nextInt(SOURCES);
    long target = random.nextInt(TARGETS);
    long time = random.nextInt(30);
    boolean visible = random.nextInt(5) > 0;
    switch (random.nextInt(6)) {
      case 0 -> graph.update(source, work -> work.links().hide(link, source, target));
      case 1 -> graph.update(source, work -> work.links().expunge(link, source, target));
      case 2 ->
          graph.retry(
              work -> work.links().put(link, source, target, time, visible, new PropertyBytes()));
      case 3 -> {
        LinkBatch batch = new LinkBatch();
        for (int i = 0; i < 5; i++) {
          batch.add(
              link,
              random.nextInt(SOURCES),
              random.nextInt(TARGETS),
              random.nextInt(30),
              true,
              new PropertyBytes());
        }
        graph.putLinks(batch);
      }
      default ->
          graph.update(
              source,
              work -> work.links().put(link, source, target, time, visible, new PropertyBytes()));
    }
  }

  private static void compareCounts(Bg3 store, EdgeLabel link, long seed) {
    try (GraphTransaction graph = store.graph().beginReadOnly()) {
      Links links = graph.links();
      for (long source = 0; source < SOURCES; source++) {
        int found = 0;
        try (LinkScan scan =
            links.list(link, source, 0, 30, SortOrder.DESCENDING, 0, Integer.MAX_VALUE)) {
          while (scan.next()) {
            found++;
          }
        }
        assertEquals(found, links.count(link, source), "seed=" + seed + ", source=" + source);
      }
    }
  }
}
