package io.bg3.core.transaction;

import io.bg3.core.commit.Totals;
import io.bg3.core.commit.Visibility;
import io.bg3.core.keyspace.SequenceReservations;
import io.bg3.core.keyspace.Trees;
import io.bg3.core.snapshot.AgeLimit;
import io.bg3.core.snapshot.SnapshotSlots;

/**
 * The parts of a store that its transactions work with. {@link TransactionManager} makes one for
 * all of them.
 */
record TransactionEnvironment(
    Trees trees,
    Totals totals,
    Dictionary dictionary,
    SequenceReservations reservations,
    SnapshotSlots slots,
    AgeLimit age,
    Committer committer,
    Visibility visibility) {}
