package io.bg3;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.rules.Patience;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Twin;
import io.bg3.storage.file.MemoryDisk;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The thread of a store looks at all leaves behind an opening (R56). */
class OpeningSearchRulesTest {
  private static final int VERTICES = 12;

  private static Bg3 open(MemoryDisk disk, int splitOut, long searchMillis) throws IOException {
    Settings settings =
        Settings.defaults()
            .with("bg3.memory.budget", "16m")
            .with("bg3.extent.size", "64k")
            .with("bg3.page.capacity", "1k")
            .with("bg3.forest.split-out", "" + splitOut);
    return Bg3.open(settings, disk, System::currentTimeMillis, searchMillis);
  }

  @RuleTest(
      rule = 56,
      twins = {
        @Twin(
            name = "the leaves of a store are not looked at behind its opening",
            in = "io.bg3.Bg3",
            method = "ownerMover",
            without = "OwnerMover.searchAfterOpening"),
        @Twin(
            name = "the time passes at which all leaves are to be looked at",
            in = "io.bg3.core.transaction.PassedOverSearch",
            method = "searchAll",
            without = "Forest.notePassedOver"),
        @Twin(
            name = "the thread that moves vertices does not search",
            in = "io.bg3.core.transaction.OwnerMover",
            method = "look",
            without = "PassedOverSearch.isDue")
      })
  void aLowerSplitOutMovesTheVerticesThatAreThere() throws Exception {
    MemoryDisk disk = new MemoryDisk();
    try (Bg3 store = open(disk, 0, 0)) {
      store
          .graph()
          .retry(
              graph -> {
                for (long vertex = 1; vertex <= VERTICES; vertex++) {
                  graph.addVertex(vertex, "v");
                }
                for (int i = 0; i < VERTICES * VERTICES; i++) {
                  graph.addEdge(1L + i % VERTICES, "e", 1L + i / VERTICES, null, Map.of());
                }
                return null;
              });
    }
    try (Bg3 store = open(disk, 8, 100)) {
      Patience.await(() -> "trees=" + trees(store), () -> trees(store) >= VERTICES);
      assertEquals(VERTICES, trees(store));
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  private static long trees(Bg3 store) {
    return store.opened().forest().dedicatedTrees();
  }
}
