package io.bg3.bench;

import io.bg3.bench.server.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM of its own that loads a graph and serves it until it is closed, or this one ends. */
final class ServingProcess implements AutoCloseable {
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(60);
  private static final int POLL_MILLIS = 50;

  private final Process process;
  private final Path log;
  private final Path ports;

  private ServingProcess(Process process, Path log, Path ports) {
    this.process = process;
    this.log = log;
    this.ports = ports;
  }

  /**
   * Starts a main class that serves until its standard input ends.
   *
   * @param directory of the process, for what it says
   * @param ports the file that it writes ({@link Ports}) when it serves
   */
  static ServingProcess start(
      List<String> flags, Class<?> main, List<String> arguments, Path directory, Path ports)
      throws IOException {
    Path log = directory.resolve("output.txt");
    return new ServingProcess(Jvm.start(flags, main, arguments, log), log, ports);
  }

  /** The process, for what it has taken of the processors. */
  ProcessHandle handle() {
    return process.toHandle();
  }

  /**
   * Waits until it serves.
   *
   * @return its ports
   * @throws IOException if it has ended; the message has the end of what it said
   */
  List<Integer> ports() throws IOException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (Files.notExists(ports)) {
      if (!process.isAlive() || System.nanoTime() > end) {
        throw new IOException("a server did not start:\n" + Jvm.tail(log));
      }
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while a server starts", e);
      }
    }
    return Ports.read(ports);
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
