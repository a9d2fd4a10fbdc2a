package io.bg3.storage;

/**
 * Says which threads may wait on the way to a commit: for a lock, for memory, for the disk, or for
 * another commit. All may, but those that serve many clients, as event loops do. Such a thread
 * {@linkplain #forbid forbids} it to itself. A commit that would have to wait then throws {@link
 * WouldWaitException}, and nothing of it has happened.
 *
 * <ul>
 *   <li>W1: {@link #require} is called before the commit has its timestamp, and by a thread that is
 *       about to wait. So whatever the caller holds is given back as for any other failure.
 *   <li>W2: behind the timestamp nothing throws for that reason. What need not be done then, as
 *       splitting a page, is left to others where it would take a wait.
 *   <li>W3: a read of a page from the disk is no such wait; only the search for the leaves of a
 *       commit, which holds locks, reads none.
 * </ul>
 *
 * <p>Threads: each for itself.
 */
public final class Waiting {
  private static final ThreadLocal<Boolean> FORBIDDEN = ThreadLocal.withInitial(() -> false);

  private Waiting() {}

  /** Whether the calling thread may not wait. */
  public static boolean isForbidden() {
    return FORBIDDEN.get();
  }

  /** Has the calling thread not wait from now on. */
  public static void forbid() {
    FORBIDDEN.set(true);
  }

  /** Lets the calling thread wait again. */
  public static void allow() {
    FORBIDDEN.set(false);
  }

  /**
   * Called by a thread that is about to wait.
   *
   * @param what it waits for
   * @throws WouldWaitException if it may not
   */
  public static void require(String what) {
    if (isForbidden()) {
      throw new WouldWaitException(what);
    }
  }
}
