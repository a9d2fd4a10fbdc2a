package io.bg3.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.bench.gremlin.GremlinSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole command with both programs, on a graph of two thousand edges. */
class OlapCommandIT {
  @TempDir private Path directory;

  private final CommandRun bg3 = new CommandRun();

  @Test
  void bothSystemsComputeTheSame() throws IOException {
    List<String> lines =
        bg3.measure(
            directory.resolve("run.jsonl"),
            "bench",
            "olap",
            "--vertices=200",
            "--edges=2000",
            "--heap=256",
            "--dir=" + directory.resolve("stores"));
    for (GremlinSystem system : GremlinSystem.builtIn()) {
      for (String work : List.of("load", "pagerank", "pagerank-heap", "components-heap-most")) {
        assertEquals(1, CommandRun.count(lines, work, system.text()), work);
      }
    }
    try (Stream<Path> left = Files.list(directory.resolve("stores"))) {
      assertEquals(List.of(), left.toList());
    }
  }

  @Test
  void aGraphHasRoomForItsEdges() {
    bg3.requireRefused(
        "edges must be 1 to vertices * vertices / 8",
        "bench",
        "olap",
        "--vertices=10",
        "--edges=99");
  }
}
