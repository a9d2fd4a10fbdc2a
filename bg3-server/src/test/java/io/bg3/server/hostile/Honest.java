package io.bg3.server.hostile;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * An honest client in a language of its own: a program that reads and writes through the driver of
 * the language, prints a line for each request, and ends with its standard input.
 */
public final class Honest implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 300;

  private final Ledger ledger = new Ledger();
  private final Process process;
  private final Path errors;
  private final Thread reader;

  /**
   * Starts the program.
   *
   * @param errors the file for its standard error
   */
  public Honest(ProcessBuilder program, Path errors) throws IOException {
    this.errors = errors;
    this.process = program.redirectError(errors.toFile()).start();
    this.reader = new Thread(this::read, "output of " + process.pid());
    reader.start();
  }

  private void read() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      lines.lines().forEach(ledger::add);
    } catch (IOException e) {
      throw new AssertionError("a client's output broke", e);
    }
  }

  /** The answers that the client got. */
  public Ledger ledger() {
    return ledger;
  }

  /** Ends the program behind its last request; returns when all of its lines are read. */
  public void stop() throws IOException, InterruptedException {
    process.getOutputStream().close();
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("an honest client does not end: " + Files.readString(errors));
    }
    reader.join();
    if (process.exitValue() != 0) {
      throw new AssertionError("an honest client failed: " + Files.readString(errors));
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
