package io.bg3.core.lock;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A lock set of locks that is held: by a commit, or by a retry that does its work once more while
 * nobody can change what the work touches.
 *
 * <p>Three may want to end the latter: the commit, which goes on with the locks; the retry, when
 * the work failed; a timer, when it takes too long. The state decides who does.
 *
 * <pre>
 *   HELD --claim--> CLAIMED --release--> RELEASED
 *     \---------------release------------/
 *     \---------------expire-------------/
 * </pre>
 */
public final class HeldLocks {
  private enum State {
    HELD,
    CLAIMED,
    RELEASED
  }

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(HeldLocks.class, "state", State.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Locks locks;
  private final LockSet lockSet;
  private final int ticket;

  @SuppressWarnings("UnusedVariable") // through STATE
  private volatile State state = State.HELD;

  /** Takes the locks; waits for them. */
  public HeldLocks(Locks locks, LockSet lockSet) {
    this.locks = locks;
    this.lockSet = lockSet;
    this.ticket = locks.acquire(lockSet);
  }

  /** The locks that are held. */
  public LockSet lockSet() {
    return lockSet;
  }

  /** Keeps the locks for a commit that they suffice for; false if the time is over. */
  public boolean claim() {
    return STATE.compareAndSet(this, State.HELD, State.CLAIMED);
  }

  /** Gives the locks back, unless that has been done. */
  public void release() {
    if ((State) STATE.getAndSet(this, State.RELEASED) != State.RELEASED) {
      locks.release(lockSet, ticket);
    }
  }

  /** Gives the locks back, unless a commit is using them or that has been done. */
  public void expire() {
    if (STATE.compareAndSet(this, State.HELD, State.RELEASED)) {
      locks.release(lockSet, ticket);
    }
  }
}
