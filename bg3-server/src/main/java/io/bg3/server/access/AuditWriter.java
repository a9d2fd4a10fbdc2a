package io.bg3.server.access;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jctools.queues.MpscArrayQueue;

/**
 * Writes lines of the audit log for event loops, which must not wait for a disk. A thread of its
 * own writes a line within about a millisecond, in the order in which {@link #add} took them.
 *
 * <p>While lines keep coming, the thread looks for them each millisecond and no event loop wakes
 * it, because waking a thread takes longer than a short request.
 *
 * <p>Threads: any; closed once, by a thread that may wait for the disk.
 */
final class AuditWriter implements AutoCloseable {
  /** Lines that wait; a line has at most some thousand characters. */
  static final int CAPACITY = 4_096;

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** Pauses without a line after which the thread waits until it is woken. */
  private static final int IDLE_PAUSES = 20;

  private final MpscArrayQueue<Object[]> lines = new MpscArrayQueue<>(CAPACITY);
  private final Consumer<Object[]> log;
  private final Thread thread;
  private volatile boolean waits; // until it is woken
  private volatile boolean closed;

  /**
   * Starts the thread.
   *
   * @param log writes a line of these fields, however long that takes
   */
  AuditWriter(Consumer<Object[]> log) {
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
    return !closed && lines.size() < CAPACITY / 2;
  }

  /**
   * Takes a line, without waiting.
   *
   * @param line the fields of a line
   * @return false if there is no room, or the writer is closed; then the line is not written
   */
  boolean add(Object[] line) {
    if (closed || !lines.offer(line)) {
      return false;
    }
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
    for (Object[] line = lines.poll(); line != null; line = lines.poll()) {
      log.accept(line);
      any = true;
    }
    return any;
  }

  /** Writes all lines that {@link #add} has taken, and ends the thread. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    boolean isInterrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    boolean unused = writeAll(); // of one who looked before it was closed
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
