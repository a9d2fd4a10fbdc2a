package io.bg3.server.log;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A log file that goes on after an error. While the file cannot be opened or written, its lines are
 * counted as lost, the standard error says why, and each second the file is opened again. A new
 * file is readable by its owner only.
 *
 * <p>Threads: one at a time, the caller sees to it.
 */
final class ReopeningFile extends OutputStream {
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long REPORT_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Path file;
  private final AtomicLong lost; // of all files of a log
  private final PrintStream errors;
  private final LongSupplier nanos;
  private OutputStream out; // null while it cannot be opened
  private long tried;
  private long reported;
  private boolean hasReported;
  private long lostBefore;

  /** A file that is not open yet; the first write opens it. */
  ReopeningFile(Path file, AtomicLong lost, PrintStream errors, LongSupplier nanos) {
    this.file = file;
    this.lost = lost;
    this.errors = errors;
    this.nanos = nanos;
    this.lostBefore = lost.get();
    this.tried = nanos.getAsLong() - RETRY_NANOS;
  }

  /** Opens the file, and makes it where it is not there. */
  void open() throws IOException {
    makePrivate(file);
    out = new FileOutputStream(file.toFile(), true);
  }

  /** Makes a file that its owner may read and write, unless it is there with rights of its own. */
  static void makePrivate(Path file) throws IOException {
    try {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } catch (FileAlreadyExistsException e) {
      return; // it has the rights that its owner gave it
    }
  }

  @Override
  public void write(int one) {
    write(new byte[] {(byte) one}, 0, 1);
  }

  /** Writes a line, or counts it as lost. */
  @Override
  public void write(byte[] line, int offset, int length) {
    if (out == null && !reopen()) {
      lost.incrementAndGet();
      return;
    }
    try {
      out.write(line, offset, length);
    } catch (IOException e) {
      lost.incrementAndGet();
      close();
      tried = nanos.getAsLong();
      report(e);
    }
  }

  private boolean reopen() {
    long now = nanos.getAsLong();
    if (now - tried < RETRY_NANOS) {
      return false;
    }
    tried = now;
    try {
      open();
      if (lost.get() > lostBefore) {
        out.write(System.lineSeparator().getBytes(StandardCharsets.UTF_8));
        errors.println(
            "bg3: a log can be written again: file=" + file + ", linesLost=" + newlyLost());
        hasReported = false;
      }
      return true;
    } catch (IOException e) {
      close();
      report(e);
      return false;
    }
  }

  private long newlyLost() {
    long before = lostBefore;
    lostBefore = lost.get();
    return lostBefore - before;
  }

  private void report(IOException problem) {
    long now = nanos.getAsLong();
    if (!hasReported || now - reported >= REPORT_NANOS) {
      hasReported = true;
      reported = now;
      errors.println(
          "bg3: a log cannot be written, and its lines are lost: file="
              + file
              + ", problem="
              + Printable.unquoted(String.valueOf(problem), ClientLog.LENGTH));
    }
  }

  @Override
  public void close() {
    OutputStream closed = out;
    out = null;
    if (closed != null) {
      try {
        closed.close();
      } catch (IOException e) {
        report(e);
      }
    }
  }
}
