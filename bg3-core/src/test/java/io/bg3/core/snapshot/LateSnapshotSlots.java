package io.bg3.core.snapshot;

import java.util.function.LongSupplier;

/** A broken twin: publishes its slot and does not look whether a thread has pruned in between. */
final class LateSnapshotSlots extends SnapshotSlots {
  LateSnapshotSlots(LongSupplier visible) {
    super(visible);
  }

  @Override
  boolean mustTakeAnother(long snapshot) {
    return false;
  }
}
