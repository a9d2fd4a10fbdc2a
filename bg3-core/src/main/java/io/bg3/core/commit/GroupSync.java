package io.bg3.core.commit;

import io.bg3.storage.log.WriteAheadLog;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * The log with {@link Durability#SYNC}: one of the waiting threads, the <i>leader</i>, writes and
 * syncs what all of them have appended. A single committer does so without any other thread, and
 * many share one write and one sync. What threads have appended that do not wait is synced by the
 * {@link LogWriter}, which they {@linkplain #request ask} for it (R59).
 *
 * <ul>
 *   <li>G1: a thread asks behind its append, and the writer takes the question before it looks how
 *       much is appended. So the sync that follows covers the append.
 *   <li>G2: a thread asks and then looks whether the writer sleeps; the writer says that it sleeps
 *       and then looks whether it was asked. One of the two sees the other.
 * </ul>
 *
 * <p>Threads: any.
 */
public final class GroupSync implements DurableLog {
  private final WriteAheadLog log;
  private final AtomicBoolean led = new AtomicBoolean();
  private final AtomicBoolean asked = new AtomicBoolean(); // set by any thread, taken by the writer
  private volatile Thread sleeper; // the writer while it sleeps, else null

  /** Syncs this log for the threads that wait for it. */
  public GroupSync(WriteAheadLog log) {
    this.log = log;
  }

  @Override
  public long durable() {
    return log.durable();
  }

  @Override
  public boolean lead(long position) throws IOException {
    if (led.get() || !led.compareAndSet(false, true)) {
      return false;
    }
    try {
      log.syncTo(position);
    } finally {
      led.set(false);
    }
    return true;
  }

  @Override
  public void request() {
    asked.set(true);
    Thread writer = sleeper;
    if (writer != null) {
      LockSupport.unpark(writer);
    }
  }

  /**
   * Waits until a thread asks for a sync, for so long at most, or until the calling thread is
   * unparked. Threads: the writer.
   *
   * @return whether one has asked
   */
  boolean awaitRequest(long nanos) {
    sleeper = Thread.currentThread();
    if (!asked.get()) {
      LockSupport.parkNanos(this, nanos);
    }
    sleeper = null;
    return asked.getAndSet(false); // in one step, so that a question in between is not lost
  }

  @Override
  public void settle() throws IOException {
    log.syncTo(log.end());
  }
}
