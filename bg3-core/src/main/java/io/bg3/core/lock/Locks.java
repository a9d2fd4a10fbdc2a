package io.bg3.core.lock;

/**
 * Gate and stripes together: takes and releases whole lock sets, in the one order that cannot end
 * in a deadlock.
 */
public final class Locks {
  private final Gate gate = new Gate();
  private final Stripes stripes;

  /** A gate, and so many stripes. */
  public Locks(int stripeCount) {
    stripes = new Stripes(stripeCount);
  }

  /** The stripe of a hash. */
  public int stripeOf(long hash) {
    return stripes.of(hash);
  }

  /**
   * Takes everything in the lock set. Returns the ticket to release it with.
   *
   * @throws io.bg3.storage.WouldWaitException if the thread may not wait and would have to; it has
   *     nothing of the set
   */
  int acquire(LockSet lockSet) {
    if (lockSet.isGate()) {
      gate.enterExclusively();
      return -1;
    }
    int ticket = gate.enter();
    int taken = 0;
    try {
      for (; taken < lockSet.count(); taken++) {
        stripes.lock(lockSet.stripe(taken), lockSet.isExclusive(taken));
      }
    } finally {
      if (taken < lockSet.count()) {
        giveBack(lockSet, taken, ticket);
      }
    }
    return ticket;
  }

  /** Ends what {@link #acquire} began; any thread may do it. */
  void release(LockSet lockSet, int ticket) {
    if (lockSet.isGate()) {
      gate.leaveExclusively();
      return;
    }
    for (int i = lockSet.count() - 1; i >= 0; i--) {
      stripes.unlock(lockSet.stripe(i), lockSet.isExclusive(i));
    }
    gate.leave(ticket);
  }

  /** Gives the gate back, and so many of the stripes, the first ones. */
  private void giveBack(LockSet lockSet, int taken, int ticket) {
    for (int i = taken - 1; i >= 0; i--) {
      stripes.unlock(lockSet.stripe(i), lockSet.isExclusive(i));
    }
    gate.leave(ticket);
  }

  /** Whether nobody holds or waits for anything; for checks after tests. */
  public boolean isIdle() {
    return gate.insideCount() == 0 && stripes.isIdle();
  }
}
