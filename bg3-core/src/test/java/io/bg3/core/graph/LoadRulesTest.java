package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.StoreOnDisk;
import io.bg3.core.sort.EntrySorter;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Twin;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.file.PowerCut;
import io.bg3.storage.file.Sites;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;

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
              without = "GraphLoad.commit"))
  void aStoreWhoseLoadHasEndedIsWhole() throws Exception {
    CrashingDisk disk = load(new CrashingDisk(new Sites(), new Random(1)), false);
    try (StoreOnDisk store = StoreOnDisk.open(settings(), disk)) {
      try (GraphTransaction reading = store.graph().beginReadOnly()) {
        assertEquals(VERTICES * EDGES_OF_ONE, reading.edgeCount());
      }
      assertEquals(List.of(), store.checkGraph());
    }
  }
}
