package io.bg3.core.lock;

/**
 * Gate and stripes together: takes and releases whole footprints, in the one order that cannot end
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

  /** Takes everything in the footprint. Returns the ticket to release it with. */
  int acquire(Footprint footprint) {
    if (footprint.isGate()) {
      gate.enterExclusively();
      return -1;
    }
    int ticket = gate.enter();
    for (int i = 0; i < footprint.count(); i++) {
      stripes.lock(footprint.stripe(i), footprint.isExclusive(i));
    }
    return ticket;
  }

  /** Ends what {@link #acquire} began; any thread may do it. */
  void release(Footprint footprint, int ticket) {
    if (footprint.isGate()) {
      gate.leaveExclusively();
      return;
    }
    for (int i = footprint.count() - 1; i >= 0; i--) {
      stripes.unlock(footprint.stripe(i), footprint.isExclusive(i));
    }
    gate.leave(ticket);
  }

  /** Whether nobody holds or waits for anything; for checks after tests. */
  public boolean isIdle() {
    return gate.insideCount() == 0 && stripes.isIdle();
  }
}
