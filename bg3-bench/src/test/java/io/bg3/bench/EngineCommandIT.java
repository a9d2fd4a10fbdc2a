package io.bg3.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.bench.store.Contender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole command with every work and every system, on a graph of a few thousand edges. */
class EngineCommandIT {
  @TempDir private Path directory;

  private final CommandRun bg3 = new CommandRun();

  @Test
  void everyWorkRunsAndAllSystemsAgree() throws IOException {
    Path json = directory.resolve("run.jsonl");
    List<String> lines =
        bg3.measure(
            json,
            "bench",
            "engine",
            "--sources=500",
            "--edges=5000",
            "--memory=64m",
            "--rounds=1",
            "--seconds=0.05",
            "--dir=" + directory.resolve("stores"));
    for (EngineWork work : EngineWork.values()) {
      String name = work.name().toLowerCase(Locale.ROOT).replace('_', '-');
      for (Contender contender : work.contenders()) {
        String start =
            "{\"work\": \"" + name + "\", \"system\": \"" + contender.text() + "\", \"value\": ";
        assertTrue(
            lines.stream().anyMatch(line -> line.startsWith(start)),
            () -> "no figure: " + start + "\n" + bg3.out);
      }
    }
    assertTrue(Files.exists(directory.resolve("run-scan-in-edges-s.png")));
    assertTrue(bg3.out.toString().contains("fdatasync"), bg3.out::toString);
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
    assertEquals(0, bg3.run(easy), bg3.err::toString);
    String table = bg3.out.toString();
    assertTrue(
        table.contains("conditions: --load-order sorted --overwrite 0.0 --heavy drop"), table);
    assertTrue(table.contains(" edges a scan, at most "), table);
    assertTrue(table.contains("one entry, handed over later, threads=2"), table);
    assertFalse(table.contains("csr"), table);
    assertFalse(table.contains("overwrite  ("), table);
    assertEquals(0, bg3.run(easy), bg3.err::toString); // with the stores that were kept
    easy[7] = "--load-order=random";
    assertEquals(1, bg3.run(easy));
    assertTrue(
        bg3.err.toString().contains("the kept store was made in another way"), bg3.err::toString);
  }

  @Test
  void keptStoresCannotBeReadByTheProcessThatHasWrittenThem() {
    bg3.requireRefused(
        "--keep needs --reads reopened", "bench", "engine", "--keep", "--dir=" + directory);
  }

  @Test
  void aSystemThatIsNotThereIsNamedWithThoseThatAre() {
    bg3.requireRefused(
        "no such system: system=rocks, known=bg3, ", "bench", "engine", "--systems=rocks");
  }

  @Test
  void aWorkThatIsNotThereIsNamedWithThoseThatAre() {
    bg3.requireRefused("no such work: work=scam, known=load, ", "bench", "engine", "--only=scam");
  }

  @Test
  void moreEdgesThanTheDiskHoldsAreRefusedBeforeAnythingIsDone() {
    assertEquals(
        1,
        bg3.run(
            "bench",
            "engine",
            "--sources=100000000",
            "--edges=100000000000000",
            "--dir=" + directory.resolve("stores")));
    assertTrue(bg3.err.toString().contains("the disk is too small: "), bg3.err::toString);
  }
}
