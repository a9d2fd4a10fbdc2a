package io.bg3.gremlin.structure;

import java.util.Optional;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.apache.tinkerpop.gremlin.structure.util.AbstractThreadedTransaction;
import org.apache.tinkerpop.gremlin.structure.util.TransactionException;

/**
 * One transaction that any number of threads share: open from the start, of no use after its end.
 * It lives as long as the graph that {@link Bg3Transaction#createThreadedTx} gave for it.
 */
final class Bg3ThreadedTransaction extends AbstractThreadedTransaction
    implements TransactionSource {
  private final Bg3Transaction parent;
  private final OpenTransaction transaction;
  private volatile boolean finished; // written under this object's monitor

  /**
   * Opens a transaction of {@code parent}'s graph, which ends it when it is closed.
   *
   * @param readOnly whether it refuses changes
   */
  Bg3ThreadedTransaction(Graph graph, Bg3Transaction parent, boolean readOnly) {
    super(graph);
    this.parent = parent;
    this.transaction = parent.openShared(readOnly);
  }

  /**
   * Whether no thread has ended it yet. It counts as open when something else has ended it, as when
   * the graph that it belongs to was closed: then {@link #commit} throws {@link
   * Bg3TransactionEndedException}.
   */
  @Override
  public boolean isOpen() {
    return !finished;
  }

  @Override
  public OpenTransaction current() {
    if (finished) {
      throw new IllegalStateException(
          "the threaded transaction has ended and cannot be used again");
    }
    transaction.requireUsable();
    return transaction;
  }

  @Override
  public boolean isThreaded() {
    return true;
  }

  @Override
  protected void doOpen() {
    current();
  }

  @Override
  protected void doCommit() throws TransactionException {
    if (!finish()) {
      current(); // throws
    }
    parent.sharedEnded(transaction);
    Bg3Transaction.commit(transaction, Optional.empty(), this::fireOnRollback);
  }

  @Override
  protected void doRollback() throws TransactionException {
    finish();
    parent.sharedEnded(transaction);
    transaction.rollback();
  }

  /** Whether the calling thread is the one to end the transaction. */
  private synchronized boolean finish() {
    boolean first = !finished;
    finished = true;
    return first;
  }

  @Override
  protected void doClose() {
    doRollback();
    super.doClose();
  }

  @Override
  @SuppressWarnings("TypeParameterUnusedInFormals") // as the interface has it
  public <G extends Graph> G createThreadedTx() {
    throw Transaction.Exceptions.threadedTransactionsNotSupported();
  }
}
