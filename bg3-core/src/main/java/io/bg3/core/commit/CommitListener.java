package io.bg3.core.commit;

/**
 * Is told what has become of a commit whose thread does not wait for the disk (R59). First {@link
 * #waits} is called, by the thread that commits, and then exactly one of the other two, once.
 */
public interface CommitListener {
  /**
   * Called if the commit is in the pages and not visible yet; if it is visible, the listener hears
   * nothing. The thread that commits goes on, and must not say that the commit has happened before
   * {@link #visible} says so.
   */
  void waits();

  /**
   * Called behind {@link #waits}, by the same thread, if the log has to be synced for the commit.
   * Asks for a sync, or sees to it that the thread does so soon: it may commit more before. If this
   * throws, the store asks at once.
   */
  default void needs(CommitSync sync) {
    sync.request();
  }

  /**
   * Called when the commit is visible and, with {@link Durability#SYNC}, durable. By any thread,
   * which makes commits visible for all others: it must neither wait nor take long, and what it
   * throws is dropped.
   */
  void visible();

  /**
   * Called when the store has failed before the commit was visible. As {@link #visible}.
   *
   * @param failure what a thread that waits for the commit throws
   */
  void unknown(OutcomeUnknownException failure);
}
