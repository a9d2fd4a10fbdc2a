package io.bg3.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
    List<String> lines =
        bg3.measure(
            json,
            "bench",
            "paper",
            "--pages=8,16",
            "--sources=200",
            "--edges=4000",
            "--warm-up=500",
            "--writes=500",
            "--dir=" + stores);
    // Two figures, two sizes, three rules; the paper has two rules.
    assertEquals(12 + 4, lines.size(), lines::toString);
    for (String work : List.of("figure-nine", "figure-ten")) {
      assertEquals(2, CommandRun.count(lines, work, "paper-reported"), lines::toString);
    }
    for (String work : List.of("figure-nine", "figure-ten")) {
      assertEquals(2, CommandRun.count(lines, work, "one-delta"), bg3.out::toString);
    }
    assertTrue(bg3.out.toString().contains("Figure 9: "), bg3.out::toString);
    assertTrue(bg3.out.toString().contains("paper: 70 MB/s"), bg3.out::toString);
    assertTrue(Files.exists(directory.resolve("run-figure-ten-in-mb.png")));
    assertEquals(0, stores.toFile().list().length, "nothing is left behind");
  }

  @Test
  void theTableIsPrintedAndWritten() throws IOException {
    Path json = directory.resolve("table.jsonl");
    List<String> lines =
        bg3.measure(
            json,
            "bench",
            "paper",
            "--table=2",
            "--lists=800",
            "--interval=100",
            "--table-warm-up=2000",
            "--table-writes=2000",
            "--ttl=1",
            "--ttl-rate=50000",
            "--ttl-lives=6",
            "--dir=" + directory.resolve("stores"));
    // Three patterns, five policies, three works; two orders, two ways, three works.
    // The paper has two policies, and two ways.
    assertEquals(45 + 12 + 4, lines.size(), lines::toString);
    assertEquals(2, CommandRun.count(lines, "table-two-ttl", "paper-reported"), lines::toString);
    assertTrue(
        lines.stream()
            .filter(line -> line.contains("\"table-two-ttl.space\""))
            .noneMatch(line -> line.contains("\"value\": 0,")),
        lines::toString);
    for (String system : List.of("ttl", "deletes")) {
      for (String work : List.of("", ".appended", ".space")) {
        assertEquals(2, CommandRun.count(lines, "table-two-ttl" + work, system), lines::toString);
      }
    }
    assertTrue(bg3.out.toString().contains("Table 2, right half: "), bg3.out::toString);
    assertEquals(0, directory.resolve("stores").toFile().list().length, "nothing is left behind");
    for (String system : List.of("fifo", "dirty", "paper", "mdc", "cost-benefit")) {
      assertEquals(3, CommandRun.count(lines, "table-two", system), system);
    }
    assertTrue(bg3.out.toString().contains("Table 2, left half: "), bg3.out::toString);
    assertTrue(bg3.out.toString().contains("paper: dirty ratio 15 MB/s"), bg3.out::toString);
    assertTrue(Files.exists(directory.resolve("table-table-two-in-mb-moved.png")), json::toString);
  }

  /** Runs short measurements of one figure and returns their JSON lines. */
  private List<String> measure(String name, String... options) throws IOException {
    Path json = directory.resolve(name + ".jsonl");
    Path stores = directory.resolve("stores");
    List<String> arguments = new ArrayList<>(List.of("bench", "paper"));
    arguments.addAll(List.of("--rounds=1", "--seconds=0.05", "--dir=" + stores));
    arguments.addAll(List.of(options));
    List<String> lines = bg3.measure(json, arguments.toArray(String[]::new));
    assertEquals(0, stores.toFile().list().length, "nothing is left behind");
    return lines;
  }

  /**
   * Both systems give equal answers, and have the edges that have not expired and, BG3, no others,
   * or the command would end with exit code 1.
   */
  @Test
  void theMixesOfFigureEightAreMeasuredBesideRocksDb() throws IOException {
    List<String> lines =
        measure("mixes", "--figure=8", "--vertices=200", "--edges=4000", "--mix-ttl=1");
    checkMixes(lines);
    String table = bg3.out.toString();
    assertTrue(table.contains("99 % reads, 1 % inserts"), table);
    assertTrue(table.contains("50 % inserts, which live 1 s"), table);
    assertTrue(table.contains("mixes in memory"), table);
    assertTrue(table.contains("paper: BG3 is, of ByteGraph"), table);
    assertTrue(Files.exists(directory.resolve("mixes-figure-eight-follow-in-operations-s.png")));
  }

  @Test
  void theMixesOfFigureEightAreMeasuredWithLessMemoryThanData() throws IOException {
    List<String> lines = measure("disk", "--figure=8", "--on-disk", "--edges=20000");
    checkMixes(lines);
    String table = bg3.out.toString();
    assertTrue(table.contains("mixes on disk"), table);
    assertTrue(table.contains("20000 edges, in key order"), table);
    assertTrue(table.contains("memory of each system=8388608 bytes"), table);
    assertTrue(table.contains("direct I/O"), table);
    assertTrue(
        table.contains("sources=1000, edges=20000"), "the degree of payments is 20: " + table);
  }

  private static void checkMixes(List<String> lines) {
    for (String system : List.of("bg3", "rocksdb")) {
      for (String mix : List.of("follow", "recommendation", "risk-control")) {
        assertEquals(1, CommandRun.count(lines, "figure-eight-" + mix, system), lines::toString);
      }
      assertEquals(
          1, CommandRun.count(lines, "figure-eight-risk-control.expired", system), lines::toString);
      // Two graphs after their loads, and one of them after each mix.
      assertEquals(5, CommandRun.count(lines, "figure-eight-disk", system), lines::toString);
    }
    assertEquals(2, CommandRun.count(lines, "figure-eight-disk", "rocksdb-blob"), lines::toString);
  }

  @Test
  void oneMixOfFigureEightIsMeasured() throws IOException {
    List<String> lines =
        measure("one", "--figure=8", "--mixes=risk-control", "--edges=4000", "--mix-ttl=1");
    assertEquals(1, CommandRun.count(lines, "figure-eight-risk-control", "bg3"), lines::toString);
    assertEquals(0, CommandRun.count(lines, "figure-eight-follow", "bg3"), lines::toString);
    assertEquals(2, CommandRun.count(lines, "figure-eight-disk", "bg3"), lines::toString);
    assertFalse(bg3.out.toString().contains("graph of follow"), bg3.out::toString);
  }

  @Test
  void aMixThatThereIsNotIsRefused() {
    bg3.requireRefused("mix=walks", "bench", "paper", "--figure=8", "--mixes=follow,walks");
  }

  @Test
  void anInsertOfFigureEightLivesForASecondAtLeast() {
    bg3.requireRefused(
        "must be positive: mix-ttl=0", "bench", "paper", "--figure=8", "--mix-ttl=0");
  }

  /** Equal edges in every number of trees, or the command would end with exit code 1. */
  @Test
  void oneGraphLiesInOneTreeOrInATreeForEachVertex() throws IOException {
    List<String> lines =
        measure("forest", "--figure=11", "--trees=300,1,50", "--vertices=300", "--edges=9000");
    for (int trees : List.of(1, 50, 300)) {
      for (String work : List.of("", ".latch-waits", ".structure-waits", "-memory")) {
        assertEquals(
            3, CommandRun.count(lines, "figure-eleven" + work, "trees=" + trees), lines::toString);
      }
    }
    String all = "\"figure-eleven.trees\", \"system\": \"trees=300\", \"value\": 300, ";
    assertTrue(lines.stream().anyMatch(line -> line.contains(all)), lines::toString);
    String early = "bench: measured: figure-eleven.trees, trees=300, with a tree of its own: 300 ";
    assertTrue(bg3.err.toString().contains(early), bg3.err::toString);
    String table = bg3.out.toString();
    assertTrue(table.contains("bg3.forest.split-out=8"), table);
    assertTrue(table.contains("paper: 50, 90, 150, 289 thousand writes/s"), table);
    assertTrue(Files.exists(directory.resolve("forest-figure-eleven-in-commits-s.png")));
  }

  @Test
  void moreTreesThanVerticesAreRefused() {
    bg3.requireRefused(
        "1 tree to one for each vertex: trees=100000, vertices=100",
        "bench",
        "paper",
        "--figure=11",
        "--vertices=100",
        "--edges=1000");
  }

  @Test
  void timesToLiveAreChecked() {
    bg3.requireRefused(
        "--ttl-rate a multiple of 100", "bench", "paper", "--table=2", "--ttl-rate=250");
  }

  @Test
  void aRunThatWritesNothingHasNoFigures() {
    int code =
        bg3.run(
            "bench",
            "paper",
            "--table=2",
            "--lists=100",
            "--table-warm-up=200",
            "--table-writes=200",
            "--ttl=1",
            "--ttl-rate=100",
            "--ttl-lives=3",
            "--dir=" + directory.resolve("stores"));
    assertEquals(1, code, bg3.err::toString);
    String fault = "no image was written in the counted time";
    assertTrue(bg3.err.toString().contains(fault), bg3.err::toString);
    String table = bg3.out.toString();
    table = table.substring(table.indexOf("right half"));
    assertTrue(table.contains("none written"), table);
    assertFalse(table.contains("0.00"), table);
  }

  @Test
  void aTableThatIsNotThereIsNamed() {
    bg3.requireRefused("no such table: table=3, known=2", "bench", "paper", "--table=3");
  }

  @Test
  void aFigureThatIsNotThereIsNamed() {
    bg3.requireRefused(
        "no such figure: figure=7, known=8, 9, 10, 11", "bench", "paper", "--figure=7");
  }

  @Test
  void sizesThatAreNoPagesAreRefused() {
    bg3.requireRefused("a page has 4 to 256 KiB: pages=1", "bench", "paper", "--pages=1");
  }
}
