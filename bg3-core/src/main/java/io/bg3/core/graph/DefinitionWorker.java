package io.bg3.core.graph;

import io.bg3.core.forest.TreeIds;
import io.bg3.core.thread.OnDemandThread;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.transaction.TransactionManager;
import io.bg3.core.transaction.TransactionWork;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that does what the definitions of a store ask for, one definition after another, beside
 * writers, and is there while there is work.
 *
 * <p>It counts for each definition how many elements are done. A definition on which the work fails
 * waits, with the reason, until it is taken up again. The log says now and then how far the work
 * is.
 *
 * <p>Threads: any, but for what the worker itself calls.
 *
 * @param <D> a definition
 */
abstract class DefinitionWorker<D> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DefinitionWorker.class);

  private final TransactionManager transactions;
  private final ProgressLines lines = new ProgressLines(System::nanoTime, LOG::info);
  private final WorkProgress<Object> jobs = new WorkProgress<>();
  private final OnDemandThread<D> thread;
  private final PatientCommits commits;

  /**
   * A worker without a thread.
   *
   * @param threadName name of its thread
   * @param owner knows the definitions that are left; its monitor is held while {@code next} is
   *     asked
   * @param next a definition that is left, and has no problem; null if there is none
   */
  DefinitionWorker(
      String threadName, Object owner, Supplier<D> next, TransactionManager transactions) {
    this.transactions = transactions;
    this.thread = new OnDemandThread<>(threadName, owner, next, this::tryToWork);
    this.commits = new PatientCommits(transactions, thread::isClosed);
  }

  /** Names a definition for its count and its problem; the same for a later state of it. */
  abstract Object key(D definition);

  /** Names the work on a definition for a line of the log. */
  abstract String named(D definition);

  /** Works on a definition until it is ready or has failed, or the thread is to end. */
  abstract void work(D definition);

  /** Whether a failure counts: not if the definition asks for nothing any more. */
  boolean isLeft(D definition) {
    return true;
  }

  /** Logs that the work on a definition has stopped, and what to do. */
  abstract void warn(D definition, Throwable failure);

  private void tryToWork(D definition) {
    lines.begin();
    try {
      work(definition);
      lines.end(() -> named(definition), done(definition));
    } catch (RuntimeException | Error e) {
      if (!isClosed() && isLeft(definition)) {
        stop(definition, String.valueOf(e.getMessage()));
        warn(definition, e);
      }
    }
  }

  /** Works until nothing is left to do. The caller holds the owner's monitor. */
  final void start() {
    thread.start();
  }

  /** Ends the thread, after the batch that it is in. */
  @Override
  public final void close() {
    thread.close();
  }

  /** Whether the thread is to end. */
  final boolean isClosed() {
    return thread.isClosed();
  }

  /** How many elements were done since the opening, or since they are counted anew. */
  final long done(D definition) {
    return jobs.done(key(definition));
  }

  /** Counts elements that are done. */
  final void count(D definition, int elements) {
    jobs.add(key(definition), elements);
    lines.done(() -> named(definition), done(definition));
  }

  /** Why the work on a definition has stopped; null if it has not. */
  final String problem(D definition) {
    return jobs.problem(key(definition));
  }

  /** Says why the work on a definition has stopped. */
  void stop(D definition, String problem) {
    jobs.stop(key(definition), problem);
  }

  /** Forgets why the work on a definition has stopped. */
  final void goOn(D definition) {
    jobs.goOn(key(definition));
  }

  /** Forgets why the work on a definition has stopped, and begins to count anew. */
  final void forget(D definition) {
    jobs.forget(key(definition));
  }

  /** Begins to count the elements of a definition anew. */
  final void countAnew(D definition) {
    jobs.countAnew(key(definition));
  }

  /** A transaction that reads. */
  final Transaction snapshot() {
    return transactions.begin(Isolation.SNAPSHOT, true);
  }

  /**
   * The key at which the work goes on, as a commit has put it; null for the first of all.
   *
   * @param progress key of the progress on a definition
   */
  final byte[] progress(byte[] progress) {
    try (Transaction snapshot = snapshot()) {
      return snapshot.get(TreeIds.META, progress);
    }
  }

  /** Does work and commits it; where memory is short for the moment, after a pause. */
  final <T> T retry(Isolation isolation, TransactionWork<T> work) {
    return commits.retry(isolation, work);
  }
}
