package io.bg3.core.recovery;

import io.bg3.storage.file.Disk;
import io.bg3.storage.file.DiskFile;
import io.bg3.storage.file.ForwardingDisk;
import io.bg3.storage.file.ForwardingFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Semaphore;

/**
 * A disk on which writes and syncs of extents take the time of a clock that a test moves, and a
 * second thread that uses it. One of the two threads runs at a time: the second one stops where it
 * has to wait for the disk, and says when it wants to go on.
 *
 * <pre>
 *   test's thread    proceed() | ...commits... | proceed() | ...
 *   second thread              write |                  sync |
 *                                    wakesAt                 wakesAt
 * </pre>
 */
final class SteppedDisk extends ForwardingDisk {
  /** The work of the second thread. */
  interface Work {
    void run() throws IOException;
  }

  private final long writeNanos;
  private final long syncNanos;
  private final Semaphore mayRun = new Semaphore(0);
  private final Semaphore hasStopped = new Semaphore(0);
  private final Thread thread;

  /** Read and written by the thread that runs; the semaphores order that. */
  private long now;

  private long wakesAt;
  private Throwable failure;
  private volatile boolean ended;

  /**
   * A disk whose time stands still unless the second thread runs.
   *
   * @param work of the second thread, again and again
   */
  SteppedDisk(Disk disk, long writeNanos, long syncNanos, Work work) {
    super(disk);
    this.writeNanos = writeNanos;
    this.syncNanos = syncNanos;
    this.thread = new Thread(() -> runAll(work));
  }

  void start() {
    thread.start();
  }

  private void runAll(Work work) {
    mayRun.acquireUninterruptibly();
    try {
      while (!ended) {
        work.run();
      }
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
    }
    ended = true;
    hasStopped.release();
  }

  /** The time. */
  long now() {
    return now;
  }

  /** Moves the clock, not beyond {@link #wakesAt}. */
  void pass(long nanos) {
    now += nanos;
  }

  /** When the second thread goes on. */
  long wakesAt() {
    return wakesAt;
  }

  /** Lets the second thread run until it waits for the disk again, or for its next work. */
  void proceed() {
    now = Math.max(now, wakesAt);
    mayRun.release();
    hasStopped.acquireUninterruptibly();
    if (failure != null) {
      throw new AssertionError("the second thread failed", failure);
    }
  }

  /** Has the second thread wait. */
  void pause(long nanos) {
    if (Thread.currentThread() == thread && !ended) {
      wakesAt = now + nanos;
      hasStopped.release();
      mayRun.acquireUninterruptibly();
    }
  }

  /** Ends the second thread behind what it does now, for which the disk takes no time. */
  void end() throws InterruptedException {
    ended = true;
    mayRun.release();
    thread.join();
  }

  @Override
  protected DiskFile wrap(DiskFile file) {
    return file.name().startsWith("extent-") ? new SteppedFile(file) : file;
  }

  private final class SteppedFile extends ForwardingFile {
    SteppedFile(DiskFile file) {
      super(file);
    }

    @Override
    public void write(ByteBuffer from, long position) throws IOException {
      pause(writeNanos);
      file.write(from, position);
    }

    @Override
    public void sync() throws IOException {
      pause(syncNanos);
      file.sync();
    }
  }
}
