package io.bg3.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.bench.store.Contender;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The whole command with every work and every system, on a graph of a few thousand edges. */
class EngineCommandIT {
  @TempDir private Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    CommandLine command = Main.commandLine();
    command.setOut(new PrintWriter(out));
    command.setErr(new PrintWriter(err));
    return command.execute(arguments);
  }

  @Test
  void everyWorkRunsAndAllSystemsAgree() throws IOException {
    Path json = directory.resolve("run.jsonl");
    int code =
        run(
            "bench",
            "engine",
            "--sources=500",
            "--edges=5000",
            "--memory=64m",
            "--rounds=1",
            "--seconds=0.05",
            "--dir=" + directory.resolve("stores"),
            "--json=" + json);
    assertEquals(0, code, err::toString);
    List<String> lines = Files.readAllLines(json);
    for (EngineWork work : EngineWork.values()) {
      String name = work.name().toLowerCase(Locale.ROOT).replace('_', '-');
      for (Contender contender : work.contenders()) {
        String start =
            "{\"work\": \"" + name + "\", \"system\": \"" + contender.text() + "\", \"value\": ";
        assertTrue(
            lines.stream().anyMatch(line -> line.startsWith(start)),
            () -> "no figure: " + start + "\n" + out);
      }
    }
    assertTrue(Files.exists(directory.resolve("run-scan-in-edges-s.png")));
    assertTrue(out.toString().contains("fdatasync"), out::toString);
  }

  @Test
  void theEasierConditionsRunAndAllSystemsAgree() throws IOException {
    Path json = directory.resolve("run.jsonl");
    String[] easy = {
      "bench",
      "engine",
      "--sources=500",
      "--edges=5000",
      "--memory=64m",
      "--rounds=1",
      "--seconds=0.05",
      "--load-order=sorted",
      "--overwrite=0",
      "--heavy=drop",
      "--transaction=shared",
      "--handover=later",
      "--reads=reopened",
      "--compact",
      "--keep",
      "--only=scan,scan-values,hops,point,commit-none",
      "--systems=bg3,rocksdb,lmdb",
      "--dir=" + directory.resolve("stores"),
      "--json=" + json
    };
    assertEquals(0, run(easy), err::toString);
    String table = out.toString();
    assertTrue(
        table.contains("conditions: --load-order sorted --overwrite 0.0 --heavy drop"), table);
    assertTrue(table.contains(" edges a scan, at most "), table);
    assertTrue(table.contains("one entry, handed over later, threads=2"), table);
    assertFalse(table.contains("csr"), table);
    assertFalse(table.contains("overwrite  ("), table);
    assertEquals(0, run(easy), err::toString); // with the stores that were kept
    easy[7] = "--load-order=random";
    assertEquals(1, run(easy));
    assertTrue(err.toString().contains("the kept store was made in another way"), err::toString);
  }

  @Test
  void keptStoresCannotBeReadByTheProcessThatHasWrittenThem() {
    assertEquals(2, run("bench", "engine", "--keep", "--dir=" + directory));
    assertTrue(err.toString().contains("--keep needs --reads reopened"), err::toString);
  }

  @Test
  void aSystemThatIsNotThereIsNamedWithThoseThatAre() {
    assertEquals(2, run("bench", "engine", "--systems=rocks"));
    assertTrue(err.toString().contains("no such system: system=rocks, known=bg3, "), err::toString);
  }

  @Test
  void aWorkThatIsNotThereIsNamedWithThoseThatAre() {
    assertEquals(2, run("bench", "engine", "--only=scam"));
    assertTrue(err.toString().contains("no such work: work=scam, known=load, "), err::toString);
  }

  @Test
  void moreEdgesThanTheDiskHoldsAreRefusedBeforeAnythingIsDone() {
    assertEquals(
        1,
        run(
            "bench",
            "engine",
            "--sources=100000000",
            "--edges=100000000000",
            "--dir=" + directory.resolve("stores")));
    assertTrue(err.toString().contains("the disk is too small: "), err::toString);
  }
}
