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
 *   <li>W2: the thread throws nothing for that reason behind the timestamp. It leaves the split of
 *       a page, and other work that can come later, to others where it would have to wait. The rest
 *       takes the processor, also for other threads: a commit may move the marks for others that
 *       have gone into the pages meanwhile, or wait until the thread that moves them has done so.
 *   <li>W3: a read of the disk is no such wait, until the thread commits: from {@link #beginCommit}
 *       to {@link #endCommit} it reads nothing from the disk. A read of a transaction before that
 *       can be interrupted, and its commit cannot.
 * </ul>
 *
 * <p>Threads: each for itself.
 */
public final class Waiting {
  private enum State {
    ALLOWED,
    FORBIDDEN,
    /** Reads of the disk are forbidden too. */
    COMMITS
  }

  private static final ThreadLocal<State> STATE = ThreadLocal.withInitial(() -> State.ALLOWED);

  private Waiting() {}

  /** Whether the calling thread may not wait. */
  public static boolean isForbidden() {
    return STATE.get() != State.ALLOWED;
  }

  /** Has the calling thread not wait from now on. Not to be nested. */
  public static void forbid() {
    assert !isForbidden() : "the inner ban would end the outer one";
    STATE.set(State.FORBIDDEN);
  }

  /** Lets the calling thread wait again. */
  public static void allow() {
    STATE.set(State.ALLOWED);
  }

  /**
   * Has the calling thread read nothing from the disk from now on, if it may not wait.
   *
   * @return whether that has changed, and {@link #endCommit} is to be called
   */
  public static boolean beginCommit() {
    boolean begins = STATE.get() == State.FORBIDDEN;
    if (begins) {
      STATE.set(State.COMMITS);
    }
    return begins;
  }

  /** Lets the calling thread read from the disk again, which still may not wait. */
  public static void endCommit() {
    assert STATE.get() == State.COMMITS : STATE.get();
    STATE.set(State.FORBIDDEN);
  }

  /** Whether the calling thread may read from the disk. */
  public static boolean mayRead() {
    return STATE.get() != State.COMMITS;
  }

  /**
   * Called by a thread that is about to read from the disk.
   *
   * @throws WouldWaitException if it may not
   */
  public static void requireRead() {
    if (!mayRead()) {
      throw new WouldWaitException("the disk, to read from it");
    }
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
