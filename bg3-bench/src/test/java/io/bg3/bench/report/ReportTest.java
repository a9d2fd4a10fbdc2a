package io.bg3.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report that readers see, and the one that programs parse. */
class ReportTest {
  @TempDir private Path directory;

  private static Metric figure(String system, String answer, Double... rounds) {
    return new Metric("scan", system, "64 edges", "edges/s", true, answer, List.of(rounds));
  }

  @Test
  void systemsThatAnswerDifferentlyAreFound() {
    Report report =
        new Report("bg3", List.of(figure("bg3", "a:1", 1.0), figure("rocksdb", "b:1", 1.0)));
    assertEquals(
        List.of("the answers differ: work=scan, setting=64 edges, bg3=a:1, rocksdb=b:1"),
        report.disagreements());
  }

  @Test
  void systemsThatAgreeOrAreNotComparedAreNot() {
    Report report =
        new Report(
            "bg3",
            List.of(
                figure("bg3", "a:1", 1.0), figure("rocksdb", "a:1", 1.0), figure("log", "", 1.0)));
    assertEquals(List.of(), report.disagreements());
  }

  @Test
  void aLineOfJsonHasTheFieldsThatRunsAreComparedBy() {
    Report report =
        new Report(
            "bg3", List.of(figure("bg3", "a:1", 30.0, 10.0, 20.5), figure("rocksdb", "a:1", 4.1)));
    assertEquals(
        "{\"work\": \"scan\", \"system\": \"bg3\", \"value\": 20.5, \"unit\": \"edges/s\","
            + " \"setting\": \"64 edges\", \"ratio\": {\"rocksdb\": 5}, \"low\": 10,"
            + " \"high\": 30, \"rounds\": 3}",
        report.jsonLines().get(0));
  }

  @Test
  void ratiosAreAboveOneWhereLessIsBetterAndIsLess() {
    Metric ours = new Metric("disk", "bg3", "", "bytes", false, "", List.of(1.0));
    Metric theirs = new Metric("disk", "lmdb", "", "bytes", false, "", List.of(2.0));
    assertEquals(2.0, ours.ratio(theirs));
    assertEquals(0.5, theirs.ratio(ours));
  }

  @Test
  void theTableShowsMedianSpreadAndRatio() {
    Report report =
        new Report(
            "bg3",
            List.of(
                figure("bg3", "", 1_000.0, 3_000.0, 2_000.0),
                new Metric(
                    "scan.allocated", "bg3", "64 edges", "bytes/op", false, "", List.of(48.0)),
                figure("rocksdb", "", 500.0)));
    List<String> table = report.table();
    assertEquals("scan  (64 edges)", table.get(2));
    assertTrue(
        table.get(3).matches("  bg3 +2,000 edges/s +50\\.0 % +48\\.00"),
        () -> "[" + table.get(3) + "]");
    assertTrue(
        table.get(4).matches("  rocksdb +500 edges/s +0\\.0 % +4\\.00x"),
        () -> "[" + table.get(4) + "]");
    assertEquals(5, table.size(), "side figures have no lines of their own");
  }

  @Test
  void theMedianOfAnEvenNumberOfRoundsLiesBetweenTheMiddleOnes() {
    assertEquals(2.5, figure("bg3", "", 4.0, 1.0, 2.0, 3.0).median());
  }

  @Test
  void whatOneProcessWritesAnotherReads() throws IOException {
    MetricFile.Content content =
        new MetricFile.Content(
            "cache=1, bloom=10",
            List.of(figure("bg3", "a:1", 1.5, 2.25), figure("lmdb", "", 3e-9)),
            List.of(new Omission("walk", "lmdb", "no such call: name=walk")));
    Path file = directory.resolve("figures.tsv");
    MetricFile.write(file, content);
    assertEquals(content, MetricFile.read(file));
  }

  @Test
  void figuresThatAreZeroAndThoseOfThePaperAreInCharts() throws IOException {
    Metric none = Metric.single("copied", "ttl", "3 s", "MB", false, 0);
    Metric some = Metric.single("copied", "deletes", "3 s", "MB", false, 5);
    Metric paper = Metric.single("copied", Metric.REPORTED, "the paper", "MB/s", false, 8);
    List<Long> sizes = new ArrayList<>();
    for (List<Metric> figures :
        List.of(List.of(some), List.of(some, none), List.of(some, none, paper), List.of(none))) {
      List<String> written =
          Charts.write(new Report("ttl", figures), directory.resolve("run.jsonl"));
      assertEquals(List.of("run-copied-in-mb.png"), written);
      sizes.add(Files.size(directory.resolve(written.get(0))));
    }
    assertEquals(4, Set.copyOf(sizes).size(), sizes::toString);
    assertEquals(
        List.of(), Charts.write(new Report("ttl", List.of(paper)), directory.resolve("run.jsonl")));
  }

  @Test
  void aChartIsWrittenForEachWorkAndUnit() throws IOException {
    Report report =
        new Report(
            "bg3",
            List.of(
                figure("bg3", "", 1e6, 3e6),
                figure("rocksdb", "", 5e3),
                new Metric("scan.cpu", "bg3", "64 edges", "ns/op", false, "", List.of(4.0))));
    assertEquals(
        List.of("run-scan-in-edges-s.png"), Charts.write(report, directory.resolve("run.jsonl")));
    assertTrue(Files.size(directory.resolve("run-scan-in-edges-s.png")) > 1_000);
  }
}
