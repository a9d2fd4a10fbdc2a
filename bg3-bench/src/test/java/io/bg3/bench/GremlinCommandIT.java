package io.bg3.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.bench.gremlin.GremlinSystem;
import io.bg3.bench.gremlin.GremlinWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole command with every traversal, on a graph of a few thousand edges. */
class GremlinCommandIT {
  @TempDir private Path directory;

  private final CommandRun bg3 = new CommandRun();

  /** Runs the command on a small graph and returns the figures that it has written. */
  private List<String> linesOf(Path json, String... options) throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "bench",
                "gremlin",
                "--vertices=300",
                "--edges=2000",
                "--hubs=400,700",
                "--rounds=1",
                "--seconds=0.02",
                "--dir=" + directory.resolve("stores")));
    arguments.addAll(List.of(options));
    return bg3.measure(json, arguments.toArray(String[]::new));
  }

  @Test
  void theSystemsThatAreThereGiveTheSameAnswersToEveryTraversal() throws IOException {
    Path json = directory.resolve("run.jsonl");
    List<String> lines = linesOf(json);
    for (GremlinSystem system : GremlinSystem.builtIn()) {
      for (String load : List.of("load", "load-files", "load-bulk")) {
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
    Path json = directory.resolve("served.jsonl");
    List<String> lines = linesOf(json, "--server", "--clients=1,3", "--durability=sync");
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
    assertEquals(2, bg3.run("bench", "gremlin", "--server", "--systems=bg3,janusgraph"));
    assertTrue(
        bg3.err.toString().contains("--server measures bg3 and tinkergraph only: system=janus"),
        bg3.err::toString);
    assertEquals(2, bg3.run("bench", "gremlin", "--server", "--only=drop-edges"));
    assertTrue(
        bg3.err.toString().contains("a server cannot be asked for these works: drop-edges"),
        bg3.err::toString);
    assertEquals(2, bg3.run("bench", "gremlin", "--server", "--clients=0"));
    assertTrue(bg3.err.toString().contains("--clients must be positive"), bg3.err::toString);
  }

  @Test
  void aTraversalThatIsNotThereIsNamedWithThoseThatAre() {
    assertEquals(2, bg3.run("bench", "gremlin", "--only=walk"));
    assertTrue(
        bg3.err.toString().contains("no such work: work=walk, known=floor-empty, "),
        bg3.err::toString);
  }

  @Test
  void aSystemThatIsNotThereIsNamedWithThoseThatAre() {
    assertEquals(2, bg3.run("bench", "gremlin", "--systems=bg3,titan"));
    assertTrue(
        bg3.err
            .toString()
            .contains("no such system: system=titan, known=bg3, tinkergraph, janusgraph, arcadedb"),
        bg3.err::toString);
  }

  @Test
  void hubsAreTwo() {
    assertEquals(2, bg3.run("bench", "gremlin", "--hubs=1"));
    assertTrue(bg3.err.toString().contains("--hubs takes two"), bg3.err::toString);
  }
}
