package io.bg3.core.transaction;

import io.bg3.core.commit.DurableLog;
import io.bg3.core.commit.PendingCommit;
import io.bg3.core.commit.Totals;
import io.bg3.core.commit.Visibility;
import io.bg3.core.entry.Lifetimes;
import io.bg3.core.keyspace.SequenceReservations;
import io.bg3.core.keyspace.Trees;
import io.bg3.core.lock.Locks;
import io.bg3.core.snapshot.SnapshotSlots;
import java.util.function.LongSupplier;

/**
 * Makes the parts of a manager that tests replace by broken twins, to see that their faults are
 * found.
 */
class ComponentFactory {
  SnapshotSlots slots(LongSupplier visible) {
    return new SnapshotSlots(visible);
  }

  Visibility visibility(PendingCommit origin, Totals totals, DurableLog log) {
    return new Visibility(origin, totals, log);
  }

  CodeTable codes() {
    return new CodeTable();
  }

  Validation validation(Trees trees, Totals totals, CodeTable codes) {
    return new Validation(trees, totals, codes);
  }

  Degrees degrees(Trees trees, Validation validation, AppliedCounts applied, Lifetimes lifetimes) {
    return new Degrees(trees, validation, applied, lifetimes);
  }

  SequenceReservations reservations(Trees trees) {
    return new SequenceReservations(trees);
  }

  LockedUpdates updates(TransactionManager manager, Locks locks) {
    return new LockedUpdates(manager, locks);
  }
}
