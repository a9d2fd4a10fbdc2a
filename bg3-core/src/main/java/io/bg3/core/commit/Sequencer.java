package io.bg3.core.commit;

import io.bg3.storage.log.WriteAheadLog;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;

/**
 * Gives every commit its timestamp and its place in the log, in one short step under one lock, so
 * that the order of the timestamps is the order of the log.
 *
 * <p>A timestamp is the clock's milliseconds shifted by {@link #COUNTER_BITS} with a counter below.
 * It is above every one before it, also when the clock goes back, and above the floor given at the
 * opening.
 *
 * <p>The step is the point of no return: nothing in it waits, does I/O or fails. It is the only
 * lock that all commits share.
 */
public final class Sequencer {
  /** Bits of a timestamp below the milliseconds. */
  public static final int COUNTER_BITS = 20;

  private final WriteAheadLog log;
  private final LongSupplier millis;
  private PendingCommit tail; // guarded by this
  private volatile long issued; // written under this

  /**
   * @param origin what the chain of commits begins with; its timestamp is the floor of all to come
   */
  public Sequencer(WriteAheadLog log, LongSupplier millis, PendingCommit origin) {
    this.log = log;
    this.millis = millis;
    this.tail = origin;
    this.issued = origin.stamp;
  }

  /**
   * Gives {@code commit} its timestamp, writes that into its record, appends the record to the log
   * and the commit to the chain.
   */
  public void issue(PendingCommit commit, ByteBuffer record) {
    synchronized (this) {
      long stamp = Math.max(issued + 1, millis.getAsLong() << COUNTER_BITS);
      CommitRecord.setStamp(record, stamp);
      commit.stamp = stamp;
      commit.end = log.append(record);
      issued = stamp;
      tail.next = commit;
      tail = commit;
    }
  }

  /** The newest timestamp given. */
  public long issued() {
    return issued;
  }
}
