package io.bg3.server.hostile;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The process of the attackers, at a low priority. */
public final class AttackProcess implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 600;
  private static final String PRIORITY = "10";
  private static final Pattern ROW = Pattern.compile("^(\\S.*?) +([\\d,]+)  ");

  private final Process process;
  private final List<String> table = new ArrayList<>();
  private final CountDownLatch ready = new CountDownLatch(1);
  private final Thread reader;

  /**
   * Starts it.
   *
   * @param seconds how long it attacks
   * @param oneAddress whether all attackers come from 127.0.0.1
   * @param names of the classes of attack, divided by commas
   */
  public AttackProcess(Target target, long seed, int seconds, boolean oneAddress, String names)
      throws IOException {
    process =
        new ProcessBuilder(
                "nice",
                "-n",
                PRIORITY,
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC", // no threads beside the one that attacks
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Attackers.class.getName(),
                Integer.toString(target.port()),
                Integer.toString(target.httpPort()),
                Boolean.toString(target.users()),
                Long.toString(seed),
                Integer.toString(seconds),
                Boolean.toString(oneAddress),
                names)
            .redirectErrorStream(true)
            .start();
    reader = new Thread(this::read, "output of " + process.pid());
    reader.start();
  }

  private void read() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.equals("ready")) {
          synchronized (table) {
            table.clear(); // what libraries say when they are loaded
          }
          ready.countDown();
        } else {
          synchronized (table) {
            table.add(line);
          }
        }
      }
    } catch (IOException e) {
      throw new AssertionError("the attackers' output broke", e);
    }
  }

  /** Waits until all messages are made. */
  public void awaitReady() throws InterruptedException {
    if (!ready.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("the attackers are not ready: " + table);
    }
  }

  /** Lets them begin. */
  public void go() throws IOException {
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
  }

  /** The failures of the attack itself, in words. */
  public List<String> problems() throws InterruptedException {
    List<String> problems = new ArrayList<>();
    for (String line : table()) {
      if (!ROW.matcher(line).find()) {
        problems.add("the attackers failed: " + line);
      }
    }
    if (process.waitFor() != 0) {
      problems.add("the attackers ended with exit code " + process.exitValue());
    }
    return problems;
  }

  /** The classes of attack that attempted nothing, in words: their time was over before. */
  public List<String> idle() throws InterruptedException {
    List<String> idle = new ArrayList<>();
    for (String line : table()) {
      Matcher row = ROW.matcher(line);
      if (row.find() && row.group(2).equals("0")) {
        idle.add("nothing was attempted: " + row.group(1));
      }
    }
    return idle;
  }

  /** Whether they have not ended. */
  public boolean isAttacking() {
    return process.isAlive();
  }

  /** A line for each class of attack: attempts, and how often each answer came. */
  public List<String> table() throws InterruptedException {
    reader.join();
    return List.copyOf(table);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
