package io.bg3.core.recovery;

import io.bg3.core.commit.StoreFailedException;
import io.bg3.core.thread.StoreThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits the time of the clock where nobody writes: if extents have expired by it, so that they go
 * (R46), and if readers are far ahead of the newest commit, so that a kill does not take back what
 * they have seen expire (R13). It has a thread of its own, because a commit may wait for the thread
 * that keeps the rows; the thread begins with the first such commit, and sleeps between two.
 *
 * <p>Threads: {@link #want} is called by the thread that keeps the rows, {@link #close} by any.
 */
final class ClockCommits implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClockCommits.class);

  /** Meanwhile the thread that keeps the rows looks at the extents again. */
  private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Runnable commit;
  private final StoreThread thread = new StoreThread("bg3-clock", this::run);
  private boolean started;
  private volatile boolean wanted;

  /**
   * @param commit may wait, and throws if the store has stopped writing
   */
  ClockCommits(Runnable commit) {
    this.commit = commit;
  }

  /** Has a commit made before long, unless one is under way. */
  void want() {
    if (!wanted) {
      wanted = true;
      if (started) {
        thread.wake();
      } else {
        started = true;
        thread.start();
      }
    }
  }

  private void run() {
    while (!thread.isEnding()) {
      if (!wanted) {
        LockSupport.park(this);
        continue;
      }
      try {
        commit.run();
      } catch (StoreFailedException e) {
        return; // it says so itself
      } catch (RuntimeException e) {
        if (!thread.isEnding()) {
          LOG.warn("the time of the clock was not committed; BG3 tries again", e);
        }
      }
      LockSupport.parkNanos(this, REST_NANOS);
      wanted = false;
    }
  }

  /** Ends the thread, after the commit that it is in. */
  @Override
  public void close() {
    thread.close();
  }
}
