package io.bg3.core.commit;

import io.bg3.core.entry.Expiry;
import io.bg3.core.snapshot.StoreClock;
import io.bg3.storage.log.WriteAheadLog;
import java.nio.ByteBuffer;

/**
 * Gives every commit its timestamp and its place in the log, in one short step under one lock, so
 * that the order of the timestamps is the order of the log.
 *
 * <p>A timestamp is the clock's milliseconds shifted by {@link #COUNTER_BITS} with a counter below.
 * It is above every one before it, also when there are more than the counter has numbers for, and
 * above the floor given at the opening.
 *
 * <p>The step is the point of no return: nothing in it waits, does I/O or fails. It is the only
 * lock that all commits share.
 */
public final class Sequencer {
  /** Bits of a timestamp below the milliseconds. */
  public static final int COUNTER_BITS = Expiry.STAMP_SHIFT;

  /** The outcome of an attempt to issue a commit. */
  public enum Issued {
    /** It has its timestamp. */
    YES,
    /** Something has expired that it relies on. */
    EXPIRED,
    /** An earlier commit is not in the pages yet. */
    NOT_NOW
  }

  private final WriteAheadLog log;
  private final StoreClock clock;
  private PendingCommit tail; // guarded by this
  private volatile long issued; // written under this

  /**
   * @param origin what the chain of commits begins with; its timestamp is the floor of all to come
   */
  public Sequencer(WriteAheadLog log, StoreClock clock, PendingCommit origin) {
    this.log = log;
    this.clock = clock;
    this.tail = origin;
    this.issued = origin.stamp;
  }

  /**
   * Gives {@code commit} its timestamp, writes that into its record, appends the record to the log
   * and the commit to the chain.
   *
   * @param expires the first millisecond in which the commit must not be, because something has
   *     expired then that it relies on (R13); {@link Long#MAX_VALUE} if there is none
   * @return false if its timestamp would be in that or a later one: nothing has happened
   */
  public boolean issue(PendingCommit commit, ByteBuffer record, long expires) {
    synchronized (this) {
      long stamp = Math.max(issued + 1, clock.now() << COUNTER_BITS);
      if (stamp >>> COUNTER_BITS >= expires) {
        return false;
      }
      CommitRecord.setStamp(record, stamp);
      commit.stamp = stamp;
      commit.end = log.append(record);
      issued = stamp;
      tail.next = commit;
      tail = commit;
      return true;
    }
  }

  /**
   * As {@link #issue}, if a commit is the newest one. That is looked at before the lock too, which
   * a thread that asks again and again keeps from nobody.
   *
   * @param last in the pages, with all before it
   * @return {@link Issued#NOT_NOW} if it is not the newest: nothing has happened
   */
  public Issued issueBehind(
      PendingCommit last, PendingCommit commit, ByteBuffer record, long expires) {
    if (!isNewest(last)) {
      return Issued.NOT_NOW;
    }
    synchronized (this) {
      if (!isNewest(last)) {
        return Issued.NOT_NOW;
      }
      return issue(commit, record, expires) ? Issued.YES : Issued.EXPIRED;
    }
  }

  private boolean isNewest(PendingCommit last) {
    return last.stamp == issued;
  }

  /** The newest timestamp given. */
  public long issued() {
    return issued;
  }
}
