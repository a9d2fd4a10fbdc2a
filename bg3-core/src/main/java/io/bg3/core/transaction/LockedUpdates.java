package io.bg3.core.transaction;

import io.bg3.core.commit.OutcomeUnknownException;
import io.bg3.core.commit.PendingCommit;
import io.bg3.core.commit.StoreFailedException;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.keyspace.KeySpace;
import io.bg3.core.lock.HeldLocks;
import io.bg3.core.lock.LockSet;
import io.bg3.core.lock.Locks;

/**
 * Does a piece of work under the locks of the vertices that it changes.
 *
 * <p>A transaction finds out at its end that what it read has changed, and many that want the same
 * key keep each other from ending. An update takes the stripes first: then what was applied last
 * stays the last, so it is read in place of a snapshot, and nothing needs to be validated.
 *
 * <pre>
 *   U1  lock a | read a = 3 | a = 4, stamp 7, in the pages | unlock | ... wait for visible 7
 *   U2  lock a ............................................| read a = 4 | a = 5, stamp 8 | unlock | ...
 *                                                            not visible yet, maybe not durable
 * </pre>
 *
 * <ul>
 *   <li>U1: its keys' newest versions do not change between its first read and its pages. The
 *       newest version of a key is never pruned, so no snapshot has to keep it.
 *   <li>U2: its stamp is above that of everything it read, since that was in the pages before it
 *       got the stripes. So a crash that takes what it read takes it too.
 *   <li>U3: it answers when visible covers what it wrote; and when it wrote nothing or failed, what
 *       it may have read: a crash must not take back what an answer rests on. An {@link
 *       UpdateGroup} does so for several.
 *   <li>U4: it waits for no other lock while it has these. Hence it may touch nothing else.
 * </ul>
 *
 * <p>Entries of property indexes belong to no vertex, and an update learns which it writes while it
 * works. If it lacks their stripes, it lets go of all that it has and is done again with them; the
 * next time it seldom needs others. After {@value #MOST_MISSES} times it takes all stripes.
 *
 * <p>That a text has no code is the one thing read that the stripes do not keep true. If it has got
 * one at the end, the work is done once more; that happens at most once a text. Threads: any.
 */
class LockedUpdates {
  /** An update that lacked stripes so often takes them all. */
  private static final int MOST_MISSES = 3;

  private final TransactionManager manager;
  private final Locks locks;

  LockedUpdates(TransactionManager manager, Locks locks) {
    this.manager = manager;
    this.locks = locks;
  }

  final <T> T run(long[] owners, TransactionWork<T> work) {
    return run(owners, work, null);
  }

  /**
   * @param group waits for all that its updates have written and read, later; null to wait here
   */
  final <T> T run(long[] owners, TransactionWork<T> work, UpdateGroup group) {
    LockSet lockSet = LockScope.lockSet(locks, owners);
    int misses = 0;
    while (true) {
      try {
        manager.throttle().await();
        return once(lock(lockSet), owners, work, group);
      } catch (ConflictException e) {
        // a text has got a code: once more
      } catch (MissingLocksException e) {
        lockSet = ++misses < MOST_MISSES ? e.needed() : LockSet.all();
      }
    }
  }

  /** Takes the stripes; waits for them. */
  HeldLocks lock(LockSet lockSet) {
    return new HeldLocks(locks, lockSet);
  }

  private <T> T once(HeldLocks held, long[] owners, TransactionWork<T> work, UpdateGroup group) {
    long read;
    T answer;
    try {
      Transaction transaction = manager.beginUpdate(LockScope.of(held, owners));
      try {
        answer = work.run(transaction);
        PendingCommit commit = transaction.apply();
        if (commit != null) {
          awaitOr(group, commit);
          return answer;
        }
        read = newestRead(owners);
      } finally {
        transaction.rollback(); // nothing, if it was committed
      }
    } catch (ConflictException
        | MissingLocksException
        | StoreFailedException
        | OutcomeUnknownException e) {
      throw e;
    } catch (RuntimeException | Error e) {
      held.release();
      if (group == null) {
        awaitReasonOf(e);
      } else {
        group.read(manager.issued());
      }
      throw e;
    } finally {
      held.release();
    }
    if (group == null) {
      manager.visibility().awaitVisible(read);
    } else {
      group.read(read);
    }
    return answer;
  }

  private void awaitOr(UpdateGroup group, PendingCommit commit) {
    if (group == null) {
      manager.visibility().await(commit);
    } else {
      group.wrote(commit);
    }
  }

  /**
   * A stamp that what was read is not above: what was not locked could not be read. As a rule all
   * of it is visible already, and there is nothing to wait for.
   */
  private long newestRead(long... owners) {
    ReadSet scope = new ReadSet();
    for (long owner : owners) {
      byte[] low = EdgeKey.prefix(owner);
      byte[] high = EdgeKey.after(low);
      for (int space : KeySpace.owned()) {
        scope.addRange(space, low, high);
      }
    }
    long visible = manager.visible();
    return manager.committer().isChanged(scope, visible) ? manager.issued() : visible;
  }

  /** Waits until everything is visible that the work may have failed because of. */
  private void awaitReasonOf(Throwable failure) {
    try {
      manager.visibility().awaitVisible(manager.issued());
    } catch (StoreFailedException e) {
      e.addSuppressed(failure);
      throw e;
    }
  }
}
