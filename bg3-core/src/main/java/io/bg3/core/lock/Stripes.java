package io.bg3.core.lock;

import io.bg3.storage.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Many small shared/exclusive locks, an {@code int} each. Every key belongs to one of them; a
 * commit holds those of what it wrote exclusively and those of what it read shared, from validation
 * until its operations are in the pages.
 *
 * <pre>
 *  bit 31     held exclusively
 *  bit 30     a thread is parked: a release that leaves the stripe free looks into its bucket
 *  bit 29     a thread has been parked for long: only those in the queue may take the stripe
 *  bits 28-0  how often held shared
 * </pre>
 *
 * <p>Threads wait in buckets that many stripes share. A free stripe may be taken past those who
 * wait, since a parked thread needs longer to wake than a commit holds a stripe; a thread that has
 * waited for five milliseconds raises bit 29 and ends that.
 *
 * <ul>
 *   <li>S1: bit 31 and a shared count exclude each other.
 *   <li>S2: a thread that is about to park is in the queue and has seen, under the bucket's lock,
 *       that the stripe is held, and has set bit 30 by the same compare-and-set; so the release
 *       that follows finds the bit, and under that lock the waiter.
 *   <li>S3: bits 30 and 29 change only under the bucket's lock.
 *   <li>S4: a thread asks for stripes in ascending order, each once: there is no cycle of waiting.
 * </ul>
 *
 * <p>Threads: any; a stripe may be released by another thread than took it.
 */
final class Stripes {
  private static final int EXCLUSIVE = 1 << 31;
  private static final int WAITERS = 1 << 30;
  private static final int STARVING = 1 << 29;
  private static final int COUNT = STARVING - 1;

  private static final int BUCKETS = 256;
  private static final int SPINS = 64;
  private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private static final class Waiter {
    final int stripe;
    final boolean exclusive;
    final Thread thread = Thread.currentThread();
    final long since = System.nanoTime();
    boolean starving; // written by its thread under the bucket's lock
    volatile boolean signalled;

    Waiter(int stripe, boolean exclusive) {
      this.stripe = stripe;
      this.exclusive = exclusive;
    }
  }

  private final AtomicIntegerArray states;
  private final List<List<Waiter>> buckets = new ArrayList<>(BUCKETS);
  private final int mask;

  /**
   * @param count how many; a power of two
   */
  Stripes(int count) {
    if (count < 1 || Integer.bitCount(count) != 1) {
      throw new IllegalArgumentException("stripes must be a power of two: count=" + count);
    }
    states = new AtomicIntegerArray(count);
    mask = count - 1;
    for (int i = 0; i < BUCKETS; i++) {
      buckets.add(new ArrayList<>(2));
    }
  }

  int count() {
    return mask + 1;
  }

  /** The stripe of a hash whose bits need not be mixed yet. */
  int of(long hash) {
    long mixed = hash * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> 40) & mask;
  }

  /** Takes a stripe; an interrupt does not end the wait, its flag stays. */
  void lock(int stripe, boolean exclusive) {
    for (int spins = 0; spins < SPINS; spins++) {
      int state = states.get(stripe);
      if ((state & STARVING) == 0
          && isFree(state, exclusive)
          && states.compareAndSet(stripe, state, taken(state, exclusive))) {
        return;
      }
      Thread.onSpinWait();
    }
    Waiting.require("a stripe");
    lockInQueue(stripe, exclusive);
  }

  private void lockInQueue(int stripe, boolean exclusive) {
    List<Waiter> bucket = bucket(stripe);
    Waiter me = new Waiter(stripe, exclusive);
    boolean interrupted = false;
    while (!takeOrQueue(bucket, me)) {
      do {
        if (me.starving) {
          LockSupport.park(this);
        } else {
          // Not to be woken is starving too: a stripe whose shared holders overlap is never free.
          LockSupport.parkNanos(this, PATIENCE_NANOS);
        }
        interrupted |= Thread.interrupted();
      } while (!me.signalled && me.starving);
      me.signalled = false;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Takes the stripe and leaves the queue, or sees to it that a release will signal this waiter.
   */
  private boolean takeOrQueue(List<Waiter> bucket, Waiter me) {
    synchronized (bucket) {
      boolean queued = bucket.contains(me);
      me.starving = System.nanoTime() - me.since > PATIENCE_NANOS;
      while (true) {
        int state = states.get(me.stripe);
        if (isFree(state, me.exclusive) && (queued || (state & STARVING) == 0)) {
          int next =
              (taken(state, me.exclusive) & ~(WAITERS | STARVING)) | flagsOfOthers(bucket, me);
          if (states.compareAndSet(me.stripe, state, next)) {
            bucket.remove(me);
            return true;
          }
        } else if (states.compareAndSet(
            me.stripe, state, state | WAITERS | (me.starving ? STARVING : 0))) {
          if (!queued) {
            bucket.add(me);
          }
          return false;
        }
      }
    }
  }

  /** Bits 30 and 29 as they are due to those who wait for the same stripe. */
  private static int flagsOfOthers(List<Waiter> bucket, Waiter me) {
    int flags = 0;
    for (Waiter waiter : bucket) {
      if (waiter != me && waiter.stripe == me.stripe) {
        flags |= WAITERS | (waiter.starving ? STARVING : 0);
      }
    }
    return flags;
  }

  /** Gives a stripe back. */
  void unlock(int stripe, boolean exclusive) {
    int before = states.getAndAdd(stripe, exclusive ? -EXCLUSIVE : -1);
    assert exclusive ? (before & EXCLUSIVE) != 0 : (before & COUNT) != 0
        : "S1: not held: stripe=" + stripe;
    int after = exclusive ? before & ~EXCLUSIVE : before - 1;
    if ((after & WAITERS) != 0 && (after & COUNT) == 0) {
      signal(stripe);
    }
  }

  /**
   * Wakes the first thread that waits for the stripe, and, if it wants the stripe shared, the
   * threads behind it that want it shared too.
   */
  private void signal(int stripe) {
    List<Waiter> bucket = bucket(stripe);
    synchronized (bucket) {
      boolean any = false;
      for (int i = 0; i < bucket.size(); i++) {
        Waiter waiter = bucket.get(i);
        if (waiter.stripe == stripe) {
          if (any && waiter.exclusive) {
            return;
          }
          waiter.signalled = true;
          LockSupport.unpark(waiter.thread);
          any = true;
          if (waiter.exclusive) {
            return;
          }
        }
      }
    }
  }

  /** Whether nothing is held and nobody waits; for checks after tests. */
  boolean isIdle() {
    for (int stripe = 0; stripe <= mask; stripe++) {
      if (states.get(stripe) != 0) {
        return false;
      }
    }
    return buckets.stream().allMatch(List::isEmpty);
  }

  private List<Waiter> bucket(int stripe) {
    return buckets.get(stripe & (BUCKETS - 1));
  }

  private static boolean isFree(int state, boolean exclusive) {
    return (state & EXCLUSIVE) == 0 && (!exclusive || (state & COUNT) == 0);
  }

  private static int taken(int state, boolean exclusive) {
    return exclusive ? state | EXCLUSIVE : state + 1;
  }
}
