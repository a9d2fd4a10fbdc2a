/**
 * The snapshots that are open, and the cut below which old versions may be pruned.
 *
 * <ul>
 *   <li>{@link io.bg3.core.snapshot.SnapshotSlots} is the table of open snapshots. It tells a
 *       thread that prunes which versions are still read, and draws the race between registering
 *       and pruning (R9).
 *   <li>A {@link io.bg3.core.snapshot.SnapshotClaim} is one transaction's slot in this table.
 *   <li>{@link io.bg3.core.snapshot.AgeLimit} takes the slots of transactions away that are open
 *       for too long; their next read throws {@link io.bg3.core.snapshot.SnapshotTooOldException}.
 * </ul>
 *
 * <p>The package knows timestamps and neither keys nor pages. Threads: slots are used by any; a
 * claim belongs to one thread.
 */
package io.bg3.core.snapshot;
