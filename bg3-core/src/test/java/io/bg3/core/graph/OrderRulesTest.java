package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bg3.Bg3;
import io.bg3.Settings;
import io.bg3.StoreOnDisk;
import io.bg3.core.record.EdgeId;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import io.bg3.storage.file.CrashingDisk;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A label that has edges becomes ordered beside writers. */
class OrderRulesTest {
  private static final String KNOWS = "knows";
  private static final EdgeLabelForm BY_TIME =
      EdgeLabelForm.plain().orderedBy(Orders.TIME, SortOrder.DESCENDING);

  private static Settings settings() {
    return Settings.defaults().with("bg3.memory.budget", "16m");
  }

  /** A store in which vertex 1 has edges of the times 1, 2 and 3. */
  private static Bg3 open() throws Exception {
    Bg3 store = Bg3.open(settings());
    fill(store.graph());
    return store;
  }

  private static void fill(GraphStore graph) {
    graph.retry(in -> in.addVertex(1, "v"));
    for (long time = 1; time <= 3; time++) {
      Orders.add(graph, 1, KNOWS, 1, time);
    }
  }

  /** The edge of a sequence, which has the next higher number as its time at first. */
  private static EdgeId edge(GraphStore graph, int sequence) {
    try (GraphTransaction in = graph.beginReadOnly();
        EdgeScan scan = in.edgesBetween(1, KNOWS, 1, false)) {
      while (scan.next()) {
        if (scan.edge().sequence() == sequence) {
          return scan.edge();
        }
      }
    }
    throw new AssertionError("no edge: sequence=" + sequence);
  }

  private static void require(GraphStore graph, Long... times) {
    assertEquals(List.of(times), Orders.times(graph, 1, graph.declaredEdgeLabel(KNOWS)));
    assertEquals(List.of(), new GraphCheck(graph, looked -> {}).run());
  }

  /** Adds one edge, moves another and removes a third. */
  private static void change(GraphStore graph) {
    Orders.add(graph, 1, KNOWS, 1, 9);
    Orders.setTime(graph, edge(graph, 0), 8);
    Orders.remove(graph, edge(graph, 1));
  }

  @RuleTest(
      rule = 49,
      sites =
          @Site(
              name = "edges were listed",
              in = "io.bg3.core.graph.OrderWorker",
              method = "add",
              before = "OrderWorker.commit"),
      twins = {
        @Twin(
            name = "commits add no entries to an order that is being built",
            in = "io.bg3.core.graph.OrderEntries",
            method = "write",
            without = "OrderEntries.put"),
        @Twin(
            name = "queries read an order to which nobody has added",
            in = "io.bg3.core.graph.OrderWorker",
            method = "build",
            without = "OrderWorker.add")
      })
  void commitsBesideTheBuilderKeepTheOrder() throws Exception {
    try (Bg3 store = open()) {
      Sites.at("edges were listed", () -> change(store.graph()));
      Orders.build(store.graph(), KNOWS);
      require(store.graph(), 9L, 8L, 3L);
    }
  }

  @RuleTest(
      rule = 49,
      twins =
          @Twin(
              name = "a commit leaves the entry where the edge was in the order",
              in = "io.bg3.core.graph.OrderEntries",
              method = "write",
              without = "OrderEntries.remove"))
  void anEdgeStandsInTheOrderOnce() throws Exception {
    try (Bg3 store = open()) {
      Orders.build(store.graph(), KNOWS);
      change(store.graph());
      try (GraphTransaction in = store.graph().begin()) {
        EdgeLabel label = store.graph().declaredEdgeLabel(KNOWS);
        EdgeId moving = edge(store.graph(), 2);
        in.setEdgeProperty(moving, Orders.TIME, 6L);
        assertEquals(List.of(9L, 8L, 6L), Orders.times(in, 1, label));
        in.setEdgeProperty(moving, Orders.TIME, 7L);
        assertEquals(List.of(9L, 8L, 7L), Orders.times(in, 1, label));
        in.commit();
      }
      require(store.graph(), 9L, 8L, 7L);
    }
  }

  @RuleTest(
      rule = 49,
      twins =
          @Twin(
              name = "a query does not find the changes of its own transaction in the order",
              in = "io.bg3.core.graph.OrderEntries",
              method = "flush"))
  void aTransactionReadsItsOwnChangesInTheOrder() throws Exception {
    try (Bg3 store = open()) {
      EdgeLabel label = Orders.build(store.graph(), KNOWS);
      try (GraphTransaction in = store.graph().begin()) {
        in.setEdgeProperty(edge(store.graph(), 0), Orders.TIME, 5L);
        assertEquals(List.of(5L, 3L, 2L), Orders.times(in, 1, label));
      }
    }
  }

  @RuleTest(
      rule = 49,
      twins =
          @Twin(
              name = "an open transaction does not add to the order what it had written before",
              in = "io.bg3.core.graph.GraphTransaction",
              method = "flush",
              without = "OrderEntries.require"))
  void aTransactionThatIsOpenAddsItsEdgesWhenItCommits() throws Exception {
    try (Bg3 store = open()) {
      try (GraphTransaction in = store.graph().begin()) {
        in.addEdge(1, KNOWS, 1, null, Map.of(Orders.TIME, 4L));
        Orders.build(store.graph(), KNOWS);
        in.commit();
      }
      require(store.graph(), 4L, 3L, 2L, 1L);
    }
  }

  /** The writer has asked which orders there are when there was none. */
  @RuleTest(
      rule = 49,
      sites =
          @Site(
              name = "edges were added to orders",
              in = "io.bg3.core.graph.GraphTransaction",
              method = "tryCommit",
              before = "Transaction.commit"),
      twins =
          @Twin(
              name = "a commit does not see that a label has become ordered since it looked",
              in = "io.bg3.core.transaction.Committer",
              method = "requireEntries",
              without = "SchemaMarks.hasOldOrders"))
  void aCommitAddsItsEdgesAgainWhenALabelHasBecomeOrdered() throws Exception {
    try (Bg3 store = open()) {
      Sites.Other builder =
          Sites.meanwhile("edges were added to orders", () -> Orders.build(store.graph(), KNOWS));
      try (GraphTransaction in = store.graph().begin()) {
        in.addEdge(1, KNOWS, 1, null, Map.of(Orders.TIME, 4L));
        in.commit();
      }
      Sites.requirePassed("edges were added to orders");
      builder.join();
      require(store.graph(), 4L, 3L, 2L, 1L);
    }
  }

  @RuleTest(
      rule = 49,
      twins =
          @Twin(
              name = "a snapshot from before reads an order that it does not see",
              in = "io.bg3.core.graph.AddedOrder",
              method = "isReady",
              result = 1))
  void aSnapshotFromBeforeSorts() throws Exception {
    try (Bg3 store = open();
        GraphTransaction before = store.graph().beginReadOnly()) {
      EdgeLabel label = Orders.build(store.graph(), KNOWS);
      assertThrows(IllegalArgumentException.class, () -> Orders.times(before, 1, label));
      assertEquals(
          List.of(1L, 2L, 3L),
          Orders.times(before, before.edges(1, EdgeDirection.OUT, true, KNOWS)));
      require(store.graph(), 3L, 2L, 1L);
    }
  }

  /** The work stops before the first entry, and the first commit after the opening adds an edge. */
  @RuleTest(
      rule = 49,
      sites =
          @Site(
              name = "edges were listed",
              in = "io.bg3.core.graph.OrderWorker",
              method = "add",
              before = "OrderWorker.commit"),
      twins =
          @Twin(
              name = "queries read an order that is being built",
              in = "io.bg3.core.graph.AddedOrder",
              method = "isReady",
              result = 1))
  void anOpeningGoesOnWithTheOrder() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    try (StoreOnDisk store = StoreOnDisk.open(settings(), disk)) {
      GraphStore graph = store.graph();
      fill(graph);
      Sites.at(
          "edges were listed",
          () -> {
            throw new IllegalStateException("stopped by the test");
          });
      EdgeLabel label = graph.declareEdgeLabel(KNOWS, BY_TIME);
      while (graph.order(label).problem() == null) {
        Thread.sleep(1);
      }
      assertEquals(OrderState.BUILDING, graph.order(label).state());
      assertThrows(IllegalArgumentException.class, () -> Orders.times(graph, 1, label));
    }
    CompletableFuture<GraphStore> opened = new CompletableFuture<>();
    Sites.at("edges were listed", () -> change(opened.join()));
    try (StoreOnDisk store = StoreOnDisk.open(settings(), disk)) {
      opened.complete(store.graph());
      Orders.await(store.graph(), KNOWS);
      require(store.graph(), 9L, 8L, 3L);
    }
  }

  /** The edge without a sort key comes when the edges before it have been looked at. */
  @RuleTest(
      rule = 50,
      sites =
          @Site(
              name = "all edges had their sort keys",
              in = "io.bg3.core.graph.OrderWorker",
              method = "verify",
              before = "EdgeOrdering.build"),
      twins =
          @Twin(
              name = "a commit takes an edge without a sort key while others are looked at",
              in = "io.bg3.core.graph.OrderEntries",
              method = "require"))
  void noEdgeWithoutASortKeyComesBehindTheVerification() throws Exception {
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      Sites.at(
          "all edges had their sort keys",
          () ->
              assertThrows(
                  SchemaViolationException.class,
                  () -> graph.retry(in -> in.addEdge(1, KNOWS, 1, null, Map.of()))));
      Orders.build(graph, KNOWS);
      require(graph, 3L, 2L, 1L);
    }
  }

  @RuleTest(
      rule = 50,
      twins =
          @Twin(
              name = "a label stays ordered although an edge has no sort key",
              in = "io.bg3.core.graph.EdgeOrdering",
              method = "fail",
              without = "EdgeOrdering.change"))
  void anEdgeFromBeforeWithoutASortKeyEndsTheDeclaration() throws Exception {
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      EdgeId lacks = graph.retry(in -> in.addEdge(1, KNOWS, 1, null, Map.of()));
      graph.declareEdgeLabel(KNOWS, BY_TIME);
      assertEquals(OrderState.FAILED, Orders.settled(graph, KNOWS).state());
      assertEquals(EdgeLabelForm.plain(), graph.declaredEdgeLabel(KNOWS).form());
      graph.retry(in -> in.addEdge(1, KNOWS, 1, null, Map.of()));
      assertEquals(List.of(), new GraphCheck(graph, looked -> {}).run());
      assertEquals(5, Counters.count(graph, 1, KNOWS));
      Orders.remove(graph, lacks);
    }
  }
}
