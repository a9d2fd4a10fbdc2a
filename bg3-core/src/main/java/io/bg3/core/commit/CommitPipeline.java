package io.bg3.core.commit;

import io.bg3.core.commit.Sequencer.Issued;
import io.bg3.core.entry.Horizon;
import io.bg3.core.keyspace.WriteSet;
import io.bg3.storage.Waiting;
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
  private static final int SPINS = 100;
  private static final int YIELDS = 10;

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
   * @throws io.bg3.storage.WouldWaitException if the thread may not wait and would have to; nothing
   *     has happened
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
    Issued issued;
    try {
      issued = issue(commit, record, expires);
      if (issued == Issued.YES) {
        writes.issued(commit.stamp);
        batches.apply(commit.stamp, horizon);
        visibility.markApplied(commit);
        return commit;
      }
      log.release(record.remaining());
    } catch (RuntimeException | Error e) {
      visibility.fail(e);
      throw new OutcomeUnknownException(commit.stamp, visibility.failure());
    }
    if (issued == Issued.NOT_NOW) {
      Waiting.require("earlier commits");
    }
    return null;
  }

  /**
   * Gives the commit its timestamp. That of a thread that may not wait would wait for those before
   * it that are not in the pages yet, which may be large, so it begins only when there is none
   * (R58).
   */
  @SuppressWarnings("ThreadPriorityCheck") // it is given up if yielding does nothing
  private Issued issue(PendingCommit commit, ByteBuffer record, long expires) {
    if (!Waiting.isForbidden()) {
      return sequencer.issue(commit, record, expires) ? Issued.YES : Issued.EXPIRED;
    }
    Issued issued = Issued.NOT_NOW;
    for (int tries = 0; issued == Issued.NOT_NOW && tries < SPINS + YIELDS; tries++) {
      if (tries > 0 && tries < SPINS) {
        Thread.onSpinWait();
      } else if (tries > 0) {
        Thread.yield();
      }
      issued = sequencer.issueBehind(visibility.applied(), commit, record, expires);
    }
    return issued;
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
