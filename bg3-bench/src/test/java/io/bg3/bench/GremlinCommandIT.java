package io.bg3.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.bench.gremlin.GremlinSystem;
import io.bg3.bench.gremlin.GremlinWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole command with every traversal, on a graph of a few thousand edges. */
class GremlinCommandIT {
  @TempDir private Path directory;

  private final CommandRun bg3 = new CommandRun();

  @Test
  void theSystemsThatAreThereGiveTheSameAnswersToEveryTraversal() throws IOException {
    List<String> lines = bg3.gremlin(directory);
    for (GremlinSystem system : GremlinSystem.builtIn()) {
      for (String load : List.of("load", "load-files", "load-commits")) {
        assertEquals(1, CommandRun.count(lines, load, system.text()), load);
      }
      for (GremlinWork work : GremlinWork.values()) {
        for (String suffix : List.of("", ".p50", ".p99", ".allocated")) {
          String name = work.text() + suffix;
          assertEquals(1, CommandRun.count(lines, name, system.text()), name);
        }
        assertTrue(bg3.out.toString().contains(work.text()), bg3.out::toString);
      }
    }
    assertTrue(Files.exists(directory.resolve("run-vertex-in-operations-s.png")));
  }

  @Test
  void theServersGiveTheSameAnswersToEveryTraversalThatTheyAreAsked() throws IOException {
    List<String> lines = bg3.gremlin(directory, "--server", "--clients=1,3", "--durability=sync");
    for (GremlinSystem system : GremlinSystem.builtIn()) {
      for (GremlinWork work : GremlinWork.values()) {
        for (int clients : new int[] {1, 3}) {
          boolean asked = clients == 1 ? work.isServed() : work.isShared();
          String start =
              "{\"work\": \"" + work.text() + "\", \"system\": \"" + system.text() + "\", ";
          String setting = "\"server, clients=" + clients + ", bg3.durability=sync\"";
          assertEquals(
              asked ? 1 : 0,
              lines.stream()
                  .filter(line -> line.startsWith(start) && line.contains(setting))
                  .count(),
              () -> start + setting);
        }
      }
    }
    assertTrue(bg3.out.toString().contains("vertex x3 "), bg3.out::toString);
  }

  @Test
  void whatAServerCannotBeAskedIsRefused() {
    bg3.requireRefused(
        "--server measures bg3 and tinkergraph only: system=janus",
        "bench",
        "gremlin",
        "--server",
        "--systems=bg3,janusgraph");
    bg3.requireRefused(
        "a server cannot be asked for these works: drop-edges",
        "bench",
        "gremlin",
        "--server",
        "--only=drop-edges");
    bg3.requireRefused("--clients must be positive", "bench", "gremlin", "--server", "--clients=0");
  }

  @Test
  void aTraversalThatIsNotThereIsNamedWithThoseThatAre() {
    bg3.requireRefused(
        "no such work: work=walk, known=floor-empty, ", "bench", "gremlin", "--only=walk");
  }

  @Test
  void aSystemThatIsNotThereIsNamedWithThoseThatAre() {
    bg3.requireRefused(
        "no such system: system=titan, known=bg3, tinkergraph, janusgraph, arcadedb",
        "bench",
        "gremlin",
        "--systems=bg3,titan");
  }

  @Test
  void hubsAreTwo() {
    bg3.requireRefused("--hubs takes two", "bench", "gremlin", "--hubs=1");
  }
}
