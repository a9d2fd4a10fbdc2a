package io.bg3.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.bench.gremlin.GremlinSystem;
import io.bg3.bench.snb.SnbQuery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole command with every query, on a network of forty persons. */
class SnbCommandIT {
  @TempDir private Path directory;

  private final CommandRun bg3 = new CommandRun();

  @Test
  void bothSystemsGiveTheSameAnswersToEveryQuery() throws IOException {
    Path json = directory.resolve("run.jsonl");
    List<String> lines =
        bg3.measure(
            json,
            "bench",
            "snb",
            "--persons=40",
            "--rounds=1",
            "--seconds=0.02",
            "--dir=" + directory.resolve("stores"));
    for (GremlinSystem system : GremlinSystem.builtIn()) {
      for (SnbQuery query : SnbQuery.values()) {
        assertEquals(1, CommandRun.count(lines, query.text(), system.text()), query.text());
      }
    }
    try (Stream<Path> left = Files.list(directory.resolve("stores"))) {
      assertEquals(List.of(), left.toList());
    }
  }

  @Test
  void aQueryThatIsNotThereIsNamedWithThoseThatAre() {
    bg3.requireRefused(
        "no such query: query=ic15, known=is1, is2, ", "bench", "snb", "--only=ic15");
  }

  @Test
  void onlyTheSystemsThatAreThereAreAsked() {
    bg3.requireRefused(
        "no such system: system=janusgraph, known=bg3, tinkergraph",
        "bench",
        "snb",
        "--systems=janusgraph");
  }

  @Test
  void aNetworkHasAFewPersonsAtLeast() {
    bg3.requireRefused("--persons must be 20 or more: persons=19", "bench", "snb", "--persons=19");
  }
}
