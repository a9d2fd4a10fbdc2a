package io.bg3.server.access;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jctools.queues.MpscArrayQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes lines of the audit log for event loops, which must not wait for a disk. A thread of its
 * own writes them in the order in which {@link #add} took them: within about a millisecond, or, if
 * the disk does not keep up, when those before have been written.
 *
 * <p>While lines keep coming, the thread looks for them each millisecond and no event loop wakes
 * it, because waking a thread takes longer than a short request.
 *
 * <p>Threads: any; closed once, by a thread that may wait for the disk.
 */
final class AuditWriter implements AutoCloseable {
  /** Lines that wait at most. */
  static final int CAPACITY = 4_096;

  /** Characters of the lines that wait, above which no thread adds more. */
  static final int MOST_CHARACTERS = 4 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(AuditWriter.class);
  private static final long CLOSE_MILLIS = TimeUnit.SECONDS.toMillis(30);

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** Pauses without a line after which the thread waits until it is woken. */
  private static final int IDLE_PAUSES = 20;

  private final MpscArrayQueue<AuditLine> lines = new MpscArrayQueue<>(CAPACITY);
  private final AtomicLong characters = new AtomicLong(); // of the lines that wait
  private final Consumer<AuditLine> log;
  private final Thread thread;
  private volatile boolean waits; // until it is woken
  private volatile boolean closed;

  /**
   * Starts the thread.
   *
   * @param log writes a line, however long that takes
   */
  AuditWriter(Consumer<AuditLine> log) {
    this.log = log;
    this.thread = new Thread(this::run, "bg3-audit");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Whether it takes lines: it is open, and its thread keeps up. Half of the lines are left for
   * those who have asked before.
   */
  boolean hasRoom() {
    return !closed && lines.size() < CAPACITY / 2 && characters.get() < MOST_CHARACTERS;
  }

  /**
   * Takes a line, without waiting.
   *
   * @return false if there is no room, or the writer is closed; then the line is not written
   */
  boolean add(AuditLine line) {
    if (closed || !lines.offer(line)) {
      return false;
    }
    characters.addAndGet(line.characters());
    if (waits) { // the thread looks at the lines once more behind setting it
      LockSupport.unpark(thread);
    }
    return true;
  }

  private void run() {
    int pauses = 0;
    while (true) {
      boolean isLast = closed; // read before the lines, so none is left behind
      pauses = writeAll() ? 0 : pauses + 1;
      if (isLast) {
        return;
      }
      if (pauses < IDLE_PAUSES) {
        LockSupport.parkNanos(this, PAUSE_NANOS);
      } else {
        waits = true;
        if (lines.isEmpty() && !closed) {
          LockSupport.park(this);
        }
        waits = false;
      }
    }
  }

  /** Writes what is there, and tells whether there was a line. */
  private boolean writeAll() {
    boolean any = false;
    for (AuditLine line = lines.poll(); line != null; line = lines.poll()) {
      characters.addAndGet(-line.characters());
      write(line);
      any = true;
    }
    return any;
  }

  /** Whatever happens, the next line is written. */
  private void write(AuditLine line) {
    try {
      log.accept(line);
    } catch (RuntimeException | Error e) {
      LOG.error("a line of the audit log was not written: cause={}", e.toString());
    }
  }

  /**
   * Writes all lines that {@link #add} has taken, and ends the thread. Gives up after half a minute
   * in which the disk does not take them, and says how many are lost.
   */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CLOSE_MILLIS);
    boolean isInterrupted = false;
    while (thread.isAlive() && System.nanoTime() - end < 0) {
      try {
        thread.join(CLOSE_MILLIS);
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (thread.isAlive()) {
      LOG.error("lines of the audit log are not written: lines={}", lines.size());
    } else {
      boolean unused = writeAll(); // of one who looked before it was closed
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
