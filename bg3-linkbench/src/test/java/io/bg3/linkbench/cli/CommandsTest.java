package io.bg3.linkbench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.linkbench.workload.Workloads;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The commands as they are typed, in this process. */
class CommandsTest {
  private static final String[] SMALL = {
    "-c",
    Workloads.file().toString(),
    "-D",
    "maxid1=501",
    "-D",
    "nlinks_func=CONST",
    "-D",
    "nlinks_default=3",
    "-D",
    "nlinks_config=1",
    "-D",
    "requesters=2",
    "-D",
    "requests=300",
    "-D",
    "warmup_time=0"
  };

  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void aRunIsPrintedAndWrittenAndReportedAgain() throws IOException {
    Path csv = directory.resolve("run.csv");
    Path log = directory.resolve("run.hlog");
    Path seconds = directory.resolve("seconds.csv");
    Path png = directory.resolve("run.png");
    Path json = directory.resolve("run.json");
    assertEquals(
        0,
        run(
            "run",
            "--csv",
            csv.toString(),
            "-csvstream",
            seconds.toString(),
            "--hlog",
            log.toString(),
            "--png",
            png.toString(),
            "--json",
            json.toString()));
    assertTrue(out.toString().contains("LOAD PHASE COMPLETED: nodes=500, links="), out.toString());
    assertTrue(out.toString().contains("REQUEST PHASE COMPLETED: requests=600"), out.toString());
    assertTrue(out.toString().contains("SECONDS: "), out.toString());
    List<String> lines = Files.readAllLines(csv);
    assertEquals(
        "op,count,p25_low,p25_high,p50_low,p50_high,p75_low,p75_high,p95_low,p95_high,"
            + "p99_low,p99_high,max,mean",
        lines.get(0));
    assertEquals(
        600,
        lines.stream().skip(1).mapToLong(line -> Long.parseLong(line.split(",", -1)[1])).sum());
    List<String[]> rows =
        Files.readAllLines(seconds).stream().skip(1).map(line -> line.split(",", -1)).toList();
    assertEquals(600, rows.stream().mapToLong(row -> Long.parseLong(row[5])).sum());
    rows.forEach(row -> assertEquals(17, row.length, String.join(",", row)));
    assertTrue(Files.size(png) > 1_000);
    String figures = Files.readString(json);
    assertTrue(
        figures.contains("{\"work\":\"linkbench-requests\",\"system\":\"memory\",\"value\":"),
        figures);
    for (String name : List.of("GET_LINKS_LIST-p95", "ADD_LINK-max", "requests-resident")) {
      assertTrue(figures.contains("{\"work\":\"linkbench-" + name + "\""), figures);
    }
    assertTrue(figures.contains("-allocated\""), figures);
    out.getBuffer().setLength(0);
    assertEquals(0, execute(List.of("linkbench", "report", log.toString())));
    assertTrue(out.toString().contains("requests=600"), out.toString());
  }

  @Test
  void spaceOnTheDiskIsSaidBeforeAndAfterTheRequests() throws IOException {
    Path json = directory.resolve("disk.json");
    assertEquals(
        0,
        run(
            "run",
            "--load",
            "--store",
            "bg3",
            "--data",
            directory.resolve("data").toString(),
            "--json",
            json.toString()),
        err::toString);
    assertTrue(
        out.toString()
            .matches("(?s).*DISK: MiB before the requests=[0-9.,]+, after=[0-9.,]+, growth=[+-].*"),
        out.toString());
    String figures = Files.readString(json);
    for (String name : List.of("load-disk", "requests-disk-before", "requests-disk")) {
      assertTrue(figures.contains("{\"work\":\"linkbench-" + name + "\""), figures);
    }
  }

  @Test
  void aVerificationSaysThatAllIsWell() {
    assertEquals(0, run("verify", "--replay", "2000"));
    assertTrue(out.toString().contains("the store answers as it should"), out.toString());
  }

  @Test
  void wrongInputIsNamed() {
    assertEquals(2, run("load", "-D", "maxid1=x"));
    assertTrue(err.toString().contains("not a whole number: key=maxid1, value=x"), err.toString());
    assertEquals(2, execute(List.of("linkbench")));
    assertEquals(2, execute(List.of("linkbench", "load", "-c", "nowhere.properties")));
    assertTrue(err.toString().contains("nowhere.properties"), err.toString());
    assertEquals(1, execute(List.of("linkbench", "report", "nowhere.hlog")));
    assertTrue(err.toString().contains("nowhere.hlog"), err.toString());
  }

  private int run(String command, String... more) {
    List<String> arguments = new ArrayList<>(List.of("linkbench", command));
    arguments.addAll(List.of(SMALL));
    if (!List.of(more).contains("--store")) {
      arguments.addAll(List.of("--store", "memory"));
    }
    arguments.addAll(List.of(more));
    return execute(arguments);
  }

  private int execute(List<String> arguments) {
    CommandLine command =
        Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    return command.execute(arguments.toArray(String[]::new));
  }
}
