package io.bg3.gremlin.structure;

import io.bg3.core.commit.ConflictException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
 */
final class Bg3Transaction extends AbstractThreadLocalTransaction implements TransactionSource {
  private final Bg3Graph graph;

  @SuppressWarnings("ThreadLocalUsage") // each graph has transactions of its own
  private final ThreadLocal<OpenTransaction> ofThread = new ThreadLocal<>();

  private final Set<OpenTransaction> open = ConcurrentHashMap.newKeySet();

  Bg3Transaction(Bg3Graph graph) {
    super(graph);
    this.graph = graph;
  }

  @Override
  public boolean isOpen() {
    OpenTransaction transaction = ofThread.get();
    return transaction != null && transaction.graph().isOpen();
  }

  @Override
  public OpenTransaction current() {
    readWrite();
    OpenTransaction transaction = ofThread.get();
    if (transaction == null) {
      throw Transaction.Exceptions.transactionMustBeOpenToReadWrite();
    }
    return transaction;
  }

  @Override
  public boolean isThreaded() {
    return false;
  }

  /**
   * Does nothing where nothing is open and nothing has to be: no transaction is opened to end it.
   */
  @Override
  public void commit() {
    if (isIdle()) {
      fireOnCommit();
    } else {
      super.commit();
    }
  }

  /** Does nothing where nothing is open and nothing has to be, and in a graph that is closed. */
  @Override
  public void rollback() {
    if (graph.isClosed() || isIdle()) {
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
    OpenTransaction transaction =
        new OpenTransaction(graph.store().begin(), Thread.currentThread());
    open.add(transaction);
    ofThread.set(transaction);
  }

  /**
   * Opens a transaction that any thread may use; it ends when the graph is closed, at the latest.
   */
  OpenTransaction openShared() {
    OpenTransaction transaction = new OpenTransaction(graph.store().begin(), null);
    open.add(transaction);
    return transaction;
  }

  /** Takes note that a transaction which any thread may use has ended. */
  void sharedEnded(OpenTransaction transaction) {
    open.remove(transaction);
  }

  @Override
  protected void doCommit() throws TransactionException {
    commit(end(), this::fireOnRollback);
  }

  @Override
  protected void doRollback() throws TransactionException {
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
   */
  static void commit(OpenTransaction transaction, Runnable rolledBack) {
    if (transaction == null) {
      return;
    }
    TransactionException failure;
    try {
      transaction.commit();
      return;
    } catch (ConflictException e) {
      failure = new Bg3ConflictException(e);
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

  /** Opens a transaction if the thread has none, so that its snapshot is of now. */
  @Override
  public <T extends TraversalSource> T begin(Class<T> traversalSourceClass) {
    if (!isOpen()) {
      doOpen();
    }
    return super.begin(traversalSourceClass);
  }

  @Override
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // G is as the interface has it
  public <G extends Graph> G createThreadedTx() {
    return (G) new Bg3Graph(graph);
  }

  /** Ends the transactions of threads that have ended. */
  void rollBackAbandoned() {
    rollBack(open.stream().filter(OpenTransaction::isAbandoned).toList());
  }

  /** Ends all transactions, whatever their threads are doing. */
  void rollBackAll() {
    rollBack(List.copyOf(open));
  }

  private void rollBack(List<OpenTransaction> transactions) {
    for (OpenTransaction transaction : transactions) {
      if (open.remove(transaction)) {
        transaction.rollback();
      }
    }
  }

  /** How many transactions are open. */
  int count() {
    return open.size();
  }
}
