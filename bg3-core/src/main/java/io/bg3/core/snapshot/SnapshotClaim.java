package io.bg3.core.snapshot;

import io.bg3.core.entry.Expiry;
import java.util.function.Function;

/**
 * The snapshot that one transaction has registered, and its claim to the slot, which is taken away
 * when it is open for too long. Belongs to one thread.
 */
public final class SnapshotClaim {
  private final SnapshotSlots slots;
  private final int slot;
  private final long claim;
  private final long snapshot;
  private final Expiry expiry;
  private Function<SnapshotTooOldException, RuntimeException> translation = tooOld -> tooOld;

  /** Registers the newest snapshot. */
  public SnapshotClaim(SnapshotSlots slots, AgeLimit age) {
    this.slots = slots;
    this.slot = slots.register();
    this.snapshot = slots.snapshot(slot);
    this.claim = slots.claim(slot, age.tick());
    this.expiry = slots.takeClock(slot);
  }

  /** From now on, what {@code translation} makes of the exception is thrown in its place. */
  public void translate(Function<SnapshotTooOldException, RuntimeException> translation) {
    this.translation = translation;
  }

  /** The timestamp at which the transaction reads. */
  public long snapshot() {
    return snapshot;
  }

  /** Which entries have expired by the clock of this snapshot. */
  public Expiry expiry() {
    return expiry;
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

  private RuntimeException tooOld() {
    return translation.apply(new SnapshotTooOldException(snapshot, AgeLimit.SETTING));
  }
}
