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
 * The command with a vertex of a few thousand edges, for its answers and not for its figures: a
 * system that answers something else than was written, or than the others, ends the command with
 * exit code 1.
 */
class SupernodeCommandIT {
  @TempDir private Path directory;

  private final CommandRun bg3 = new CommandRun();

  @Test
  void allSystemsAnswerWhatWasWritten() throws IOException {
    Path json = directory.resolve("run.jsonl");
    Path stores = directory.resolve("stores");
    List<String> lines =
        bg3.measure(
            json,
            "bench",
            "supernode",
            "--vertices=200",
            "--edges=2000",
            "--supernode-edges=3000",
            "--split-out=100",
            "--rounds=1",
            "--seconds=0.05",
            "--dir=" + stores);
    for (String work : List.of("insert", "delete", "newest", "point", "count", "beside")) {
      for (String side : List.of("", ".p50", ".p99")) {
        String start = "{\"work\": \"supernode-" + work + side + "\", ";
        assertEquals( // three systems, three numbers of threads or three kinds of other writes
            9, lines.stream().filter(line -> line.startsWith(start)).count(), lines::toString);
      }
    }
    String table = bg3.out.toString();
    assertTrue(table.contains("bg3.forest.split-out=100"), table);
    assertTrue(table.contains("ordinary vertices, p99 against"), table);
    assertTrue(Files.exists(directory.resolve("run-supernode-insert-in-operations-s.png")));
    assertEquals(0, stores.toFile().list().length, "nothing is left behind");
  }

  @Test
  void mistakesAreNamed() {
    bg3.requireRefused(
        "the systems here are bg3, rocksdb and lmdb: asked=[csr]",
        "bench",
        "supernode",
        "--systems=csr");
    bg3.requireRefused(
        "--supernode-edges must be positive", "bench", "supernode", "--supernode-edges=0");
    bg3.requireRefused("split-out=3", "bench", "supernode", "--split-out=3");
  }
}
