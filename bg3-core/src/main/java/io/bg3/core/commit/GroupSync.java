package io.bg3.core.commit;

import io.bg3.storage.log.WriteAheadLog;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The log with {@link Durability#SYNC}: one of the waiting threads, the <i>leader</i>, writes and
 * syncs what all of them have appended. A single committer does so without any other thread, and
 * many share one write and one sync.
 *
 * <p>Threads: any.
 */
public final class GroupSync implements DurableLog {
  private final WriteAheadLog log;
  private final AtomicBoolean led = new AtomicBoolean();

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
  public void settle() throws IOException {
    log.syncTo(log.end());
  }
}
