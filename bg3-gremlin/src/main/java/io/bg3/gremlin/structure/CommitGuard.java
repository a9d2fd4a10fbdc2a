package io.bg3.gremlin.structure;

import io.bg3.core.commit.CommitListener;
import java.util.Optional;

/**
 * Decides whether a transaction may be committed, and learns that the commit is over. A server
 * needs both: between the two it can tell no client that nothing was committed.
 *
 * <p>Threads: called by the thread that commits; many threads commit at once.
 */
public interface CommitGuard {
  /** Called before a commit; throws to refuse it, and the transaction stays open. */
  void beforeCommit();

  /**
   * Called between the two if the transaction has written, so that the commit may wait for a disk.
   * If it throws, nothing is committed, and the transaction stays open.
   *
   * @return empty to have the commit wait until it is durable; or a listener, and then the commit
   *     does not wait for that (R59)
   */
  default Optional<CommitListener> beforeWait() {
    return Optional.empty();
  }

  /** Called after a commit that was not refused, whether it has succeeded or failed. */
  void afterCommit();

  /**
   * Called in place of {@link #afterCommit} after a commit that has failed, if it is known that
   * nothing of it has happened.
   */
  default void afterNothing() {
    afterCommit();
  }

  /**
   * Called before a service of BG3's own writes, which commits apart from the transaction of the
   * thread; throws to refuse it.
   */
  void beforeServiceWrites();
}
