package io.bg3.torture;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.testing.Seeds;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A store of twenty times its memory budget is filled, read and updated in a process of its own,
 * killed with {@code kill -9}, and opened again with the same budget, several times. No operation
 * fails, for want of memory or anything else; everything that was acknowledged is there, and of the
 * commit in flight of each client all or nothing.
 *
 * <p>{@code -Dbg3.torture.small.mib=N} sets the data, {@code -Dbg3.torture.small.lives=N} the
 * number of processes, {@code -Dbg3.torture.small.commits=N} the commits before a kill.
 *
 * <p>Takes about 20 s: it is the only test that loses a process with far more data than memory.
 */
class SmallMemoryIT {
  private static final int BUDGET_MIB = 8;
  private static final int DATA_MIB = Integer.getInteger("bg3.torture.small.mib", 20 * BUDGET_MIB);
  private static final int LIVES = Integer.getInteger("bg3.torture.small.lives", 2);
  private static final int COMMITS = Integer.getInteger("bg3.torture.small.commits", 300);
  private static final String END = "";

  private final long seed = Seeds.one();
  private final Random random = new Random(seed);
  private final long[] acknowledged = new long[SmallMemoryProcess.CLIENTS];
  private final StringBuilder told = new StringBuilder();
  private int states;

  @TempDir Path directory;

  @Test
  void aStoreOfManyTimesItsMemorySurvivesKillsWithTheSameMemory() throws Exception {
    for (int life = 0; life < LIVES; life++) {
      live(1 + random.nextInt(COMMITS));
    }
    System.out.println("budget=" + BUDGET_MIB + " MiB, data=" + DATA_MIB + " MiB:" + told);
  }

  /** A process from its start until it has acknowledged so many commits, and its kill. */
  private void live(int commits) throws Exception {
    Process process = start();
    BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
    states = 0;
    String memory = "";
    int left = commits;
    boolean killed = false;
    try {
      for (String line = next(lines); !line.equals(END); line = next(lines)) {
        left -= note(line) ? 1 : 0;
        memory = line.startsWith("memory") ? line : memory;
        if (left == 0 && !killed) {
          process.toHandle().destroyForcibly(); // the process itself would close the pipe too
          killed = true;
        }
      }
    } finally {
      process.toHandle().destroyForcibly();
    }
    assertTrue(process.waitFor(600, TimeUnit.SECONDS));
    assertTrue(killed, () -> "the process died by itself" + at());
    told.append("; ").append(memory);
  }

  /** Takes a line; says whether it tells of a commit. */
  private boolean note(String line) {
    String[] words = line.split(" ", -1);
    switch (words[0]) {
      case "opened", "filled" -> told.append("; ").append(line);
      case "memory" -> {}
      case "ack" -> {
        acknowledged[Integer.parseInt(words[1])] = Long.parseLong(words[2]);
        return true;
      }
      case "state" -> {
        long before = acknowledged[Integer.parseInt(words[1])];
        long found = Long.parseLong(words[2]);
        assertTrue(found >= before, () -> "lost: " + line + at());
        assertTrue(found <= before + 1, () -> "more than was in flight: " + line + at());
        acknowledged[Integer.parseInt(words[1])] = found;
        states++;
      }
      default -> throw new AssertionError(line + at());
    }
    return false;
  }

  private String at() {
    return ", states=" + states + told + ", -Dbg3.seed=" + seed;
  }

  private static String next(BufferedReader lines) throws IOException {
    String line = lines.readLine();
    return line == null ? END : line;
  }

  private Process start() throws IOException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    return new ProcessBuilder(
            List.of(
                java.toString(),
                "-Xmx128m",
                "-ea",
                "-cp",
                System.getProperty("java.class.path"),
                SmallMemoryProcess.class.getName(),
                directory.resolve("store").toString(),
                Integer.toString(BUDGET_MIB),
                Integer.toString(DATA_MIB)))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }
}
