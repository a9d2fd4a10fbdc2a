package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Setting;
import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.server.GraphCatalog.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Creates and drops graphs, and starts again from what a crash in any step has left. */
class OnlineGraphsTest {
  private static final long MIB = 1L << 20;
  private static final long TOTAL = 64 * MIB;

  /** Half of it is reserved; so a share of one has 16 MiB, and there is room for two more. */
  private static final Map<String, Integer> CONFIGURED = Map.of("g", 1, "other", 1);

  @TempDir private Path directory;

  private final Map<String, Graph> opened = new TreeMap<>();

  private static Graph store(Path directory, long budget) {
    BaseConfiguration configuration = new BaseConfiguration();
    configuration.setProperty(Setting.DIRECTORY.key(), directory.toString());
    configuration.setProperty(Setting.MEMORY_BUDGET.key(), Long.toString(budget));
    return Bg3Graph.open(configuration);
  }

  private Path home() {
    return directory.resolve("data.graphs");
  }

  /** Reads and opens the graphs, as a start of the server does. */
  private OnlineGraphs start() throws IOException {
    OnlineGraphs online = OnlineGraphs.read(home(), false);
    opened.clear();
    online.open(
        MemoryShares.of(TOTAL, 50, CONFIGURED, online.shares()),
        OnlineGraphsTest::store,
        opened::put);
    return online;
  }

  private void stop() throws Exception {
    for (Graph graph : opened.values()) {
      graph.close();
    }
  }

  private void create(OnlineGraphs online, String name, int share) throws IOException {
    opened.put(name, online.create(name, share, graph -> {}));
  }

  private void drop(OnlineGraphs online, String name) throws IOException {
    online.drop(name, () -> close(opened.remove(name)));
  }

  private static void close(Graph graph) {
    try {
      graph.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(home())) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static long count(Graph graph) {
    long count = graph.traversal().V().count().next();
    graph.tx().rollback();
    return count;
  }

  @Test
  void whatIsCreatedOutlivesARestartAndWhatIsDroppedDoesNot() throws Exception {
    OnlineGraphs online = start();
    assertFalse(Files.exists(home()), "nothing is made before the first graph");
    create(online, "x", 1);
    create(online, "y", 1);
    opened.get("x").traversal().addV("kept").iterate();
    opened.get("x").tx().commit();
    assertEquals(16 * MIB, ((Bg3Graph) opened.get("x")).stats().budgetBytes());
    stop();
    online = start();
    assertEquals(Map.of("x", 1, "y", 1), online.shares());
    assertEquals(1, count(opened.get("x")));
    drop(online, "x");
    assertEquals(List.of("graphs", "y"), files());
    stop();
    online = start();
    assertEquals(Map.of("y", 1), online.shares());
    create(online, "x", 1);
    assertEquals(0, count(opened.get("x")), "a new graph of an old name");
    stop();
  }

  @Test
  void theReserveIsTheLimit() throws Exception {
    OnlineGraphs online = start();
    create(online, "x", 1);
    for (int share : new int[] {2, 3, Integer.MAX_VALUE}) {
      IllegalArgumentException refused =
          assertThrows(IllegalArgumentException.class, () -> create(online, "y", share));
      assertTrue(refused.getMessage().contains("free=16777216"), refused.getMessage());
      assertTrue(refused.getMessage().contains("server.graphs.reserve"), refused.getMessage());
    }
    create(online, "y", 1);
    assertThrows(IllegalArgumentException.class, () -> create(online, "z", 1));
    drop(online, "x");
    create(online, "z", 1);
    assertEquals(List.of("graphs", "y", "z"), files());
    stop();
  }

  @Test
  void aNameIsGivenOnce() throws Exception {
    OnlineGraphs online = start();
    create(online, "x", 1);
    for (String name :
        List.of("x", "X", "graph", "graphs", "Graphs", "", "../x", "a/b", "a.b", ".")) {
      assertThrows(IllegalArgumentException.class, () -> create(online, name, 1), name);
    }
    assertThrows(IllegalArgumentException.class, () -> drop(online, "y"));
    assertEquals(List.of("graphs", "x"), files());
    stop();
  }

  @Test
  void whatIsInThePlaceOfAStoreStays() throws Exception {
    OnlineGraphs online = start();
    create(online, "x", 1);
    stop();
    Path saved = directory.resolve("saved");
    Files.move(home().resolve("x"), saved);
    Files.delete(home().resolve("graphs"));
    Path kept = home().resolve("y");
    Files.move(saved, kept); // a store whose catalog is lost
    OnlineGraphs again = start();
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> create(again, "y", 1));
    assertTrue(refused.getMessage().contains("path=" + kept), refused.getMessage());
    assertTrue(Files.exists(kept.resolve("manifest")));
    create(again, "x", 1);
    stop();
  }

  @Test
  void anEntryWithTheNameOfTheCatalogIsForgotten() throws Exception {
    create(start(), "x", 1);
    stop();
    for (State state : List.of(State.CREATING, State.DROPPING)) {
      GraphCatalog.read(home()).put("graphs", 1, state);
      OnlineGraphs online = start();
      assertEquals(Map.of("x", 1), online.shares());
      assertEquals(List.of("x"), List.copyOf(GraphCatalog.read(home()).entries().keySet()));
      stop();
    }
    assertEquals(List.of("graphs", "x"), files());
  }

  /** Copies the files as they are between two steps, and starts from the copy. */
  @Test
  void aStartFinishesWhatACrashHasLeft() throws Exception {
    List<Path> copies = new ArrayList<>();
    OnlineGraphs online = start();
    create(online, "kept", 1);
    stop();
    online = start();
    Graph made =
        online.create("made", 1, graph -> copies.add(copy("made, and not ready: created=no")));
    copies.add(copy("ready: created=yes"));
    opened.put("made", made);
    made.traversal().addV("there").iterate();
    made.tx().commit();
    online.drop(
        "made",
        () -> {
          copies.add(copy("dropping, and open: created=no"));
          close(opened.remove("made"));
          copies.add(copy("dropping, and closed: created=no"));
          Path manifest = home().resolve("made").resolve("manifest");
          try {
            Files.delete(manifest);
          } catch (IOException e) {
            throw new IllegalStateException(e);
          }
          copies.add(copy("half deleted: created=no"));
        });
    copies.add(copy("deleted: created=no"));
    stop();
    assertEquals(6, copies.size());
    for (Path copy : copies) {
      Path before = directory;
      directory = copy;
      try {
        boolean isThere = copy.getFileName().toString().endsWith("created=yes");
        OnlineGraphs again = start();
        assertEquals(
            isThere ? Map.of("kept", 1, "made", 1) : Map.of("kept", 1),
            again.shares(),
            copy.toString());
        assertEquals(
            isThere ? List.of("graphs", "kept", "made") : List.of("graphs", "kept"),
            files(),
            copy.toString());
        stop();
      } finally {
        directory = before;
      }
    }
  }

  private Path copy(String when) {
    Path to = directory.resolve("copies").resolve(when);
    try (Stream<Path> files = Files.walk(home())) {
      for (Path file : files.toList()) {
        Path copied = to.resolve(home().getFileName()).resolve(home().relativize(file));
        Files.createDirectories(copied.getParent());
        if (!Files.isDirectory(file)) {
          Files.copy(file, copied);
        }
      }
      return to;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aGraphThatCannotBePreparedLeavesNothing() throws Exception {
    OnlineGraphs online = start();
    IllegalStateException failed =
        assertThrows(
            IllegalStateException.class,
            () ->
                online.create(
                    "x",
                    1,
                    graph -> {
                      throw new IllegalStateException("on purpose");
                    }));
    assertEquals("on purpose", failed.getMessage());
    assertEquals(List.of("graphs"), files());
    create(online, "x", 1);
    stop();
  }

  @Test
  void aReadOnlyServerChangesNothing() throws Exception {
    OnlineGraphs online = start();
    create(online, "x", 1);
    stop();
    GraphCatalog catalog = GraphCatalog.read(home());
    catalog.put("y", 1, State.CREATING);
    OnlineGraphs reading = OnlineGraphs.read(home(), true);
    opened.clear();
    reading.open(
        MemoryShares.of(TOTAL, 50, CONFIGURED, reading.shares()),
        OnlineGraphsTest::store,
        opened::put);
    assertEquals(List.of("x"), List.copyOf(opened.keySet()));
    assertThrows(IllegalArgumentException.class, () -> create(reading, "z", 1));
    assertEquals(State.CREATING, GraphCatalog.read(home()).entries().get("y").state());
    stop();
  }

  @Test
  void aDamagedCatalogIsNamed() throws Exception {
    create(start(), "x", 1);
    stop();
    Path file = home().resolve("graphs");
    String text = Files.readString(file);
    assertTrue(text.matches("bg3 graphs 1\nx 1 ready\ncrc32c [0-9a-f]{8}\n"), text);
    for (String damaged :
        List.of("", text.replace("x 1", "y 1"), text.replace("graphs 1", "graphs 2"), text + "z")) {
      Files.writeString(file, damaged);
      IOException refused = assertThrows(IOException.class, () -> GraphCatalog.read(home()));
      assertTrue(
          refused.getMessage().startsWith("cannot read the graphs that were created online: file="),
          refused.getMessage());
    }
  }
}
