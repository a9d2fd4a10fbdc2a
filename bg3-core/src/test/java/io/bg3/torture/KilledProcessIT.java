package io.bg3.torture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.testing.Seeds;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a process that commits from four clients, {@code kill -9} at any moment, also while it
 * recovers from the kill before, and keeps outside of it what it acknowledged. Each time the store
 * opens again, everything acknowledged is there, of the commit in flight all or nothing, and the
 * check of all structures is clean.
 *
 * <p>{@code -Dbg3.torture.kills=N} makes it longer. A kill leaves the page cache in place, so it
 * says nothing about syncs: those are {@link PowerCutIT}'s.
 *
 * <p>Takes about 18 s, most of it starts of the JVM: it is the only test of the engine that loses a
 * whole process, with the real files and the real system below it.
 */
class KilledProcessIT {
  private static final int KILLS = Integer.getInteger("bg3.torture.kills", 28);
  private static final int KILLS_IN_RECOVERY = KILLS / 4;
  private static final int MOST_LIVES = 10 * KILLS;

  private final long seed = Seeds.one();
  private final Random random = new Random(seed);
  private final long[] acknowledged = new long[CommittingProcess.CLIENTS];
  private int kills;
  private int killsInRecovery;
  private long acknowledgements;
  private long openings;
  private long openMillis = 100;

  @TempDir Path directory;

  @Test
  void whatWasAcknowledgedBeforeAKillIsThereAfterIt() throws Exception {
    for (int life = 0; kills < KILLS || killsInRecovery < KILLS_IN_RECOVERY; life++) {
      assertTrue(life < MOST_LIVES, () -> "too few kills fell into recovery: " + summary());
      boolean inRecovery = life > 0 && (life % 2 == 1 || kills >= KILLS);
      live(inRecovery);
    }
    Process process = start();
    BlockingQueue<String> lines = read(process);
    verify(lines, process);
    kill(process);
    System.out.println("kill -9: " + summary());
    assertTrue(acknowledgements > 0);
  }

  private String summary() {
    return "kills="
        + kills
        + ", inside recovery="
        + killsInRecovery
        + ", openings verified="
        + openings
        + ", acknowledged commits="
        + acknowledgements
        + ", seed="
        + seed;
  }

  private void live(boolean inRecovery) throws Exception {
    Process process = start();
    BlockingQueue<String> lines = read(process);
    expect(lines, "opening");
    if (inRecovery) {
      TimeUnit.MICROSECONDS.sleep(random.nextInt(1000 * (int) Math.max(openMillis, 1)));
    } else {
      verify(lines, process);
      TimeUnit.MILLISECONDS.sleep(random.nextInt(600));
    }
    kill(process);
    boolean opened = !inRecovery;
    for (String line = next(lines); !line.equals(END); line = next(lines)) {
      opened |= line.startsWith("opened");
      note(line);
    }
    kills++;
    killsInRecovery += opened ? 0 : 1;
  }

  /** Reads until the store has been opened and checked, and compares. */
  private void verify(BlockingQueue<String> lines, Process process) throws Exception {
    String line = next(lines);
    while (!line.equals("checked")) {
      assertTrue(
          process.isAlive() && !line.equals(END), "the process died by itself, seed=" + seed);
      note(line);
      line = next(lines);
    }
    openings++;
  }

  private void note(String line) {
    String[] words = line.split(" ", -1);
    switch (words[0]) {
      case "opened" -> openMillis = Long.parseLong(words[1]);
      case "opening", "checked" -> {}
      case "ack" -> {
        acknowledged[Integer.parseInt(words[1])] = Long.parseLong(words[2]);
        acknowledgements++;
      }
      case "state" -> {
        long before = acknowledged[Integer.parseInt(words[1])];
        long found = Long.parseLong(words[2]);
        String where = line + ", acknowledged=" + before + ", " + summary();
        assertTrue(found >= before, () -> "lost: " + where);
        assertTrue(found <= before + 1, () -> "more than was in flight: " + where);
        acknowledged[Integer.parseInt(words[1])] = found;
      }
      default -> throw new AssertionError(line + ", " + summary());
    }
  }

  private static final String END = "";

  private Process start() throws IOException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    return new ProcessBuilder(
            List.of(
                java.toString(),
                "-Xmx512m",
                "-ea",
                "-cp",
                System.getProperty("java.class.path"),
                CommittingProcess.class.getName(),
                directory.resolve("store").toString()))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static BlockingQueue<String> read(Process process) {
    BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    Thread reader =
        new Thread(
            () -> {
              try (BufferedReader in =
                  new BufferedReader(
                      new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))) {
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                  lines.add(line);
                }
              } catch (IOException e) {
                lines.add("wrong " + e);
              } finally {
                lines.add(END);
              }
            });
    reader.setDaemon(true);
    reader.start();
    return lines;
  }

  private static void expect(BlockingQueue<String> lines, String expected)
      throws InterruptedException {
    assertEquals(expected, next(lines));
  }

  private static String next(BlockingQueue<String> lines) throws InterruptedException {
    String line = lines.poll(600, TimeUnit.SECONDS);
    assertTrue(line != null, "the process says nothing");
    return line;
  }

  /** SIGKILL: nothing in the process gets to know. */
  private static void kill(Process process) throws InterruptedException {
    process.toHandle().destroyForcibly(); // the process itself would close the pipe too
    assertTrue(process.waitFor(600, TimeUnit.SECONDS));
  }
}
