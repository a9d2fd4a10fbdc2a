package io.bg3.core.snapshot;

/**
 * The snapshot that one transaction has registered, and its claim to the slot, which is taken away
 * when it is open for too long. Belongs to one thread.
 */
public final class SnapshotClaim {
  private final SnapshotSlots slots;
  private final int slot;
  private final long claim;
  private final long snapshot;

  /** Registers the newest snapshot. */
  public SnapshotClaim(SnapshotSlots slots, AgeLimit age) {
    this.slots = slots;
    this.slot = slots.register();
    this.snapshot = slots.snapshot(slot);
    this.claim = slots.claim(slot, age.tick());
  }

  /** The timestamp at which the transaction reads. */
  public long snapshot() {
    return snapshot;
  }

  /** Whether it has neither been taken away nor given back. */
  public boolean isHeld() {
    return slots.holds(slot, claim);
  }

  /** Throws if it has been taken away. */
  public void check() {
    if (!isHeld()) {
      throw tooOld();
    }
  }

  /** Lets it not be taken away until {@link #unkeep}; throws if it has been. */
  public void keep() {
    if (!slots.keep(slot, claim)) {
      throw tooOld();
    }
  }

  /** Ends {@link #keep}. */
  public void unkeep() {
    slots.unkeep(slot, claim);
  }

  /** Gives the slot back, unless it has been taken away. */
  public void release() {
    slots.release(slot, claim);
  }

  private SnapshotTooOldException tooOld() {
    return new SnapshotTooOldException(snapshot, AgeLimit.SETTING);
  }
}
