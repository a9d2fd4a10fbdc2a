package io.bg3.core.transaction;

import io.bg3.core.thread.StoreThread;
import io.bg3.core.tree.BarrenLeaves;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the leaves that scans found without anything to read, in a thread of its own (R55). A
 * leaf that a snapshot may still read stays until another scan meets it.
 */
public final class BarrenLeafRemover implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BarrenLeafRemover.class);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** Leaves that are removed by one horizon. */
  private static final int AT_ONCE = 64;

  private final TransactionManager manager;
  private final BarrenLeaves leaves;
  private final StoreThread thread = new StoreThread("bg3-leaf-remover", this::run);

  /** A remover that has not started. */
  public BarrenLeafRemover(TransactionManager manager, BarrenLeaves leaves) {
    this.manager = manager;
    this.leaves = leaves;
  }

  /** Starts the thread. */
  public void start() {
    leaves.noticeAll();
    thread.start();
  }

  private void run() {
    try {
      while (!thread.isEnding() && manager.failure() == null) {
        if (leaves.isEmpty()) {
          LockSupport.parkNanos(this, LOOK_NANOS);
        } else {
          removeSome();
        }
      }
    } catch (RuntimeException | Error e) {
      LOG.error(
          "the thread that removes empty leaves has stopped; an empty leaf stays until a commit"
              + " writes to it",
          e);
    }
  }

  /** Removes some leaves, those first that were found first. */
  public void removeSome() {
    var horizon = manager.horizon();
    for (int i = 0; i < AT_ONCE && leaves.removeNext(horizon); i++) {}
  }

  /** Ends the thread, behind the leaves that it removes. */
  @Override
  public void close() {
    thread.close();
  }
}
