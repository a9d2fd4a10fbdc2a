/**
 * Transactions: snapshots, validation, one order of commits, durability.
 *
 * <p>A {@link io.bg3.core.commit.Transaction} reads at a snapshot and buffers what it writes.
 * Nothing of it touches a page before its commit, which takes these steps; a class stands for each.
 *
 * <pre>
 *   LogPace        wait, where a checkpoint is behind
 *   Committer      encode the record, append large values to their stream
 *   Locks            gate, then stripes, ascending: written exclusively, read shared
 *   Validation       nothing read or overwritten is newer than the snapshot         else conflict
 *   CodeTable        "there is no such label" is still true, and is kept true
 *   Pipeline         request memory, reserve log space                              may wait, may fail
 *   Sequencer      --- timestamp and place in the log ---                           point of no return
 *   Batches          entries into the pages                                         nothing fails
 *   Visibility       applied moves; with it, once durable, visible
 *   Locks            released
 *   Due            consolidate and split what became too large
 *   Visibility     wait until visible covers the timestamp; with SYNC, sync for all if nobody does
 * </pre>
 *
 * <p><b>Order of waiting</b>, outermost first: gate, stripes ascending, dictionary, memory, log
 * space. Inside a tree follow latches, which no thread holds while it waits for any of these. The
 * thread that syncs the log, {@link io.bg3.core.commit.GroupSync}, takes none of them meanwhile, so
 * the thread that waits for durability with locks in hand, as a commit that has read a total does,
 * is served, or serves itself.
 *
 * <h2>What is seen</h2>
 *
 * <p>Timestamps are given under one lock together with the place in the log, so log order is
 * timestamp order. Commits then go into the pages in any order; <i>visible</i> is the largest
 * timestamp below which all have arrived and, with {@link io.bg3.core.commit.Durability#SYNC}, are
 * durable. It is the snapshot of the next reader, and a commit returns only when visible covers it.
 * Hence, the thread that begins after a commit has returned sees it, and nobody is ever shown what
 * a crash can take back:
 *
 * <pre>
 *   T1  stamp 7 ..... in the pages .................. synced, visible = 7, returns
 *   T2        stamp 8, in the pages                                   visible = 8, returns
 *   R                             begins: snapshot 6 (neither)           begins: snapshot 8 (both)
 * </pre>
 *
 * <p>A conflict rests on a version that may not be durable yet. Its answer waits for visible too: a
 * client that is told "taken" must not find, after a power cut, that nobody took it.
 *
 * <h2>What is validated</h2>
 *
 * <p>Every key has a stripe, chosen by its vertex where it has one. Two commits that could disagree
 * share a stripe, so one validates after the other is in the pages:
 *
 * <pre>
 *   T1 reads a, writes b               T2 reads b, writes a
 *   lock a shared, b exclusively       lock a exclusively .......... waits
 *   a unchanged; stamp 7; apply b
 *   unlock                             b is newer than my snapshot: conflict
 * </pre>
 *
 * <p>A range that no single stripe covers cannot be locked by stripes: a phantom would come in
 * through one that nobody took. Such a commit takes the gate exclusively, which waits until nobody
 * is between its locks and its pages. Since it keeps all others out, it looks at its ranges before,
 * notes the <i>applied</i> of that moment, and inside looks only for what is newer.
 *
 * <p>A total is not in any page. A thread that read one and writes takes the gate, waits until
 * everything issued is visible, for only then have all increments been added, and compares the
 * values.
 *
 * <p>Three more things count as reads: the existence of a key, which conflicts only if it has
 * changed; that a text has no code; and nothing else: inserting edges at one vertex, reserving
 * sequences and adding to totals do not conflict with one another.
 *
 * <p>Nor do increments of one vertex's counter: what {@link io.bg3.core.commit.Counts} writes is
 * found out under the stripe, and the record encoded then.
 *
 * <p>An update ({@link io.bg3.core.commit.Updates}) takes the stripes of a few vertices before it
 * reads, reads what was applied last and commits under the same locks. Nothing of it is validated,
 * and many that want one key come one after the other instead of refusing each other. It may touch
 * nothing else ({@link io.bg3.core.commit.Reach}).
 *
 * <h2>What is kept</h2>
 *
 * <p>{@link io.bg3.core.commit.SnapshotSlots} tells the thread that prunes which versions are still
 * read, and draws the race between registering and pruning. A {@link
 * io.bg3.core.commit.NewestReader} does not register, and looks afterwards whether it had to.
 * {@link io.bg3.core.commit.SequenceReservations} draws that of two edges for one sequence, {@link
 * io.bg3.core.commit.CodeTable} that of a label that is missed and made.
 *
 * <h2>What fails</h2>
 *
 * <p>Up to the point of no return a failure leaves nothing behind. After it nothing may fail; if
 * something does, or if the log does, the first cause is kept, visible stands still, those who wait
 * learn that their outcome is unknown, and every later commit is refused. Reading goes on.
 *
 * <p>After a crash a {@link io.bg3.core.commit.Replayer} does what the log says by key and
 * timestamp. It does not depend on how pages were split or which of them had been stored.
 */
package io.bg3.core.commit;
