package io.bg3.server.dispatch;

import io.bg3.core.commit.CommitListener;
import io.bg3.core.commit.CommitSync;
import io.bg3.core.commit.OutcomeUnknownException;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * The answer of a request whose event loop does not wait until its commit is durable (R59). The
 * request has run, and its answer is kept; the loop writes it when the store says that the commit
 * is durable, or an error in its place if the store has failed.
 *
 * <pre>
 *   event loop    runs the request .. commits, keeps the answer .. other requests .. answers
 *   log thread                               writes and syncs the log ... tells ...^
 * </pre>
 *
 * <p>A loop may write and sync at the end of its turn in place of the log's thread ({@link
 * TurnSyncs}).
 *
 * <p>Threads: the request's event loop, but for {@link #visible} and {@link #unknown}. What these
 * write is published by the loop's queue of tasks.
 */
final class LateAnswer implements CommitListener {
  private final RunningRequest one;
  private final Executor loop;
  private final TurnSyncs syncs;
  private final LateRequests late;
  private boolean isWaiting;
  private OutcomeUnknownException failure; // null if there is none
  private Consumer<Optional<OutcomeUnknownException>> before = unused -> {};

  LateAnswer(RunningRequest one, Executor loop, TurnSyncs syncs, LateRequests late) {
    this.one = one;
    this.loop = loop;
    this.syncs = syncs;
    this.late = late;
  }

  /** Whether the commit has happened and its outcome is not known yet. */
  boolean isWaiting() {
    return isWaiting;
  }

  /** Has this run before the answer is written. */
  void before(Consumer<Optional<OutcomeUnknownException>> task) {
    before = task;
  }

  @Override
  public void waits() {
    isWaiting = true;
  }

  @Override
  public void needs(CommitSync sync) {
    syncs.add(sync);
  }

  @Override
  public void visible() {
    post();
  }

  @Override
  public void unknown(OutcomeUnknownException why) {
    failure = why;
    post();
  }

  private void post() {
    try {
      loop.execute(this::answer);
    } catch (RejectedExecutionException e) {
      return; // the loop has ended, and its connections with it
    }
  }

  private void answer() {
    Optional<OutcomeUnknownException> why = Optional.ofNullable(failure);
    try {
      before.accept(why);
    } finally {
      acknowledge(why);
    }
  }

  private void acknowledge(Optional<OutcomeUnknownException> why) {
    try {
      one.work.acknowledged(one, why);
    } finally {
      late.answered(one);
    }
  }
}
