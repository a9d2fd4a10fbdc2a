package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.StoreOnDisk;
import io.bg3.core.sort.EntrySorter;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Twin;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.file.PowerCut;
import io.bg3.storage.file.Sites;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;

/** A store with a part of a graph does not open. */
class LoadRulesTest {
  private static final int VERTICES = 50;
  private static final int EDGES_OF_ONE = 60;

  /** Ends the process that loads. */
  private static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static Settings settings() {
    return Settings.defaults().with(Setting.MEMORY_BUDGET, "16m").with(Setting.DURABILITY, "none");
  }

  /**
   * Loads a graph, and has the process killed after the first commit of edges if that is wanted.
   */
  private static CrashingDisk load(CrashingDisk disk, boolean kills) throws IOException {
    CrashingDisk[] after = {disk};
    StoreOnDisk store = StoreOnDisk.open(settings(), disk);
    try (GraphLoad load = store.graph().load(new EntrySorter(disk, 100, 10_000))) {
      try (GraphTransaction adding = store.graph().begin()) {
        for (long id = 1; id <= VERTICES; id++) {
          adding.addVertex(id, "v");
        }
        adding.commit();
      }
      for (int edge = 0; edge < VERTICES * EDGES_OF_ONE; edge++) {
        load.add(1 + edge % VERTICES, "e", 1 + edge * 7L % VERTICES, Map.of());
      }
      load.finish(
          entries -> {
            if (kills) {
              store.transactions().writeLog();
              after[0] = disk.kill();
              throw new Killed();
            }
          });
      store.close();
    } catch (Killed | PowerCut e) {
      closeDead(store);
    }
    return after[0];
  }

  private static void closeDead(StoreOnDisk store) {
    try {
      store.close();
    } catch (IOException | RuntimeException | PowerCut e) {
      // there is nothing left to write to
    }
  }

  @RuleTest(
      rule = 37,
      twins = {
        @Twin(
            name = "a load does not mark the store",
            in = "io.bg3.core.graph.GraphLoad",
            method = "begin",
            without = "GraphLoad.mark"),
        @Twin(
            name = "opening does not look whether a load has ended",
            in = "io.bg3.Bg3",
            method = "requireWhole",
            without = "GraphStore.requireWhole")
      })
  void aStoreWhoseLoadWasKilledDoesNotOpen() throws Exception {
    CrashingDisk disk = new CrashingDisk(new Sites(), new Random(1));
    CrashingDisk half = load(disk, true);
    assertThrows(HalfLoadedException.class, () -> StoreOnDisk.open(settings(), half).close());
    assertThrows(HalfLoadedException.class, () -> StoreOnDisk.open(settings(), half).close());
  }

  @RuleTest(
      rule = 37,
      twins =
          @Twin(
              name = "the mark goes before the last entries are committed",
              in = "io.bg3.core.graph.GraphLoad",
              method = "finish",
              without = "LoadWriter.commit"))
  void aStoreWhoseLoadHasEndedIsWhole() throws Exception {
    CrashingDisk disk = load(new CrashingDisk(new Sites(), new Random(1)), false);
    try (StoreOnDisk store = StoreOnDisk.open(settings(), disk)) {
      try (GraphTransaction reading = store.graph().beginReadOnly()) {
        assertEquals(VERTICES * EDGES_OF_ONE, reading.edgeCount());
      }
      assertEquals(List.of(), store.checkGraph());
    }
  }

  /** Loads edges of which two have one id each, in both orders of their ends. */
  @RuleTest(
      rule = 37,
      twins =
          @Twin(
              name = "the entries under the targets of edges that are left out stay",
              in = "io.bg3.core.graph.GraphLoad",
              method = "finish",
              without = "LoadWriter.removeHalves"))
  void anEdgeThatIsLeftOutHasNoEntry() throws Exception {
    CrashingDisk disk = new CrashingDisk(new Sites(), new Random(1));
    try (StoreOnDisk store = StoreOnDisk.open(settings(), disk)) {
      int[] leftOut = {0};
      try (GraphLoad load = begin(store, disk)) {
        try (GraphTransaction adding = store.graph().begin()) {
          for (long id = 1; id <= VERTICES; id++) {
            adding.addVertex(id, "v");
          }
          adding.commit();
        }
        for (long source = 1; source <= VERTICES; source++) {
          for (String name : List.of("a", "b")) {
            long target = name.equals("a") ? source : VERTICES + 1 - source;
            load.add(source, name, target, "id" + source, Map.of(), 0);
          }
        }
        load.finish(entries -> {}, (place, reason) -> leftOut[0]++);
      }
      assertEquals(VERTICES, leftOut[0]);
      try (GraphTransaction reading = store.graph().beginReadOnly()) {
        assertEquals(VERTICES, reading.edgeCount());
      }
      assertEquals(List.of(), store.checkGraph());
    }
  }

  private static final EdgeLabelForm ORDERED =
      EdgeLabelForm.plain().orderedBy("time", SortOrder.ASCENDING);

  private static final EdgeLabelForm COUNTED = EdgeLabelForm.plain().asCounted();

  /** A store without elements that has had edges with two labels. */
  private static StoreOnDisk emptied(CrashingDisk disk) throws IOException {
    StoreOnDisk store = StoreOnDisk.open(settings(), disk);
    store
        .graph()
        .retry(
            in -> {
              in.addVertex(1, "v");
              for (String label : List.of("ordered", "counted")) {
                in.addEdge(1, label, 1, null, Map.of("time", 5L));
              }
              return null;
            });
    store
        .graph()
        .retry(
            in -> {
              in.removeVertex(1);
              return null;
            });
    return store;
  }

  private static GraphLoad begin(StoreOnDisk store, CrashingDisk disk) throws IOException {
    return store.graph().load(new EntrySorter(disk, 100, 10_000));
  }

  @RuleTest(
      rule = 37,
      sites = {
        @Site(
            name = "a label becomes ordered",
            in = "io.bg3.core.graph.EdgeOrdering",
            method = "tryToBegin",
            before = "EdgeOrdering.change"),
        @Site(
            name = "a label becomes counted",
            in = "io.bg3.core.graph.EdgeCounting",
            method = "tryToBegin",
            before = "TransactionManager.commitExclusively")
      },
      twins = {
        @Twin(
            name = "a label becomes ordered though a load has begun since it was looked at",
            in = "io.bg3.core.graph.EdgeOrdering",
            method = "tryToBegin",
            without = "GraphLoad.requireNone"),
        @Twin(
            name = "a label becomes counted though a load has begun since it was looked at",
            in = "io.bg3.core.graph.EdgeCounting",
            method = "tryToBegin",
            without = "GraphLoad.requireNone")
      })
  void aLabelDoesNotBecomeOrderedOrCountedWhenALoadHasBegun() throws Exception {
    for (String name : List.of("ordered", "counted")) {
      CrashingDisk disk = new CrashingDisk(new Sites(), new Random(1));
      try (StoreOnDisk store = emptied(disk)) {
        String site = "a label becomes " + name;
        GraphLoad[] load = new GraphLoad[1];
        io.bg3.rules.Sites.Other loader =
            io.bg3.rules.Sites.meanwhile(site, () -> load[0] = begin(store, disk));
        EdgeLabelForm form = name.equals("ordered") ? ORDERED : COUNTED;
        assertThrows(IllegalStateException.class, () -> store.graph().declareEdgeLabel(name, form));
        io.bg3.rules.Sites.requirePassed(site);
        loader.join();
        load[0].finish(entries -> {});
        load[0].close();
        assertNull(store.graph().declaredEdgeLabel(name));
        store.graph().declareEdgeLabel(name, form);
      }
    }
  }

  @RuleTest(
      rule = 37,
      sites = {
        @Site(
            name = "a load marks the store",
            in = "io.bg3.core.graph.GraphLoad",
            method = "mark",
            before = "Transaction.put"),
        @Site(
            name = "an order is built",
            in = "io.bg3.core.graph.OrderWorker",
            method = "work",
            before = "System.nanoTime",
            nth = 1),
        @Site(
            name = "counters are built",
            in = "io.bg3.core.graph.CounterWorker",
            method = "work",
            before = "System.nanoTime",
            nth = 1)
      },
      twins = {
        @Twin(
            name = "a load begins while a label becomes ordered",
            in = "io.bg3.core.graph.GraphLoad",
            method = "mark",
            without = "Transaction.orderedAt"),
        @Twin(
            name = "a load begins while a label becomes counted",
            in = "io.bg3.core.graph.GraphLoad",
            method = "mark",
            without = "Transaction.countedAt"),
        @Twin(
            name = "a load does not look whether a label is becoming ordered or counted",
            in = "io.bg3.core.graph.GraphLoad",
            method = "mark",
            without = "GraphLoad.requireNoneBuilding")
      })
  void aLoadDoesNotBeginWhileALabelBecomesOrderedOrCounted() throws Exception {
    for (String name : List.of("ordered", "counted")) {
      CrashingDisk disk = new CrashingDisk(new Sites(), new Random(1));
      try (StoreOnDisk store = emptied(disk)) {
        CountDownLatch goOn = new CountDownLatch(1);
        String worker = name.equals("ordered") ? "an order is built" : "counters are built";
        io.bg3.rules.Sites.at(worker, () -> await(goOn));
        EdgeLabelForm form = name.equals("ordered") ? ORDERED : COUNTED;
        io.bg3.rules.Sites.Other declarer =
            io.bg3.rules.Sites.meanwhile(
                "a load marks the store", () -> store.graph().declareEdgeLabel(name, form));
        try {
          assertThrows(IllegalStateException.class, () -> begin(store, disk));
          io.bg3.rules.Sites.requirePassed("a load marks the store");
          declarer.join();
        } finally {
          goOn.countDown();
        }
        if (name.equals("ordered")) {
          Orders.await(store.graph(), name);
        } else {
          Counters.await(store.graph(), name);
        }
        try (GraphLoad load = begin(store, disk)) {
          load.finish(entries -> {});
        }
      }
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
