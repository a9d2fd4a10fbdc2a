/**
 * The way of a commit from its buffered writes to durable and visible: log record, timestamp, place
 * in the log, pages, durability. Replay after a crash takes the same way without the log.
 *
 * <p>{@link io.bg3.core.transaction.Committer}, one layer above, takes the locks and validates.
 * Then a commit takes these steps; a class stands for each.
 *
 * <pre>
 *   CommitThrottle      wait, where flushes or a checkpoint are behind
 *   CommitRecord        encode the record
 *   TreeBatches         sort the entries by tree
 *   CommitAdmission     memory for the entries; their leaves in memory, pinned    may wait, may fail
 *   CommitPipeline      reserve log space                                         may wait, may fail
 *   Sequencer         --- timestamp and place in the log ---                      point of no return
 *   TreeBatches         entries into the pages                                    nothing fails
 *   Visibility          applied moves; with it, once durable, visible
 *   PendingMaintenance  consolidate and split what became too large
 *   Visibility          wait until visible covers the timestamp; with SYNC, sync for all waiting
 * </pre>
 *
 * <h2>Visibility</h2>
 *
 * <p>Timestamps are given under one lock together with the place in the log, so log order is
 * timestamp order. Commits then go into the pages in any order; <i>visible</i> is the largest
 * timestamp below which all have arrived and, with {@link io.bg3.core.commit.Durability#SYNC}, are
 * durable. It is the snapshot of the next reader, and a commit returns only when visible covers it.
 * Hence a transaction that begins after a commit has returned sees it, and no reader is shown
 * anything that a crash can take back:
 *
 * <pre>
 *   T1  stamp 7 ..... in the pages .................. synced, visible = 7, returns
 *   T2        stamp 8, in the pages                                   visible = 8, returns
 *   R                             begins: snapshot 6 (neither)           begins: snapshot 8 (both)
 * </pre>
 *
 * <h2>Durability</h2>
 *
 * <p>With {@link io.bg3.core.commit.Durability#SYNC} a thread that waits for its commit writes and
 * syncs the log on behalf of every waiting thread ({@link io.bg3.core.commit.GroupSync}); otherwise
 * {@link io.bg3.core.commit.LogWriter} does it. Neither takes any of the locks of a commit
 * meanwhile, so a thread that waits for durability with locks in hand is served, or serves itself.
 *
 * <h2>Failures</h2>
 *
 * <p>Up to the point of no return a failure leaves nothing behind (R5). After it nothing may fail;
 * if something does, or if the log does, the first cause is kept, visible stands still, waiting
 * commits throw {@link io.bg3.core.commit.OutcomeUnknownException}, and every later commit is
 * refused. Reading goes on.
 *
 * <p>After a crash a {@link io.bg3.core.commit.Replayer} applies the log's records by key and
 * timestamp (R2). It does not depend on how pages were split or which of them had been stored.
 *
 * <p>Threads: any, where a class does not say otherwise.
 */
package io.bg3.core.commit;
