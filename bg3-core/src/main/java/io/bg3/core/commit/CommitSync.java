package io.bg3.core.commit;

/**
 * The sync of a store's log, for a thread that has made commits for which no thread waits (R59). It
 * calls one of the two behind its last commit; that covers all before it. Threads: any.
 */
public interface CommitSync {
  /** Has the log's thread sync at once. Does not wait. */
  void request();

  /**
   * Syncs in the calling thread if the last syncs were short, no other thread syncs for commits and
   * little is to be written. The listeners of the commits are told before it returns, also that the
   * log has failed.
   *
   * @return whether it has; if not, nothing was done, and the caller has to {@link #request}
   */
  boolean syncIfShort();
}
