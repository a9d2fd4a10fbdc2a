package io.bg3.gremlin.structure;

import io.bg3.core.commit.CommitListener;
import io.bg3.core.commit.OutcomeUnknownException;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.gremlin.structure.Bg3TransactionEndedException.Reason;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.tinkerpop.gremlin.util.iterator.StoreIteratorCounter;

/**
 * A transaction that is under way, the thread that opened it, and how many iterators over it are
 * open. Iterators that nobody closed are closed with it, so a traversal of which only the first
 * result was taken leaks nothing.
 *
 * <p>Its users end it by {@link #commit} and {@link #rollback}. Anything else ends it by {@link
 * #end}, which keeps the reason for the users: each later use throws it.
 *
 * <p>{@code iterators} is changed by the thread that opens and closes iterators and set to zero at
 * the end; an iterator that is closed after the end finds zero and changes nothing. {@code ended}
 * is written under this object's monitor, which a commit holds to its end: so either the commit
 * happens and {@code end} finds a transaction that is over, or the commit finds the reason.
 */
final class OpenTransaction {
  private final GraphTransaction graph;
  private final Thread owner;
  private final boolean counts; // its iterators
  private final long begun = System.nanoTime();
  private final AtomicInteger iterators = new AtomicInteger();
  private volatile Reason ended; // null unless it was ended by something other than its users

  /** A transaction of {@code owner}; null if any thread may use it. */
  OpenTransaction(GraphTransaction graph, Thread owner) {
    this(graph, owner, true);
  }

  /**
   * A snapshot for any thread. Iterators over it are not counted: a program looks at the first edge
   * of a vertex and forgets the iterator, and the snapshot outlives the program.
   */
  OpenTransaction(GraphTransaction snapshot) {
    this(snapshot, null, false);
  }

  private OpenTransaction(GraphTransaction graph, Thread owner, boolean counts) {
    this.graph = graph;
    this.owner = owner;
    this.counts = counts;
    graph.translateTooOld(e -> new Bg3TransactionEndedException(Reason.TOO_OLD, e));
  }

  GraphTransaction graph() {
    return graph;
  }

  /** The thread that opened it; null if any thread may use it. */
  Thread owner() {
    return owner;
  }

  /** How old it and its snapshot are, in milliseconds. */
  long ageMillis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
  }

  /** Whether the thread that opened it has ended without ending it. */
  boolean isAbandoned() {
    return owner != null && !owner.isAlive();
  }

  /**
   * Called before each use.
   *
   * @throws Bg3TransactionEndedException if something other than its users has ended it
   */
  void requireUsable() {
    Reason reason = ended;
    if (reason != null) {
      throw new Bg3TransactionEndedException(reason);
    }
    if (graph.isTooOld()) {
      throw new Bg3TransactionEndedException(Reason.TOO_OLD);
    }
  }

  /**
   * Called before each use by a traversal that began in it.
   *
   * @throws Bg3TransactionEndedException as {@link #requireUsable}
   * @throws IllegalStateException if its users have ended it
   */
  void requireGoesOn(Bg3Graph of) {
    requireUsable();
    if (!graph.isOpen()) {
      throw new IllegalStateException("the transaction of the traversal has ended: " + of);
    }
  }

  void iteratorOpened() {
    if (!counts) {
      return;
    }
    iterators.incrementAndGet();
    StoreIteratorCounter.INSTANCE.increment();
  }

  void iteratorClosed() {
    if (iterators.getAndUpdate(count -> Math.max(0, count - 1)) > 0) {
      StoreIteratorCounter.INSTANCE.decrement();
    }
  }

  /**
   * Commits, and ends the transaction whether it returns or throws.
   *
   * @param listener is told when it is durable, which this does not wait for then; empty to wait
   * @throws Bg3TransactionEndedException if it was ended before
   */
  synchronized void commit(Optional<CommitListener> listener) {
    try {
      requireUsable();
      if (listener.isPresent()) {
        graph.commitUnawaited(listener.get());
      } else {
        graph.commit();
      }
    } finally {
      // A transaction that is still open after a failure, such as one for want of memory, is
      // useless.
      rollback();
    }
  }

  /**
   * Whether nothing of its commit has happened, which has failed: it has no timestamp (R58).
   *
   * @param failure of the commit
   */
  boolean hasDoneNothing(RuntimeException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof OutcomeUnknownException) {
        return false;
      }
    }
    return !graph.hasTimestamp() && !graph.isCommitted(); // a listener may fail behind a commit
  }

  synchronized void rollback() {
    for (int left = iterators.getAndSet(0); left > 0; left--) {
      StoreIteratorCounter.INSTANCE.decrement();
    }
    graph.rollback();
  }

  /**
   * Rolls back on behalf of something other than its users. Waits for a commit that is under way,
   * and does nothing if that has ended the transaction.
   */
  synchronized void end(Reason reason) {
    if (graph.isOpen()) {
      ended = reason;
      rollback();
    }
  }
}
