package io.bg3.server.hostile;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code bin/bg3 server} with 512 MiB of heap on two processors, and what Linux and the virtual
 * machine say of its process. Its output goes to a file.
 */
public final class HostileServer implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 600;
  private static final int PROCESSORS = 2;
  private static final Pattern WORKER =
      Pattern.compile("\"(bg3-query|bg3-judge|bg3-login|session|gremlin-server-worker)");
  private static final int DUMPED = 12; // lines of a thread
  private static final Pattern TOTAL = Pattern.compile("(?m)^Total +\\d+ +(\\d+)");
  private static final String ESTABLISHED = "01";
  private static final String CLOSE_WAIT = "08"; // the client is gone, the server has not noticed

  private final Path directory;
  private final Target target;
  private final Process process;

  /**
   * Starts the server on a new store and returns when it listens.
   *
   * @param directory for the store and for what the server writes
   * @param settings lines of its configuration
   * @param users the file of its users; null for none
   */
  public HostileServer(Path directory, int port, int httpPort, Path users, List<String> settings)
      throws IOException, InterruptedException {
    this.directory = directory;
    this.target = new Target(port, httpPort, users != null);
    Files.createDirectories(logs());
    Path config = Files.write(directory.resolve("bg3.properties"), settings);
    Path root = Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();
    List<String> command = new ArrayList<>();
    if (Runtime.getRuntime().availableProcessors() > PROCESSORS) {
      command.addAll(List.of("taskset", "-c", "0,1"));
    }
    command.addAll(
        List.of(
            root.resolve("bin/bg3").toString(),
            "server",
            "--data",
            directory.resolve("store").toString(),
            "--config",
            config.toString(),
            "--port",
            Integer.toString(port),
            "--http-port",
            Integer.toString(httpPort)));
    if (users != null) {
      command.addAll(List.of("--users", users.toString()));
    }
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(logs().toFile())
            .redirectErrorStream(true)
            .redirectOutput(output().toFile());
    builder.environment().put("BG3_BUILD", "no");
    builder.environment().put("BG3_HEAP", "512m");
    builder.environment().put("BG3_DIRECT", "512m");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    process = builder.start();
    awaitListening();
  }

  private void awaitListening() throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!Files.readString(output()).contains("listening on ")) {
      if (!process.isAlive() || System.nanoTime() > end) {
        close();
        throw new AssertionError("the server does not listen:\n" + Files.readString(output()));
      }
      Thread.sleep(50);
    }
  }

  /** Where it listens. */
  public Target target() {
    return target;
  }

  /** Whether the process lives. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Everything that the server has written for people, its store and the audit log apart. */
  public List<String> logLines() throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.walk(logs())) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        lines.addAll(lines(file));
      }
    }
    return lines;
  }

  /** The lines of a file that may hold any bytes. */
  public static List<String> lines(Path file) throws IOException {
    return List.of(new String(Files.readAllBytes(file), StandardCharsets.UTF_8).split("\n", -1));
  }

  /** Bytes of it. */
  public long logBytes() throws IOException {
    try (Stream<Path> files = Files.walk(logs())) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }

  /** The directory in which the server runs. */
  private Path logs() {
    return directory.resolve("run");
  }

  private Path output() {
    return logs().resolve("output.log");
  }

  /** Threads of the process; 0 if it has ended. */
  public long threads() throws IOException {
    return status("Threads");
  }

  /** Bytes of memory that the process has now. */
  public long residentBytes() throws IOException {
    return status("VmRSS") << 10;
  }

  private long status(String name) throws IOException {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    if (Files.notExists(status)) {
      return 0;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith(name + ":"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElse(0);
  }

  /** Connections to its ports that the server has not closed. */
  public long connections() throws IOException {
    long count = 0;
    for (String file : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
      if (Files.exists(Path.of(file))) {
        count += Files.readAllLines(Path.of(file)).stream().filter(this::isOpen).count();
      }
    }
    return count;
  }

  /** Whether a line like {@code 0: 0100007F:1F90 0200007F:D431 01 ...} is about this server. */
  private boolean isOpen(String line) {
    String[] fields = line.strip().split("\\s+", 5);
    if (fields.length < 5 || !(fields[3].equals(ESTABLISHED) || fields[3].equals(CLOSE_WAIT))) {
      return false;
    }
    int port = Integer.parseInt(fields[1].substring(fields[1].indexOf(':') + 1), 16);
    return port == target.port() || port == target.httpPort();
  }

  /** Bytes of live objects in the heap, after a full collection. */
  public long liveBytes() throws IOException, InterruptedException {
    String printed = jcmd("GC.class_histogram");
    Matcher total = TOTAL.matcher(printed);
    if (!total.find()) {
      throw new AssertionError("no total in the histogram: " + printed);
    }
    return Long.parseLong(total.group(1));
  }

  /** The stacks of the threads that work for clients: the first lines of each. */
  public String threadDump() throws IOException, InterruptedException {
    return Arrays.stream(jcmd("Thread.print").split("\n\n", -1))
        .filter(thread -> WORKER.matcher(thread).lookingAt())
        .map(thread -> thread.lines().limit(DUMPED).collect(Collectors.joining("\n")))
        .collect(Collectors.joining("\n"));
  }

  private String jcmd(String command) throws IOException, InterruptedException {
    Path printed = directory.resolve("jcmd.txt");
    Process jcmd =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(process.pid()),
                command)
            .redirectErrorStream(true)
            .redirectOutput(printed.toFile())
            .start();
    if (!jcmd.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      jcmd.destroyForcibly();
      throw new AssertionError("the virtual machine does not answer: command=" + command);
    }
    return Files.readString(printed);
  }

  @Override
  public void close() {
    process.toHandle().destroyForcibly();
    process.onExit().join();
  }
}
