package io.bg3.core.commit;

import io.bg3.core.entry.Horizon;
import io.bg3.core.keyspace.WriteSet;
import io.bg3.storage.log.WriteAheadLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Supplier;

/**
 * The way of a commit that may happen, through the point of no return and into the pages.
 *
 * <ol>
 *   <li>log space is reserved: the last thing that can wait or fail,
 *   <li>the commit takes its timestamp and its place in the log,
 *   <li>its entries go into the pages, and <i>applied</i> and <i>visible</i> move.
 * </ol>
 *
 * <p>Should something fail from the second on, the store stops writing and the commit's outcome is
 * unknown. Threads: any.
 */
public final class CommitPipeline {
  private final WriteAheadLog log;
  private final Sequencer sequencer;
  private final Visibility visibility;
  private final Supplier<Horizon> horizon;

  /** Commits into this log; {@code horizon} says which versions may be pruned on the way. */
  public CommitPipeline(
      WriteAheadLog log, Sequencer sequencer, Visibility visibility, Supplier<Horizon> horizon) {
    this.log = log;
    this.sequencer = sequencer;
    this.visibility = visibility;
    this.horizon = horizon;
  }

  /**
   * Makes a validated commit happen. The caller holds what keeps others from its keys until this
   * returns, and then waits for it to be visible.
   *
   * @param admitted by a {@link CommitAdmission}, so there is memory for the writes, and the leaves
   *     they go to are in memory and pinned
   * @param expires as {@link Sequencer#issue} has it
   * @return null if something has expired that the commit relies on; nothing has happened
   * @throws StoreFailedException if the log does not take it; nothing has happened
   * @throws OutOfMemoryError if there was no memory for a new segment of the log; nothing has
   *     happened
   * @throws OutcomeUnknownException if something failed that must not
   */
  public PendingCommit run(
      WriteSet writes,
      TotalIncrements increments,
      ByteBuffer record,
      AdmittedCommit admitted,
      long expires) {
    PendingCommit commit =
        new PendingCommit(increments); // may fail, which a reservation would outlive
    reserve(record.remaining());
    return issueAndApply(commit, writes, record, admitted.batches(), expires);
  }

  private void reserve(int bytes) {
    try {
      log.reserve(bytes);
    } catch (IOException e) {
      visibility.fail(e);
      throw new StoreFailedException(visibility.failure());
    }
  }

  private PendingCommit issueAndApply(
      PendingCommit commit, WriteSet writes, ByteBuffer record, TreeBatches batches, long expires) {
    try {
      if (!sequencer.issue(commit, record, expires)) {
        log.release(record.remaining());
        return null;
      }
      writes.issued(commit.stamp);
      batches.apply(commit.stamp, horizon);
      visibility.markApplied(commit);
      return commit;
    } catch (RuntimeException | Error e) {
      visibility.fail(e);
      throw new OutcomeUnknownException(commit.stamp, visibility.failure());
    }
  }

  /**
   * Consolidates and splits what the commit left due. Nothing depends on it: where memory runs out,
   * a page is put off, and the next writer of the leaf finds it due again.
   *
   * @return whether the batches can be used again
   */
  public boolean settle(TreeBatches batches) {
    if (batches.due().isEmpty()) {
      return true;
    }
    try {
      batches.due().settle(horizon.get());
      return true;
    } catch (RuntimeException | Error e) {
      visibility.fail(e);
      return false;
    }
  }
}
