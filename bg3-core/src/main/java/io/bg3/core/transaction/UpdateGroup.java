package io.bg3.core.transaction;

import io.bg3.core.commit.PendingCommit;
import io.bg3.core.commit.Visibility;

/**
 * Updates that are waited for together, so that they share one sync: each is a commit of its own as
 * {@link TransactionManager#update} makes it, but for the end, where it does not wait.
 *
 * <p>Until {@link #await} has returned, a crash may take back what they did and what their answers
 * rest on. So nobody may be told of any of it before, of an exception neither; that others build on
 * it meanwhile is no harm, since they come later in the log and wait themselves.
 *
 * <p>Belongs to one thread, and may be used again after {@link #await}.
 */
public final class UpdateGroup {
  private final LockedUpdates updates;
  private final Visibility visibility;
  private PendingCommit last; // the newest commit; all older ones are seen no later
  private long read;

  UpdateGroup(LockedUpdates updates, Visibility visibility) {
    this.updates = updates;
    this.visibility = visibility;
  }

  /** As {@link TransactionManager#update}, but returns, or throws, without waiting. */
  public <T> T update(long[] owners, TransactionWork<T> work) {
    return updates.run(owners.clone(), work, this);
  }

  /**
   * Waits until everything is visible that the updates have written or read. An interrupt does not
   * end the wait, its flag stays.
   *
   * @throws io.bg3.core.commit.OutcomeUnknownException if the store failed before; it is unknown of
   *     all the updates
   * @throws io.bg3.core.commit.StoreFailedException the same, of updates that wrote nothing
   */
  public void await() {
    visibility.await(last);
    visibility.awaitVisible(read);
    last = null;
  }

  void wrote(PendingCommit commit) {
    last = commit;
  }

  void read(long stamp) {
    read = Math.max(read, stamp);
  }
}
