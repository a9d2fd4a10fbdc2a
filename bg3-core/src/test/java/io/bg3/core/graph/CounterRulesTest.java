package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bg3.Bg3;
import io.bg3.Settings;
import io.bg3.StoreOnDisk;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import io.bg3.storage.Waiting;
import io.bg3.storage.WouldWaitException;
import io.bg3.storage.file.CrashingDisk;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A label that has edges becomes counted beside writers. */
class CounterRulesTest {
  private static final String KNOWS = "knows";

  private static Settings settings() {
    return Settings.defaults().with("bg3.memory.budget", "16m");
  }

  /** A store in which vertex 1 has three edges. */
  private static Bg3 open() throws Exception {
    Bg3 store = Bg3.open(settings());
    fill(store.graph());
    return store;
  }

  private static void fill(GraphStore graph) {
    graph.retry(in -> in.addVertex(1, "v"));
    for (int i = 0; i < 3; i++) {
      add(graph);
    }
  }

  private static void add(GraphStore graph) {
    graph.retry(in -> in.addEdge(1, KNOWS, 1, null, Map.of()));
  }

  private static void requireFour(GraphStore graph) {
    assertEquals(4, Counters.count(graph, 1, KNOWS));
    assertEquals(List.of(), new GraphCheck(graph, looked -> {}).run());
  }

  @RuleTest(
      rule = 44,
      sites =
          @Site(
              name = "vertices were listed",
              in = "io.bg3.core.graph.CounterWorker",
              method = "count"),
      twins = {
        @Twin(
            name = "a commit takes a counter that is not there for 0",
            in = "io.bg3.core.transaction.CounterIncrements",
            method = "resolve",
            without = "PartialCounters.uncounted"),
        @Twin(
            name = "queries read counters that nobody has built",
            in = "io.bg3.core.graph.CounterWorker",
            method = "work",
            without = "CounterWorker.build",
            result = 1)
      })
  void theFirstCommitThatCountsAVertexCountsAllItsEdges() throws Exception {
    try (Bg3 store = open()) {
      Sites.at("vertices were listed", () -> add(store.graph()));
      Counters.build(store.graph(), KNOWS);
      requireFour(store.graph());
    }
  }

  /** To count the edges of a vertex takes as long as it has many. */
  @RuleTest(
      rule = 58,
      sites =
          @Site(
              name = "vertices were listed",
              in = "io.bg3.core.graph.CounterWorker",
              method = "count"),
      twins =
          @Twin(
              name = "a commit that may not wait counts the edges of a vertex",
              in = "io.bg3.core.transaction.PartialCounters",
              method = "uncounted",
              without = "Waiting.require"))
  void aCommitThatMayNotWaitLeavesACounterThatIsNotThereToOthers() throws Exception {
    try (Bg3 store = open()) {
      Sites.at(
          "vertices were listed",
          () -> {
            Waiting.forbid();
            try (GraphTransaction in = store.graph().begin()) {
              in.addEdge(1, KNOWS, 1, null, Map.of());
              assertThrows(WouldWaitException.class, in::commit);
              assertFalse(in.hasTimestamp());
            } finally {
              Waiting.allow();
            }
            add(store.graph());
          });
      Counters.build(store.graph(), KNOWS);
      requireFour(store.graph());
    }
  }

  @RuleTest(
      rule = 44,
      twins =
          @Twin(
              name = "an open transaction does not count what it had written before",
              in = "io.bg3.core.graph.EdgeCounts",
              method = "flush",
              without = "EdgeCounts.countAnew"))
  void aTransactionThatIsOpenCountsItsEdgesWhenItCommits() throws Exception {
    try (Bg3 store = open()) {
      try (GraphTransaction in = store.graph().begin()) {
        in.addEdge(1, KNOWS, 1, null, Map.of());
        Counters.build(store.graph(), KNOWS);
        in.commit();
      }
      requireFour(store.graph());
    }
  }

  /** The writer has asked what is counted when nothing was. */
  @RuleTest(
      rule = 44,
      sites =
          @Site(
              name = "edges were counted",
              in = "io.bg3.core.graph.GraphTransaction",
              method = "tryCommit",
              before = "Transaction.commit"),
      twins =
          @Twin(
              name = "a commit does not see that a label has become counted since it counted",
              in = "io.bg3.core.transaction.Committer",
              method = "requireEntries",
              without = "SchemaMarks.hasOldCounters"))
  void aCommitCountsAgainWhenALabelHasBecomeCounted() throws Exception {
    try (Bg3 store = open()) {
      Sites.Other builder =
          Sites.meanwhile("edges were counted", () -> Counters.build(store.graph(), KNOWS));
      try (GraphTransaction in = store.graph().begin()) {
        in.addEdge(1, KNOWS, 1, null, Map.of());
        in.commit();
      }
      Sites.requirePassed("edges were counted");
      builder.join();
      requireFour(store.graph());
    }
  }

  @RuleTest(
      rule = 44,
      twins =
          @Twin(
              name = "a snapshot from before reads counters that it does not see",
              in = "io.bg3.core.graph.EdgeLabel",
              method = "readySince"))
  void aSnapshotFromBeforeScans() throws Exception {
    try (Bg3 store = open();
        GraphTransaction before = store.graph().beginReadOnly()) {
      EdgeLabel label = Counters.build(store.graph(), KNOWS);
      add(store.graph());
      assertEquals(3, Counters.count(before, 1, KNOWS));
      assertEquals(3, before.links().count(label, 1));
      assertEquals(4, store.graph().reader().count(label, 1));
      requireFour(store.graph());
    }
  }

  /**
   * The work stops before the first counter, and the first commit after the opening adds an edge.
   */
  @RuleTest(
      rule = 44,
      sites =
          @Site(
              name = "vertices were listed",
              in = "io.bg3.core.graph.CounterWorker",
              method = "count"),
      twins = {
        @Twin(
            name = "an opening takes a label whose counters are being built for counted",
            in = "io.bg3.core.graph.EdgeLabelForm",
            method = "isBuilding"),
        @Twin(
            name = "commits after an opening take counters that are not there for 0",
            in = "io.bg3.core.graph.EdgeCounting",
            method = "load",
            without = "PartialCounters.begin")
      })
  void anOpeningGoesOnWithTheCounters() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    try (StoreOnDisk store = StoreOnDisk.open(settings(), disk)) {
      GraphStore graph = store.graph();
      fill(graph);
      Sites.at(
          "vertices were listed",
          () -> {
            throw new IllegalStateException("stopped by the test");
          });
      EdgeLabel label = graph.declareEdgeLabel(KNOWS, EdgeLabelForm.plain().asCounted());
      while (graph.counters(label).problem() == null) {
        Thread.sleep(1);
      }
      assertEquals(3, Counters.count(graph, 1, KNOWS));
    }
    CompletableFuture<GraphStore> opened = new CompletableFuture<>();
    Sites.at("vertices were listed", () -> add(opened.join()));
    try (StoreOnDisk store = StoreOnDisk.open(settings(), disk)) {
      opened.complete(store.graph());
      Counters.await(store.graph(), KNOWS);
      requireFour(store.graph());
    }
  }
}
