package io.bg3.gremlin.structure;

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

  /** Opens a transaction of {@code parent}'s graph, which ends it when it is closed. */
  Bg3ThreadedTransaction(Graph graph, Bg3Transaction parent) {
    super(graph);
    this.parent = parent;
    this.transaction = parent.openShared();
  }

  @Override
  public boolean isOpen() {
    return transaction.graph().isOpen();
  }

  @Override
  public OpenTransaction current() {
    if (!isOpen()) {
      throw new IllegalStateException(
          "the threaded transaction has ended and cannot be used again");
    }
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
    OpenTransaction ending = current();
    parent.sharedEnded(ending);
    Bg3Transaction.commit(ending, this::fireOnRollback);
  }

  @Override
  protected void doRollback() throws TransactionException {
    parent.sharedEnded(transaction);
    transaction.rollback();
  }

  @Override
  protected void doClose() {
    parent.sharedEnded(transaction);
    transaction.rollback();
    super.doClose();
  }

  @Override
  @SuppressWarnings("TypeParameterUnusedInFormals") // as the interface has it
  public <G extends Graph> G createThreadedTx() {
    throw Transaction.Exceptions.threadedTransactionsNotSupported();
  }
}
