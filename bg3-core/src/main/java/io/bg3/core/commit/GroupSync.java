package io.bg3.core.commit;

import io.bg3.storage.log.WriteAheadLog;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * The log with {@link Durability#SYNC}: one of the waiting threads, the <i>leader</i>, writes and
 * syncs what all of them have appended. A single committer does so without any other thread, and
 * many share one write and one sync. What threads have appended that do not wait is synced by the
 * {@link LogWriter}, which they {@linkplain #request ask} for it, or by themselves {@linkplain
 * #leadIfShort where that is short} (R59).
 *
 * <ul>
 *   <li>G1: a thread asks behind its append, and the writer takes the question before it looks how
 *       much is appended. So the sync that follows covers the append.
 *   <li>G2: a thread asks and then looks whether the writer sleeps; the writer says that it sleeps
 *       and then looks whether it was asked. One of the two sees the other.
 *   <li>G3: a thread that has other things to do syncs by itself only if the last syncs were short
 *       ({@link SyncTimes}), less than {@link #MOST_BYTES} are to be written, and it sees neither a
 *       leader nor the writer syncing. If one of them begins at that moment, it waits for that sync
 *       too.
 * </ul>
 *
 * <p>Threads: any.
 */
public final class GroupSync implements DurableLog {
  /** The most that a thread writes which has other things to do. */
  private static final int MOST_BYTES = 64 << 10;

  private final WriteAheadLog log;
  private final SyncTimes times;
  private final AtomicBoolean led = new AtomicBoolean();
  private final AtomicBoolean asked = new AtomicBoolean(); // set by any thread, taken by the writer
  private volatile Thread sleeper; // the writer while it sleeps, else null
  private volatile boolean isWriting; // set by the writer while it syncs

  /** Syncs this log for the threads that wait for it. */
  public GroupSync(WriteAheadLog log) {
    this(log, new SyncTimes(System::nanoTime));
  }

  GroupSync(WriteAheadLog log, SyncTimes times) {
    this.log = log;
    this.times = times;
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
      syncTo(position);
    } finally {
      led.set(false);
    }
    return true;
  }

  @Override
  public boolean leadIfShort() throws IOException {
    long end = log.end();
    return !isWriterAtIt() && isLittle(end) && times.areShort() && lead(end);
  }

  private boolean isWriterAtIt() {
    return isWriting;
  }

  private boolean isLittle(long end) {
    return end - log.durable() <= MOST_BYTES;
  }

  /** Syncs without leading: others lead meanwhile, and wait. Threads: the writer. */
  void write(long position) throws IOException {
    isWriting = true;
    try {
      syncTo(position);
    } finally {
      isWriting = false;
    }
  }

  private void syncTo(long position) throws IOException {
    if (log.durable() < position) {
      long begin = times.begin();
      log.syncTo(position);
      times.end(begin);
    }
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
