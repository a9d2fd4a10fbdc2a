package io.bg3.core.recovery;

import io.bg3.core.thread.StoreThread;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.log.WriteAheadLog;
import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts checkpoints by bytes written, never by time: when the log has grown by its limit, when
 * what was appended to the extents since the last manifest reaches a fifth of the live bytes, or
 * when flushes between checkpoints have changed very many rows.
 */
public final class CheckpointThread implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CheckpointThread.class);

  private static final long LOOK_NANOS = 5_000_000;

  /** Checkpoints are due when a fifth of the live bytes has been appended. */
  private static final int APPENDED_SHARE = 5;

  private final Checkpointer checkpointer;
  private final WriteAheadLog log;
  private final ExtentStore extents;
  private final long logLimit;
  private final StoreThread thread;

  /**
   * Starts the thread.
   *
   * @param logLimit bytes by which the log may grow before a checkpoint
   */
  public CheckpointThread(
      Checkpointer checkpointer, WriteAheadLog log, ExtentStore extents, long logLimit) {
    this.checkpointer = checkpointer;
    this.log = log;
    this.extents = extents;
    this.logLimit = logLimit;
    this.thread = new StoreThread("bg3-checkpoint", this::run);
    thread.start();
  }

  private void run() {
    while (!thread.isEnding()) {
      try {
        if (isDue()) {
          checkpointer.run();
        }
      } catch (IOException | RuntimeException | Error e) {
        LOG.error("checkpoint failed, the store writes no more", e);
        return;
      }
      LockSupport.parkNanos(this, LOOK_NANOS);
    }
  }

  private boolean isDue() {
    if (log.end() - checkpointer.logPosition() >= logLimit || checkpointer.hasManyChangedRows()) {
      return true;
    }
    long appended = checkpointer.appendedSince();
    return appended >= logLimit && appended * APPENDED_SHARE >= extents.liveBytes();
  }

  /** Stops the thread; waits for a checkpoint that is under way. */
  @Override
  public void close() {
    thread.close();
  }
}
