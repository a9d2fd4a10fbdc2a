package io.bg3.core.transaction;

import io.bg3.core.lock.HeldLocks;
import io.bg3.core.lock.LockSet;
import io.bg3.core.lock.Locks;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Does a piece of work again after conflicts, and does not let it starve.
 *
 * <ol>
 *   <li>Three times as any transaction.
 *   <li>Then it takes the locks that the attempts so far would have needed, waits until everything
 *       issued is visible, takes its snapshot, and works while nobody can change what it touches.
 *       If it touches more this time it lets go of everything before its commit takes the locks
 *       that it needs: no thread waits for locks while it holds some. The next attempt takes the
 *       union.
 *   <li>The tenth takes the whole gate.
 * </ol>
 *
 * <p>The work is the caller's and may take long; after the patience the locks are given back, and
 * the commit has to take its chance with the others. Threads: any.
 */
final class Retry implements AutoCloseable {
  private static final int FREE_ATTEMPTS = 3;
  private static final int GATE_ATTEMPT = 10;

  private final TransactionManager manager;
  private final Locks locks;
  private final long patienceMillis;
  private final ScheduledThreadPoolExecutor timer;

  Retry(TransactionManager manager, Locks locks, long patienceMillis) {
    this.manager = manager;
    this.locks = locks;
    this.patienceMillis = patienceMillis;
    this.timer =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "bg3-retry-patience");
              thread.setDaemon(true);
              return thread;
            });
    timer.setRemoveOnCancelPolicy(true);
  }

  <T> T run(Isolation isolation, TransactionWork<T> work) {
    LockSet lockSet = new LockSet().seal();
    for (int attempt = 1; ; attempt++) {
      try (Attempt<T> now = new Attempt<>(work, lock(attempt, lockSet))) {
        try {
          return now.run(isolation);
        } catch (ConflictException | SchemaChangedException e) {
          lockSet = now.needed(lockSet);
        }
      }
    }
  }

  private HeldLocks lock(int attempt, LockSet lockSet) {
    if (attempt <= FREE_ATTEMPTS) {
      return null;
    }
    LockSet wanted = lockSet;
    if (attempt >= GATE_ATTEMPT) {
      wanted = new LockSet();
      wanted.addGate();
      wanted.seal();
    }
    manager.throttle().await();
    return new HeldLocks(locks, wanted);
  }

  /** One attempt, with its locks if it has some. */
  private final class Attempt<T> implements AutoCloseable {
    private final TransactionWork<T> work;
    private final HeldLocks held;
    private final Future<?> expiry;
    private Transaction transaction;

    Attempt(TransactionWork<T> work, HeldLocks held) {
      this.work = work;
      this.held = held;
      this.expiry = held == null ? null : expireLater(held);
    }

    private Future<?> expireLater(HeldLocks locked) {
      try {
        return timer.schedule(locked::expire, patienceMillis, TimeUnit.MILLISECONDS);
      } catch (RejectedExecutionException e) {
        locked.release();
        throw new IllegalStateException("the store is closed", e);
      }
    }

    T run(Isolation isolation) {
      if (held != null) {
        manager.visibility().awaitVisible(manager.issued());
      }
      transaction = manager.begin(isolation, false, held);
      try {
        T answer = work.run(transaction);
        transaction.commit();
        return answer;
      } finally {
        transaction.rollback(); // nothing, if it was committed
      }
    }

    /** The locks that an attempt needs so that it does not meet this conflict again. */
    LockSet needed(LockSet before) {
      LockSet needed = transaction == null ? null : transaction.needed();
      return needed == null ? before : before.union(needed);
    }

    @Override
    public void close() {
      if (held != null) {
        expiry.cancel(false);
        held.release();
      }
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
