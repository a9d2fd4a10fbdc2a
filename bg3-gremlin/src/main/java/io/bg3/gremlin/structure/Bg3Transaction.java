package io.bg3.gremlin.structure;

import io.bg3.core.commit.CommitListener;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.transaction.ConflictException;
import io.bg3.gremlin.structure.Bg3TransactionEndedException.Reason;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalSource;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.apache.tinkerpop.gremlin.structure.util.AbstractThreadLocalTransaction;
import org.apache.tinkerpop.gremlin.structure.util.TransactionException;

/**
 * The transactions of a graph, one a thread, opened by the first thing a thread does with the graph
 * unless {@link Transaction.READ_WRITE_BEHAVIOR#MANUAL} is set.
 *
 * <p>A transaction is in {@code open} from when it opens to when it ends, so that it can be ended
 * for a thread that is gone ({@link AbandonedTransactions}) and when the graph closes.
 *
 * <p>It is in {@code ofThread} until its own thread ends it. One that something else has ended
 * stays there and counts as open: the thread has not been told yet. Each use throws the reason, and
 * {@link #commit}, {@link #rollback} and {@link #close} remove it. Otherwise a commit would find
 * nothing to do and return, and a write would begin a transaction that holds the second half of the
 * work only.
 */
final class Bg3Transaction extends AbstractThreadLocalTransaction implements TransactionSource {
  private final StoreHandle store;
  private final Supplier<Graph> threaded;

  @SuppressWarnings("ThreadLocalUsage") // each graph has transactions of its own
  private final ThreadLocal<OpenTransaction> ofThread = new ThreadLocal<>();

  private final Set<OpenTransaction> open = ConcurrentHashMap.newKeySet();

  /**
   * The transactions of a graph.
   *
   * @param store the graph's
   * @param threaded makes a graph that is one transaction for all threads
   */
  Bg3Transaction(Graph graph, StoreHandle store, Supplier<Graph> threaded) {
    super(graph);
    this.store = store;
    this.threaded = threaded;
  }

  /**
   * Whether the thread has a transaction that it has not ended, even if something else has: then
   * {@link #commit} throws {@link Bg3TransactionEndedException}.
   */
  @Override
  public boolean isOpen() {
    return ofThread.get() != null;
  }

  @Override
  public OpenTransaction current() {
    readWrite();
    OpenTransaction transaction = ofThread.get();
    if (transaction == null) {
      throw Transaction.Exceptions.transactionMustBeOpenToReadWrite();
    }
    transaction.requireUsable();
    return transaction;
  }

  @Override
  public boolean isThreaded() {
    return false;
  }

  /**
   * Commits the thread's transaction and ends it, whether this returns or throws. Does nothing
   * where nothing is open and nothing has to be: no transaction is opened to end it.
   *
   * @throws Bg3ConflictException if another transaction changed what this one read or overwrote
   * @throws Bg3TransactionEndedException if something other than the thread has ended it
   * @throws IllegalStateException if the graph is closed and the thread has no transaction
   */
  @Override
  public void commit() {
    if (isIdle()) {
      store.store(); // a closed graph takes no commit, not even an empty one
      fireOnCommit();
    } else {
      super.commit();
    }
  }

  /**
   * Drops the thread's transaction, also one that something else has ended. Does nothing where
   * nothing is open and nothing has to be, and in a graph that is closed.
   */
  @Override
  public void rollback() {
    if (store.isClosed() || isIdle()) {
      doRollback();
      fireOnRollback();
    } else {
      super.rollback();
    }
  }

  private boolean isIdle() {
    return !isOpen() && readWriteConsumerInternal.get() == READ_WRITE_BEHAVIOR.AUTO;
  }

  @Override
  protected void doOpen() {
    begun(store.store().begin());
  }

  /** Opens a transaction of the thread that refuses changes, as {@link Bg3Graph#openReadOnly}. */
  void openReadOnly() {
    if (isOpen()) {
      throw Transaction.Exceptions.transactionAlreadyOpen();
    }
    begun(store.store().graph().beginReadOnly());
  }

  private void begun(GraphTransaction graph) {
    OpenTransaction transaction = new OpenTransaction(graph, Thread.currentThread());
    add(transaction);
    ofThread.set(transaction);
  }

  /**
   * Makes a transaction one that {@link #endAll} ends. Closing marks the graph first and looks at
   * {@code open} then; this adds first and looks at the mark then; so one of the two ends it.
   */
  private void add(OpenTransaction transaction) {
    open.add(transaction);
    if (store.isClosed()) {
      end(List.of(transaction), Reason.GRAPH_CLOSED);
    }
  }

  /**
   * Opens a transaction that any thread may use; it ends when the graph is closed, at the latest.
   *
   * @param readOnly whether it is a snapshot, which refuses changes
   */
  OpenTransaction openShared(boolean readOnly) {
    OpenTransaction transaction =
        readOnly
            ? new OpenTransaction(store.store().graph().beginReadOnly())
            : new OpenTransaction(store.store().begin(), null);
    add(transaction);
    return transaction;
  }

  /** Takes note that a transaction which any thread may use has ended. */
  void sharedEnded(OpenTransaction transaction) {
    open.remove(transaction);
  }

  @Override
  protected void doCommit() throws TransactionException {
    CommitGuard guard = store.commitGuard();
    if (guard == null) {
      commit(end(), Optional.empty(), this::fireOnRollback);
      return;
    }
    guard.beforeCommit();
    OpenTransaction transaction = ofThread.get();
    boolean isNothing = false;
    try {
      Optional<CommitListener> listener =
          transaction != null && transaction.graph().hasWrites()
              ? guard.beforeWait() // if it throws, the thread still has the transaction
              : Optional.empty();
      commit(end(), listener, this::fireOnRollback);
    } catch (RuntimeException e) {
      isNothing = transaction != null && transaction.hasDoneNothing(e);
      throw e;
    } finally {
      if (isNothing) {
        guard.afterNothing();
      } else {
        guard.afterCommit();
      }
    }
  }

  @Override
  protected void doRollback() {
    OpenTransaction transaction = end();
    if (transaction != null) {
      transaction.rollback();
    }
  }

  private OpenTransaction end() {
    OpenTransaction transaction = ofThread.get();
    if (transaction != null) {
      ofThread.remove();
      open.remove(transaction);
    }
    return transaction;
  }

  /**
   * Commits; null is nothing to commit. A commit that fails ends the transaction, so {@code
   * rolledBack} tells its listeners: what they kept must not come with the next commit.
   *
   * @param listener as {@link CommitGuard#beforeWait} has it
   */
  static void commit(
      OpenTransaction transaction, Optional<CommitListener> listener, Runnable rolledBack) {
    if (transaction == null) {
      return;
    }
    TransactionException failure;
    try {
      transaction.commit(listener);
      return;
    } catch (ConflictException e) {
      failure = new Bg3ConflictException(e);
    } catch (Bg3TransactionEndedException e) {
      failure = e;
    } catch (RuntimeException e) {
      failure = new TransactionException(e.getMessage(), e);
    }
    try {
      rolledBack.run();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
    throw failure;
  }

  /**
   * Opens a transaction if the thread has none, so that its snapshot is of now.
   *
   * @throws Bg3TransactionEndedException if it has one that something else has ended
   */
  @Override
  public <T extends TraversalSource> T begin(Class<T> traversalSourceClass) {
    OpenTransaction transaction = ofThread.get();
    if (transaction == null) {
      doOpen();
    } else {
      transaction.requireUsable();
    }
    return super.begin(traversalSourceClass);
  }

  @Override
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // G is as the interface has it
  public <G extends Graph> G createThreadedTx() {
    return (G) threaded.get();
  }

  /** Ends the transactions of threads that have ended. */
  void endAbandoned() {
    end(open.stream().filter(OpenTransaction::isAbandoned).toList(), Reason.THREAD_ENDED);
  }

  /** Ends all transactions of a graph that is marked as closed, after commits under way. */
  void endAll() {
    end(open, Reason.GRAPH_CLOSED);
  }

  private void end(Iterable<OpenTransaction> transactions, Reason reason) {
    for (OpenTransaction transaction : transactions) {
      if (open.remove(transaction)) {
        transaction.end(reason);
      }
    }
  }

  /** The ages of the transactions of threads, in milliseconds. */
  Map<Thread, Long> agesMillis() {
    Map<Thread, Long> ages = new HashMap<>();
    for (OpenTransaction transaction : open) {
      if (transaction.owner() != null) {
        ages.put(transaction.owner(), transaction.ageMillis());
      }
    }
    return ages;
  }

  /** The number of open transactions. */
  int count() {
    return open.size();
  }
}
