package io.bg3.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The command with a graph of a few thousand edges, for its answers and not for its figures: two
 * stores that answer differently, or otherwise than was written, would end it with another exit
 * code.
 */
class ValuesCommandIT {
  @TempDir private Path directory;

  private final CommandRun bg3 = new CommandRun();

  @Test
  void bothStoresGiveEqualAnswersInEachPlace() throws IOException {
    Path json = directory.resolve("run.jsonl");
    Path stores = directory.resolve("stores");
    List<String> lines =
        bg3.measure(
            json,
            "bench",
            "values",
            "--vertices=300",
            "--edges=3000",
            "--sizes=4k",
            "--memory=all,35",
            "--turns=2",
            "--rounds=1",
            "--seconds=0.02",
            "--dir=" + stores);
    for (String system : List.of("apart", "in-leaf")) {
      for (String work : List.of("hop-1", "hop-2", "hop-3", "point", "hop-read")) {
        for (String side : List.of("", ".p50", ".p99", ".reads", ".read")) {
          String name = "values-" + work + side;
          assertEquals(2, CommandRun.count(lines, name, system), name); // in two places
        }
      }
      assertEquals(1, CommandRun.count(lines, "values-load", system), lines::toString);
      assertEquals(1, CommandRun.count(lines, "values-disk", system), lines::toString);
      assertEquals(2, CommandRun.count(lines, "values-memory", system), lines::toString);
      assertEquals(2, CommandRun.count(lines, "values-heap", system), lines::toString);
    }
    assertTrue(
        lines.stream()
            .filter(line -> line.contains("\"values-point\""))
            .allMatch(line -> line.contains("\"rounds\": 2")),
        "one round in each of two turns");
    String table = bg3.out.toString();
    assertTrue(table.contains("bg3.value.threshold=64"), table);
    assertTrue(table.contains("bg3.value.threshold=4096"), table);
    assertTrue(table.contains("values of 4096 bytes, memory for 35 %, direct I/O"), table);
    assertTrue(Files.exists(directory.resolve("run-values-point-in-operations-s.png")));
    assertEquals(0, stores.toFile().list().length, "nothing is left behind");
  }

  @Test
  void mistakesAreNamed() {
    bg3.requireRefused("a value has 65 to 4096 bytes: sizes=64", "bench", "values", "--sizes=64");
    bg3.requireRefused("a value has 65 to 4096 bytes: sizes=8k", "bench", "values", "--sizes=8k");
    bg3.requireRefused(
        "memory is all, all-direct, or 1 to 100 percent: memory=101",
        "bench",
        "values",
        "--memory=101");
    bg3.requireRefused("--turns must be positive: turns=0", "bench", "values", "--turns=0");
  }
}
