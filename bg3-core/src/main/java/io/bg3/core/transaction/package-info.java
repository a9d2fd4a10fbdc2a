/**
 * Transactions: snapshots, reads, buffered writes, validation, conflicts.
 *
 * <p>A {@link io.bg3.core.transaction.Transaction} reads at a snapshot and buffers what it writes.
 * Nothing of it touches a page before its commit, for which {@link
 * io.bg3.core.transaction.Committer} takes these steps:
 *
 * <pre>
 *   CommitThrottle wait, where flushes or a checkpoint are behind
 *   Committer      encode the record, append large values to their stream
 *   Locks            gate, then stripes, ascending: written exclusively, read shared
 *   Validation       nothing read or overwritten is newer than the snapshot         else conflict
 *   CodeTable        "there is no such label" is still true, and is kept true
 *   CommitPipeline   the way of the commit into log and pages, see io.bg3.core.commit
 *   Locks            released
 *   Visibility     wait until the commit is visible
 * </pre>
 *
 * <p><b>Order of waiting</b>, outermost first: gate, stripes ascending, dictionary, memory, log
 * space. Inside a tree follow latches, which no thread holds while it waits for any of these.
 *
 * <p>A conflict rests on a version that may not be durable yet. Its answer waits for visible too
 * (R10): a client that is told "taken" must not find, after a power cut, that nobody took it.
 *
 * <h2>What is validated</h2>
 *
 * <p>Every key has a stripe, chosen by its vertex where it has one (R14). Two commits that could
 * disagree share a stripe, so one validates after the other is in the pages:
 *
 * <pre>
 *   T1 reads a, writes b               T2 reads b, writes a
 *   lock a shared, b exclusively       lock a exclusively .......... waits
 *   a unchanged; stamp 7; apply b
 *   unlock                             b is newer than my snapshot: conflict
 * </pre>
 *
 * <p>A range that no single stripe covers cannot be locked by stripes: a phantom would come in
 * through one that nobody took. Such a commit takes the gate exclusively, which waits until no
 * commit is between its locks and its pages. Since it keeps all others out, it looks at its ranges
 * before, notes the <i>applied</i> of that moment, and inside looks only for newer versions.
 *
 * <p>A total is not in any page. A transaction that has read one and writes takes the gate, waits
 * until everything issued is visible, for only then have all increments been added, and compares
 * the values (R16).
 *
 * <p>Three more things count as reads: the existence of a key, which conflicts only if it has
 * changed; that a text has no code; and nothing else: inserting edges at one vertex, reserving
 * sequences and adding to totals do not conflict with one another.
 *
 * <p>Nor do increments of one vertex's counter: the value that {@link
 * io.bg3.core.transaction.CounterIncrements} writes is computed under the stripe, and the record is
 * encoded then.
 *
 * <p>An update ({@link io.bg3.core.transaction.LockedUpdates}) takes the stripes of a few vertices
 * before it reads, reads what was applied last and commits under the same locks. Nothing of it is
 * validated, and many updates of one key follow one another instead of refusing each other. It may
 * touch nothing else ({@link io.bg3.core.transaction.LockScope}).
 *
 * <h2>Reads</h2>
 *
 * <p>{@link io.bg3.core.transaction.TransactionScan} merges a range of the trees with the
 * transaction's own writes and notes what it has passed. A {@link
 * io.bg3.core.transaction.NewestReader} reads without a transaction: it registers no snapshot, and
 * checks afterwards whether it had to (R9). {@link io.bg3.core.transaction.CodeTable} draws the
 * race between a transaction that misses a label and one that makes it (R8).
 *
 * <p>Threads: {@link io.bg3.core.transaction.TransactionManager} is used by any; a transaction, and
 * all that belongs to it, by one thread at a time.
 */
package io.bg3.core.transaction;
