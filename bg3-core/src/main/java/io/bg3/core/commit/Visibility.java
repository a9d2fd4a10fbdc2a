package io.bg3.core.commit;

import io.bg3.storage.Waiting;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Moves <i>applied</i> and <i>visible</i> along the chain of commits, and lets those threads wait
 * that must not go on before them.
 *
 * <pre>
 *   origin -> c1 -> c2 -> c3 -> c4 -> c5        chain, by timestamp
 *                    |           |
 *                 visible     applied            c5: its operations are not in the pages yet
 *                                                c3, c4: in the pages, not synced yet
 * </pre>
 *
 * <ul>
 *   <li>V1: every commit at or below <i>applied</i> is in the pages.
 *   <li>V2: <i>visible</i> is at most <i>applied</i>, and with {@link Durability#SYNC} every commit
 *       at or below it is durable.
 *   <li>V3: both rise only; totals have been added up to a timestamp before <i>visible</i> reaches
 *       it.
 *   <li>V4: when a thread has marked a commit applied, or the log durable, and has called {@link
 *       #advance}, then both have been moved as far as that allows when the last of the threads in
 *       it returns. A thread that finds another inside leaves a mark in {@code calls} and goes; the
 *       other looks again before it leaves.
 *   <li>V5: a waiter announces itself and then looks at <i>visible</i>; the advancer moves
 *       <i>visible</i> and then looks for waiters; the same holds for {@code failure}. All of that
 *       is volatile, so no wake-up is lost.
 *   <li>V6: while threads wait for the log and none writes it, one of them is awake and will. A
 *       waiter announces itself and then looks whether it may lead; a leader steps back and then
 *       looks for waiters that it has not served, and wakes one.
 *   <li>V7: a commit that has a listener is synced without a thread that waits, since the thread
 *       that gives it one asks for a sync behind that, or lets the listener ask or sync later. The
 *       listener is told by the thread that takes it out of the commit: by the advancer, or by the
 *       thread that has put it there and then sees that <i>visible</i> has passed it, or that the
 *       store has failed.
 * </ul>
 *
 * <p>Publication: the volatile write of {@code visible} makes a commit's entries, and its totals,
 * visible to every thread that takes a snapshot afterwards.
 *
 * <p>Threads: any. {@code firstShown}'s chain links are cut by the advancer as it passes, since an
 * old link that the collector has promoted would keep all younger ones alive.
 */
public class Visibility implements CommitSync {
  private static final int SPINS = 20;

  /**
   * The number of times that a waiter lets others run before it parks. With more threads than
   * processors, the one that is waited for was put off its processor and goes on when the others
   * step aside, which takes less than parking all of them and waking them again.
   */
  private static final int YIELDS = 10;

  private final Totals totals;
  private final DurableLog log;
  private final AtomicInteger calls = new AtomicInteger();

  private volatile PendingCommit lastApplied; // written by the advancer
  private volatile boolean led; // set by a leader that has stepped back, taken by the advancer
  private PendingCommit lastShown; // of the advancer
  private boolean broken; // of the advancer
  private volatile long visible; // written by the advancer

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition moved = lock.newCondition();
  private final AtomicInteger stampWaiters = new AtomicInteger();
  private volatile Throwable failure; // the first one; written under lock

  /** Begins behind {@code origin}, which is visible already. */
  public Visibility(PendingCommit origin, Totals totals, DurableLog log) {
    this.totals = totals;
    this.log = log;
    this.lastApplied = origin;
    this.lastShown = origin;
    this.visible = origin.stamp;
  }

  /** The snapshot of the next reader. */
  public long visible() {
    return visible;
  }

  /** The newest commit below which all are in the pages. */
  public PendingCommit applied() {
    return lastApplied;
  }

  /** Notes that a commit's operations are in the pages. */
  void markApplied(PendingCommit commit) {
    commit.applied = true;
    advance();
  }

  /** Moves both marks as far as they may go, and wakes who waited for that. */
  public void advance() {
    if (calls.getAndIncrement() != 0) {
      return;
    }
    int seen = 1;
    do {
      move();
      seen = calls.addAndGet(-seen);
    } while (seen != 0);
  }

  /**
   * One round of the advancer. Whatever happens in it, it comes to its end: an advancer that left
   * with an exception would have all others wait for it for ever.
   */
  private void move() {
    if (!broken) {
      try {
        advanceApplied();
        if (led) {
          led = false;
          wakeLeader();
        }
        advanceVisible();
      } catch (RuntimeException | Error e) {
        broken = true; // totals may be half added: visible stands still
        keepFirst(e);
      }
    }
    if (failure != null) {
      wakeAll();
    }
  }

  private void advanceApplied() {
    PendingCommit last = lastApplied;
    PendingCommit next = last.next;
    while (next != null && next.applied) {
      last = next;
      next = last.next;
    }
    lastApplied = last;
  }

  private void advanceVisible() {
    PendingCommit limit = lastApplied;
    long position = log.durable();
    PendingCommit from = lastShown;
    PendingCommit last = from;
    while (last != limit && last.next.end <= position) {
      last = last.next;
      if (last.increments != null) {
        totals.add(last.increments, last.stamp);
      }
    }
    if (last == from) {
      return;
    }
    visible = last.stamp;
    lastShown = last;
    wake(from, last);
  }

  /**
   * Wakes the first whom the last sync did not cover, before all the others whom it did. Of the
   * advancer; open to a broken twin.
   */
  void wakeLeader() {
    long position = log.durable();
    for (PendingCommit commit = lastShown.next; commit != null; commit = commit.next) {
      Thread waiter = commit.end > position ? commit.waiter : null;
      if (waiter != null) {
        LockSupport.unpark(waiter);
        return;
      }
    }
  }

  private void wake(PendingCommit from, PendingCommit last) {
    PendingCommit passed = from;
    while (passed != last) {
      PendingCommit next = passed.next;
      passed.next = null;
      passed = next;
      Thread waiter = passed.waiter;
      if (waiter != null) {
        LockSupport.unpark(waiter);
      }
      tell(passed);
    }
    if (stampWaiters.get() != 0) {
      wakeStampWaiters();
    }
  }

  private void wakeStampWaiters() {
    lock.lock();
    try {
      moved.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until a commit is seen. An interrupt does not end the wait, its flag stays.
   *
   * @param commit null if there is nothing to wait for
   * @throws OutcomeUnknownException if the store failed before
   */
  @SuppressWarnings("ThreadPriorityCheck") // parking comes after it, whatever yielding did
  public void await(PendingCommit commit) {
    if (commit == null) {
      return;
    }
    if (log.durable() >= commit.end) { // only the pages of others are waited for, which is short
      for (int spins = 0; spins < SPINS && visible < commit.stamp; spins++) {
        Thread.onSpinWait();
      }
      for (int yields = 0; yields < YIELDS && visible < commit.stamp; yields++) {
        Thread.yield();
      }
    }
    if (visible >= commit.stamp) {
      return;
    }
    boolean interrupted = false;
    commit.waiter = Thread.currentThread();
    while (visible < commit.stamp && failure == null) {
      if (log.durable() >= commit.end || !lead(commit.end)) {
        LockSupport.park(this);
        interrupted |= Thread.interrupted();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (visible < commit.stamp) {
      throw new OutcomeUnknownException(commit.stamp, failure);
    }
  }

  /** Syncs for all waiting threads, unless another thread does. */
  private boolean lead(long position) {
    try {
      if (!log.lead(position)) {
        return false;
      }
    } catch (IOException | RuntimeException | Error e) {
      fail(e);
      return true;
    }
    hasLed();
    return true;
  }

  /** Shows what the calling thread has synced, and wakes those that it has not served. */
  private void hasLed() {
    led = true;
    advance();
  }

  @Override
  public void request() {
    log.request();
  }

  @Override
  public boolean syncIfShort() {
    try {
      if (!log.leadIfShort()) {
        return false;
      }
    } catch (IOException | RuntimeException | Error e) {
      fail(e);
      return true;
    }
    hasLed();
    return true;
  }

  /**
   * Waits until everything up to {@code stamp} is seen. An interrupt does not end the wait, its
   * flag stays.
   *
   * @throws StoreFailedException if the store failed before
   */
  public void awaitVisible(long stamp) {
    if (visible >= stamp) {
      return;
    }
    Waiting.require("earlier commits");
    try {
      log.settle(); // a thread that has appended what is waited for may take its time to come here
      advance();
    } catch (IOException | RuntimeException | Error e) {
      fail(e);
    }
    stampWaiters.incrementAndGet();
    lock.lock();
    try {
      while (visible < stamp) {
        if (failure != null) {
          throw new StoreFailedException(failure);
        }
        moved.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
      stampWaiters.decrementAndGet();
    }
  }

  /**
   * Stops the waiting for what will not come: the store writes no more. Only the first cause is
   * kept.
   */
  public void fail(Throwable cause) {
    keepFirst(cause);
    advance(); // the chain belongs to the advancer, so it does the waking
  }

  private void keepFirst(Throwable cause) {
    lock.lock();
    try {
      if (failure == null) {
        failure = cause;
      }
      moved.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The first cause why the store has stopped writing, null while it writes. */
  public Throwable failure() {
    return failure;
  }

  private void wakeAll() {
    for (PendingCommit commit = lastShown.next; commit != null; commit = commit.next) {
      Thread waiter = commit.waiter;
      if (waiter != null) {
        LockSupport.unpark(waiter);
      }
      tell(commit);
    }
  }

  /**
   * Has a listener told when a commit is seen, in place of {@link #await}. Does not wait.
   *
   * @param commit in the pages; null if there is nothing to be seen
   * @param listener is told nothing if the commit is seen already
   */
  public void awaitBy(CommitListener listener, PendingCommit commit) {
    if (commit == null || visible >= commit.stamp) {
      return;
    }
    listener.waits();
    commit.setListener(listener);
    if (visible >= commit.stamp || failure != null) {
      tell(commit);
    } else {
      ask(listener);
    }
  }

  private void ask(CommitListener listener) {
    try {
      listener.needs(this);
    } catch (RuntimeException | Error e) {
      log.request(); // its own fault: the commit has happened, and is synced
    }
  }

  /** Tells the listener of a commit that is seen, or that may not be seen any more. */
  private void tell(PendingCommit commit) {
    CommitListener listener = commit.takeListener();
    if (listener == null) {
      return;
    }
    try {
      if (visible >= commit.stamp) {
        listener.visible();
      } else {
        listener.unknown(new OutcomeUnknownException(commit.stamp, failure));
      }
    } catch (RuntimeException | Error e) {
      // Its own fault: the advancer goes on for all others.
    }
  }
}
