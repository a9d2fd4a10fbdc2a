package io.bg3.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole command, on a graph of a few thousand edges. */
class PaperCommandIT {
  @TempDir private Path directory;

  private final CommandRun bg3 = new CommandRun();

  @Test
  void bothFiguresArePrintedAndWritten() throws IOException {
    Path json = directory.resolve("run.jsonl");
    Path stores = directory.resolve("stores");
    int code =
        bg3.run(
            "bench",
            "paper",
            "--pages=8,16",
            "--sources=200",
            "--edges=4000",
            "--warm-up=500",
            "--writes=500",
            "--dir=" + stores,
            "--json=" + json);
    assertEquals(0, code, () -> bg3.err + "\n" + bg3.out);
    List<String> lines = Files.readAllLines(json);
    assertEquals(12, lines.size(), lines::toString); // two figures, two sizes, three rules
    for (String work : List.of("figure-nine", "figure-ten")) {
      String start = "{\"work\": \"" + work + "\", \"system\": \"one-delta\", \"value\": ";
      assertEquals(
          2, lines.stream().filter(line -> line.startsWith(start)).count(), bg3.out::toString);
    }
    assertTrue(bg3.out.toString().contains("Figure 9: "), bg3.out::toString);
    assertTrue(bg3.out.toString().contains("paper: 70 MB/s"), bg3.out::toString);
    assertTrue(Files.exists(directory.resolve("run-figure-ten-in.png")));
    assertEquals(0, stores.toFile().list().length, "nothing is left behind");
  }

  @Test
  void theTableIsPrintedAndWritten() throws IOException {
    Path json = directory.resolve("table.jsonl");
    int code =
        bg3.run(
            "bench",
            "paper",
            "--table=2",
            "--lists=800",
            "--interval=100",
            "--table-warm-up=2000",
            "--table-writes=2000",
            "--json=" + json);
    assertEquals(0, code, () -> bg3.err + "\n" + bg3.out);
    List<String> lines = Files.readAllLines(json);
    assertEquals(45, lines.size(), lines::toString); // three patterns, five policies, three works
    for (String system : List.of("fifo", "dirty", "paper", "mdc", "cost-benefit")) {
      String start = "{\"work\": \"table-two\", \"system\": \"" + system + "\", \"value\": ";
      assertEquals(3, lines.stream().filter(line -> line.startsWith(start)).count(), system);
    }
    assertTrue(bg3.out.toString().contains("Table 2, left half: "), bg3.out::toString);
    assertTrue(bg3.out.toString().contains("paper: dirty ratio 15 MB/s"), bg3.out::toString);
    assertTrue(Files.exists(directory.resolve("table-table-two-in-moved.png")), json::toString);
  }

  @Test
  void aTableThatIsNotThereIsNamed() {
    assertEquals(2, bg3.run("bench", "paper", "--table=3"));
    assertTrue(bg3.err.toString().contains("no such table: table=3, known=2"), bg3.err::toString);
  }

  @Test
  void aFigureThatIsNotThereIsNamed() {
    assertEquals(2, bg3.run("bench", "paper", "--figure=8"));
    assertTrue(
        bg3.err.toString().contains("no such figure: figure=8, known=9, 10"), bg3.err::toString);
  }

  @Test
  void sizesThatAreNoPagesAreRefused() {
    assertEquals(2, bg3.run("bench", "paper", "--pages=1"));
    assertTrue(bg3.err.toString().contains("a page has 4 to 256 KiB: pages=1"), bg3.err::toString);
  }
}
