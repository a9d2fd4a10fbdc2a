package io.bg3.core.transaction;

import io.bg3.core.commit.Totals;
import io.bg3.core.commit.Visibility;
import io.bg3.core.keyspace.SequenceReservations;
import io.bg3.core.keyspace.Trees;
import io.bg3.core.snapshot.AgeLimit;
import io.bg3.core.snapshot.SnapshotSlots;

/**
 * The parts of a store that its transactions read from and commit to.
 *
 * @param slots where a transaction registers its snapshot
 * @param age gives up transactions that are open for too long
 * @param schema which indexes there are
 * @param degrees the numbers of entries of owners in trees of their own
 * @param partial the labels whose counters are being built
 */
record TransactionContext(
    Trees trees,
    Totals totals,
    SnapshotSlots slots,
    AgeLimit age,
    Visibility visibility,
    Committer committer,
    SequenceReservations reservations,
    Dictionary dictionary,
    SchemaVersion schema,
    Degrees degrees,
    PartialCounters partial) {}
