package io.bg3.core.lock;

import io.bg3.storage.Waiting;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;

/**
 * The lock before all stripes: entered shared by the thread that takes stripes, exclusively by the
 * thread that would need too many or cannot name them.
 *
 * <p>Entering shared must not make threads write to one cache line, so each thread counts in a
 * counter chosen by the thread. Entering exclusively means to announce it and to wait until every
 * counter is zero.
 *
 * <pre>
 *   shared                          exclusive
 *   count own counter up            turn.acquire
 *   read closer: null, inside       closer = me
 *                not null:          each counter: wait for 0
 *                  count down, unpark closer
 *                  wait for a turn, count up, give the turn back
 * </pre>
 *
 * <ul>
 *   <li>G1: while {@code closer} has returned from {@link #enterExclusively}, every counter is zero
 *       or belongs to a thread that will count down before it does anything else.
 *   <li>G2: the count up comes before the read of {@code closer}, the write of {@code closer}
 *       before the read of the counters, all of them volatile: one of the two sees the other.
 * </ul>
 *
 * <p>Nobody starves: a thread that finds the gate closing queues up for a fair turn behind the
 * threads that close it.
 *
 * <p>Threads: any; a thread that did not enter may leave for the one that did.
 */
final class Gate {
  private static final int COUNTERS = 64;
  private static final int STRIDE =
      32; // ints, so that two counters never share a pair of cache lines
  private static final int SPINS = 64;

  private final AtomicIntegerArray inside = new AtomicIntegerArray(COUNTERS * STRIDE);
  private final Semaphore turn = new Semaphore(1, true);
  private volatile Thread closer;

  /**
   * Enters shared; waits while another thread is in exclusively. Returns the ticket to leave with.
   */
  int enter() {
    int ticket = ((int) Thread.currentThread().getId() & (COUNTERS - 1)) * STRIDE;
    inside.incrementAndGet(ticket);
    if (closer != null) {
      leave(ticket);
      Waiting.require("the gate");
      turn.acquireUninterruptibly();
      inside.incrementAndGet(ticket);
      turn.release();
    }
    return ticket;
  }

  /** Ends what {@link #enter} began. */
  void leave(int ticket) {
    int left = inside.decrementAndGet(ticket);
    assert left >= 0 : "left more often than entered: ticket=" + ticket;
    Thread waiting = closer;
    if (waiting != null) {
      LockSupport.unpark(waiting);
    }
  }

  /**
   * Waits until no other thread is inside and lets none in. An interrupt does not end the wait, its
   * flag stays.
   */
  void enterExclusively() {
    Waiting.require("the gate, exclusively");
    turn.acquireUninterruptibly();
    closer = Thread.currentThread();
    boolean interrupted = false;
    for (int counter = 0; counter < COUNTERS * STRIDE; counter += STRIDE) {
      for (int spins = 0; inside.get(counter) != 0; spins++) {
        if (spins < SPINS) {
          Thread.onSpinWait();
        } else {
          LockSupport.park(this);
          interrupted |= Thread.interrupted();
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends what {@link #enterExclusively} began. */
  void leaveExclusively() {
    closer = null;
    turn.release();
  }

  /** Threads that are inside shared; for checks after tests. */
  int insideCount() {
    int sum = 0;
    for (int counter = 0; counter < COUNTERS * STRIDE; counter += STRIDE) {
      sum += inside.get(counter);
    }
    return sum;
  }
}
