package io.bg3.server;

import io.bg3.server.access.Keystores;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * {@code bin/bg3} as a process of its own, with what it prints. The process compiles by the quick
 * compiler only: most live for seconds, and half of their processor time would go to the other.
 */
final class Launched implements AutoCloseable {
  private static final String QUICK = "-XX:TieredStopAtLevel=1";

  private static final long PATIENCE_SECONDS = 600;

  private final Process process;
  private final List<String> output = new ArrayList<>();
  private final CountDownLatch listening = new CountDownLatch(1);
  private final Thread reader;

  private Launched(Process process) {
    this.process = process;
    this.reader = new Thread(this::read, "output of " + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  /** Starts the program that this build has packaged. */
  static Launched bg3(String... arguments) throws IOException {
    return launch("", arguments);
  }

  /** The arguments for a server whose limits are longer than a machine may pause. */
  static String[] patientServer(Path data, int port) throws IOException {
    return patientServer(data, port, "");
  }

  /** The same with more lines of configuration. */
  static String[] patientServer(Path data, int port, String more) throws IOException {
    Path config = data.resolveSibling("patient.properties");
    Files.writeString(
        config, "server.handshake.timeout=120000\nserver.evaluation.timeout=600000\n" + more);
    return new String[] {
      "server",
      "--config",
      config.toString(),
      "--data",
      data.toString(),
      "--port",
      Integer.toString(port)
    };
  }

  /** The same with another configuration of what is logged. */
  static Launched talkative(Path logback, String... arguments) throws IOException {
    return launch("-Dlogback.configurationFile=" + logback, arguments);
  }

  /** The same in a shell that lets it write files of so many KiB at most. */
  static Launched limited(int kibibytes, String... arguments) throws IOException {
    ProcessBuilder builder = builder("", arguments);
    List<String> command =
        new ArrayList<>(List.of("bash", "-c", "ulimit -f " + kibibytes + " && exec \"$0\" \"$@\""));
    command.addAll(builder.command());
    return new Launched(builder.command(command).start());
  }

  /** The same with a file for its standard input. */
  static Launched fed(Path input, String... arguments) throws IOException {
    return new Launched(builder("", arguments).redirectInput(input.toFile()).start());
  }

  private static Launched launch(String javaOptions, String... arguments) throws IOException {
    return new Launched(builder(javaOptions, arguments).start());
  }

  private static ProcessBuilder builder(String javaOptions, String... arguments) {
    Path root = Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();
    List<String> command = new ArrayList<>(List.of(root.resolve("bin/bg3").toString()));
    command.addAll(Arrays.asList(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("BG3_BUILD", "no");
    builder.environment().put("BG3_JAVA_OPTIONS", QUICK + " " + javaOptions);
    builder.environment().put("BG3_HEAP", "512m");
    builder.environment().put("BG3_TRUST_PASSWORD", Keystores.PASSWORD);
    builder.environment().put("BG3_DIRECT", "512m");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    return builder;
  }

  private void read() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        synchronized (output) {
          output.add(line);
        }
        if (line.startsWith("listening on ")) {
          listening.countDown();
        }
      }
    } catch (IOException e) {
      synchronized (output) {
        output.add("(output ended: " + e.getMessage() + ")");
      }
    }
  }

  /** Waits until the server says that it listens. */
  Launched awaitListening() throws InterruptedException {
    for (int i = 0; i < PATIENCE_SECONDS * 10; i++) {
      if (listening.await(100, TimeUnit.MILLISECONDS)) {
        return this;
      }
      if (!process.isAlive()) {
        break;
      }
    }
    throw new AssertionError("the server does not listen:\n" + output());
  }

  boolean isAlive() {
    return process.isAlive();
  }

  boolean isListening() {
    return listening.getCount() == 0;
  }

  /** Waits for the end and gives the exit code. */
  int awaitExit() throws InterruptedException {
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("the process does not end:\n" + output());
    }
    reader.join(TimeUnit.SECONDS.toMillis(120));
    return process.exitValue();
  }

  String output() {
    synchronized (output) {
      return String.join("\n", output);
    }
  }

  long pid() {
    return process.pid();
  }

  /** SIGTERM. */
  void terminate() {
    process.toHandle().destroy(); // Process.destroy would close the pipe that is still read
  }

  /** SIGKILL. */
  void kill() throws InterruptedException {
    process.toHandle().destroyForcibly();
    awaitExit();
  }

  @Override
  public void close() {
    process.toHandle().destroyForcibly();
  }
}
