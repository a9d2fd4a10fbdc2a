package io.bg3.core.graph;

import static io.bg3.core.graph.SmallStores.addVertices;
import static io.bg3.core.graph.SmallStores.ofSmallPages;
import static io.bg3.core.graph.SmallStores.settings;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.StoreOnDisk;
import io.bg3.core.record.EdgeId;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.testing.Seeds;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Labels that have edges become counted: which can, beside whom, and through power cuts. */
class EdgeCountingTest {
  private static final EdgeLabelForm COUNTED = EdgeLabelForm.plain().asCounted();
  private static final int STEP = Integer.getInteger("bg3.counters.step", 7);

  @TempDir Path directory;

  private static EdgeId add(GraphStore graph, long source, String label) {
    return graph.retry(in -> in.addEdge(source, label, 1, null, Map.of()));
  }

  @Test
  void aLabelInUseBecomesCountedAndNothingElse() throws Exception {
    Settings onDisk = settings().with(Setting.DIRECTORY, directory.toString());
    try (Bg3 store = Bg3.open(onDisk)) {
      GraphStore graph = store.graph();
      addVertices(graph, 300);
      for (long vertex = 1; vertex <= 300; vertex++) {
        add(graph, vertex, "knows");
      }
      EdgeId second = add(graph, 300, "knows");
      for (EdgeLabelForm form :
          List.of(COUNTED.asLoose(), EdgeLabelForm.plain().withTtl(1_000), EdgeLabelForm.plain())) {
        IllegalArgumentException e =
            assertThrows(
                IllegalArgumentException.class, () -> graph.declareEdgeLabel("knows", form));
        assertTrue(
            e.getMessage().contains("it can only become counted or ordered"), e.getMessage());
      }
      assertNull(graph.declaredEdgeLabel("knows"));
      EdgeLabel label = Counters.build(graph, "knows");
      assertEquals(new CounterStatus(CounterState.READY, 300, null), graph.counters(label));
      assertEquals(label, graph.declareEdgeLabel("knows", COUNTED));
      assertEquals(2, graph.reader().count(label, 300));
      graph.retry(
          in -> {
            in.removeEdge(second);
            return null;
          });
      assertEquals(1, graph.reader().count(label, 300));
      assertEquals(List.of(), store.check(looked -> {}));
    }
    try (Bg3 store = Bg3.open(onDisk)) {
      EdgeLabel label = store.graph().declaredEdgeLabel("knows");
      assertEquals(COUNTED, label.form());
      assertEquals(CounterState.READY, store.graph().counters(label).state());
      assertEquals(1, store.graph().reader().count(label, 300));
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  @Test
  void aDeclaredLabelBecomesCountedUnlessItsEdgesExpire() throws Exception {
    try (Bg3 store = Bg3.open(settings())) {
      GraphStore graph = store.graph();
      EdgeLabelForm likes = EdgeLabelForm.plain().asLoose().orderedBy("time", SortOrder.DESCENDING);
      EdgeLabel label = graph.declareEdgeLabel("likes", likes);
      assertNull(graph.counters(label));
      assertThrows(IllegalArgumentException.class, () -> graph.reader().count(label, 1));
      graph.retry(
          in -> {
            in.addEdge(7, "likes", 8, null, Map.of("time", 1L));
            in.addEdge(7, "likes", 9, null, Map.of("time", 2L));
            in.links().hide(label, 7, 9);
            return null;
          });
      Counters.build(graph, "likes");
      assertEquals(1, graph.reader().count(label, 7)); // the object from before
      assertEquals(likes.asCounted(), label.form());
      graph.declareEdgeLabel("seen", EdgeLabelForm.plain().withTtl(1_000));
      assertTrue(
          assertThrows(
                  IllegalArgumentException.class, () -> graph.declareEdgeLabel("seen", COUNTED))
              .getMessage()
              .startsWith("the edge label has another declaration, which cannot change"));
      assertThrows(
          IllegalArgumentException.class, () -> graph.declaredEdgeLabel("seen").form().asCounted());
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  @Test
  void aVertexWithManyEdgesIsCountedOnceBetweenOthers() throws Exception {
    try (Bg3 store = Bg3.open(settings())) {
      GraphStore graph = store.graph();
      addVertices(graph, 3);
      for (String label : List.of("a", "knows", "z")) {
        graph.retry(
            in -> {
              for (int i = 0; i < 700; i++) {
                in.addEdge(2, label, 1, null, Map.of());
              }
              return in.addEdge(1, label, 1, null, Map.of());
            });
        add(graph, 3, label);
      }
      for (String label : List.of("knows", "z", "a")) {
        EdgeLabel counted = Counters.build(graph, label);
        assertEquals(new CounterStatus(CounterState.READY, 3, null), graph.counters(counted));
        assertEquals(700, graph.reader().count(counted, 2));
      }
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  @Test
  void aLabelIsNotDeclaredWhileALoadFillsTheStore() throws Exception {
    Settings onDisk = settings().with(Setting.DIRECTORY, directory.toString());
    try (Bg3 store = Bg3.open(onDisk)) {
      GraphStore graph = store.graph();
      try (GraphLoad load = store.load()) {
        addVertices(graph, 1);
        load.add(1, "knows", 1, Map.of());
        assertTrue(
            assertThrows(
                    IllegalStateException.class, () -> graph.declareEdgeLabel("knows", COUNTED))
                .getMessage()
                .startsWith("a load is filling the store"));
        load.finish(entries -> {});
      }
      Counters.build(graph, "knows");
      assertEquals(1, Counters.count(graph, 1, "knows"));
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  /** Two threads add and remove edges of few vertices, in transactions and under locks. */
  @ParameterizedTest
  @ValueSource(strings = {"strict", "snapshot"})
  void countersAreRightBesideWriters(String isolation) throws Exception {
    try (Bg3 store = Bg3.open(settings().with(Setting.ISOLATION, isolation))) {
      GraphStore graph = store.graph();
      addVertices(graph, 50);
      try (Writers writers = Writers.start(2, (random, own) -> write(graph, random, own))) {
        for (String label : List.of("a", "b", "c")) {
          while (Counters.count(graph, 1, label) == 0) {
            Thread.sleep(1);
          }
          Counters.build(graph, label);
          assertEquals(List.of(), store.check(looked -> {}));
        }
        writers.end();
      }
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  private static void write(GraphStore graph, Random random, List<EdgeId> own) {
    String label = List.of("a", "b", "c").get(random.nextInt(3));
    long source = random.nextInt(3) == 0 ? 1 : 1 + random.nextInt(50);
    if (own.size() > 100 || (!own.isEmpty() && random.nextInt(3) == 0)) {
      EdgeId gone = own.remove(random.nextInt(own.size()));
      graph.retry(
          in -> {
            in.removeEdge(gone);
            return null;
          });
    } else if (random.nextBoolean()) {
      own.add(add(graph, source, label));
    } else {
      own.add(
          graph.update(new long[] {source, 1}, in -> in.addEdge(source, label, 1, null, Map.of())));
    }
  }

  /**
   * Cuts the power at every few writes ({@code -Dbg3.counters.step=1}: at each) while a label
   * becomes counted: then it is not yet, or goes on to be.
   */
  @Test
  void aPowerCutLeavesNoCountersHalfBuilt() throws Exception {
    long seed = Seeds.one();
    Random random = Seeds.random(seed);
    boolean cut = true;
    for (int writes = 1; cut; writes += 1 + random.nextInt(STEP)) {
      CrashingDisk disk = new CrashingDisk();
      disk.cutAtWrite(writes);
      int added = 0;
      boolean declared = false;
      try (StoreOnDisk store = StoreOnDisk.open(ofSmallPages(), disk)) {
        GraphStore graph = store.graph();
        addVertices(graph, 100);
        for (long vertex = 1; vertex <= 100; vertex += 10) {
          add(graph, vertex, "knows");
        }
        add(graph, 1, "knows");
        added = 2;
        store.checkpoint();
        graph.declareEdgeLabel("knows", COUNTED);
        declared = true;
        add(graph, 1, "knows");
        added = 3;
        Counters.await(graph, "knows");
        store.checkpoint();
        add(graph, 1, "knows");
        added = 4;
      } catch (Exception | Error e) {
        assertTrue(disk.isCut(), () -> Seeds.say(seed) + ": " + e);
      }
      cut = disk.isCut();
      String at = Seeds.say(seed) + ", writes=" + writes;
      try (StoreOnDisk store = StoreOnDisk.open(ofSmallPages(), disk.crash(random))) {
        GraphStore graph = store.graph();
        EdgeLabel label = graph.declaredEdgeLabel("knows");
        assertTrue(label != null || !declared, at);
        if (label != null) {
          Counters.await(graph, "knows");
          assertTrue(graph.reader().count(label, 1) >= added, at);
        }
        assertEquals(List.of(), store.checkGraph(), at);
      }
    }
  }
}
