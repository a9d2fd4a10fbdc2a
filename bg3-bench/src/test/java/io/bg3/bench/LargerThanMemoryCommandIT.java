package io.bg3.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands that measure stores larger than their memory, for their answers and not for their
 * figures: both systems read back all that was loaded and inserted with 8 MiB for 24 MB of data,
 * and a work whose systems disagree would end the command with exit code 1.
 *
 * <p>{@code -Dbg3.bench.cold.edges=N} compares both systems on a larger store. With 5,000,000,
 * which .ci/run sets, that is the short form of the benchmark: 24 MB of memory for 240 MB of data.
 */
class LargerThanMemoryCommandIT {
  private static final int FEW = 500_000;
  private static final int EDGES = Integer.getInteger("bg3.bench.cold.edges", FEW);
  private static final long LEAST_MEMORY = 8 << 20;
  private static final int BYTES_AN_EDGE = 48;

  @TempDir private Path directory;

  private final CommandRun bg3 = new CommandRun();

  private int run(String command, int edges, String... more) {
    List<String> arguments = new ArrayList<>(List.of("bench", command));
    arguments.add("--sources=" + Math.max(20_000, edges / 125 * 2));
    arguments.add("--edges=" + edges);
    arguments.addAll(List.of("--rounds=1", "--seconds=0.5"));
    arguments.addAll(List.of(more));
    return bg3.run(arguments.toArray(String[]::new));
  }

  @Test
  void bothSystemsGiveEqualAnswersFromATenthOfTheMemory() throws IOException {
    Path json = directory.resolve("run.jsonl");
    Path stores = directory.resolve("stores");
    int code = run("larger-than-memory", EDGES, "--dir=" + stores, "--json=" + json);
    assertEquals(0, code, () -> bg3.err + "\n" + bg3.out);
    List<String> lines = Files.readAllLines(json);
    for (String work : List.of("scan-cold", "hops-cold", "point-cold", "mix-cold")) {
      for (String side : List.of("", ".p50", ".p99", ".p99.9", ".reads", ".read")) {
        String start = "{\"work\": \"" + work + side + "\", ";
        assertEquals(
            2, lines.stream().filter(line -> line.startsWith(start)).count(), lines::toString);
      }
    }
    assertEquals(2, lines.stream().filter(line -> line.contains("mix-cold.written")).count());
    long memory = Math.max(LEAST_MEMORY, (long) EDGES * BYTES_AN_EDGE / 10);
    String setting = String.format(Locale.ROOT, "memory=%,d,", memory);
    assertTrue(bg3.out.toString().contains(setting), bg3.out::toString);
    assertEquals(0, stores.toFile().list().length, "nothing is left behind");
  }

  @Test
  void everyShareOfTheMemoryIsMeasured() {
    assertEquals(
        0,
        run("memory-share", FEW, "--shares=100,50", "--dir=" + directory),
        () -> bg3.err + "\n" + bg3.out);
    assertTrue(bg3.out.toString().contains("memory=24,000,000"), bg3.out::toString);
    assertTrue(bg3.out.toString().contains("memory=12,000,000"), bg3.out::toString);
    assertFalse(bg3.out.toString().contains("rocksdb"), bg3.out::toString);
    for (String line : List.of("scan-cold bg3 ", "scan-cold bg3-whole ", "mix-cold bg3-whole ")) {
      assertTrue(bg3.out.toString().contains("  " + line), bg3.out::toString);
    }
    assertTrue(bg3.out.toString().contains(" 100.0 "), bg3.out::toString);
  }

  @Test
  void mistakesAreNamed() {
    bg3.requireRefused(
        "the systems here are bg3 and rocksdb: asked=[lmdb]",
        "bench",
        "larger-than-memory",
        "--systems=lmdb");
    bg3.requireRefused("bg3.memory.budget", "bench", "larger-than-memory", "--memory=much");
    bg3.requireRefused("a share is 1 to 1000 percent", "bench", "memory-share", "--shares=0");
  }
}
