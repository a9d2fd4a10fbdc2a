package io.bg3.linkbench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.linkbench.workload.Workloads;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that makes requests is killed in the middle, some times in a row; counts agree with
 * links each time, and the store is sound.
 *
 * <p>Takes about 9 s: it proves that LinkBench's data survives a kill. The number of kills is a
 * constant.
 */
class KilledRunIT {
  private static final int KILLS = 4;

  @TempDir private Path directory;

  @Test
  void countsAgreeWithTheLinksAfterAKill() throws IOException, InterruptedException {
    long seed = Seeds.one();
    Random random = new Random(seed);
    assertEquals(0, run(arguments("load")));
    for (int kill = 0; kill < KILLS; kill++) {
      killed(random, kill % 2 == 0 ? "sync" : "async", "-Dbg3.seed=" + seed + ", kill " + kill);
      StringWriter out = new StringWriter();
      int code =
          Main.commandLine()
              .setOut(new PrintWriter(out))
              .execute(arguments("verify", "--counts").toArray(String[]::new));
      assertEquals(0, code, "-Dbg3.seed=" + seed + ", kill " + kill + ": " + out);
    }
  }

  private void killed(Random random, String durability, String at)
      throws IOException, InterruptedException {
    Path log = directory.resolve("log");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx256m");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(Main.class.getName());
    command.addAll(arguments("run", "--durability", durability));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      for (int i = 0; i < 600 && process.isAlive() && !isRunning(log); i++) {
        Thread.sleep(100);
      }
      Thread.sleep(300 + random.nextInt(1_500));
      assertTrue(process.isAlive(), () -> at + ": " + text(log));
    } finally {
      process.destroyForcibly();
    }
    assertTrue(process.waitFor(1, TimeUnit.MINUTES), at);
  }

  /** The introduction is printed when the store is open, just before the first request. */
  private static boolean isRunning(Path log) {
    return text(log).contains("workload:");
  }

  private static String text(Path log) {
    try {
      return Files.exists(log) ? Files.readString(log) : "";
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static int run(List<String> arguments) {
    return Main.commandLine()
        .setOut(new PrintWriter(new StringWriter()))
        .execute(arguments.toArray(String[]::new));
  }

  private List<String> arguments(String... first) {
    List<String> arguments = new ArrayList<>(List.of("linkbench"));
    arguments.addAll(List.of(first));
    arguments.addAll(
        List.of("-c", Workloads.file().toString(), "--data", directory.resolve("data").toString()));
    for (String key :
        List.of(
            "maxid1=301",
            "nlinks_func=CONST",
            "nlinks_default=4",
            "nlinks_config=1",
            "requesters=4",
            "maxtime=3600",
            "warmup_time=0",
            "bg3.memory.budget=64m")) {
      arguments.add("-D");
      arguments.add(key);
    }
    return arguments;
  }
}
