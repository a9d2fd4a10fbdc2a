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
  private final OpenTransaction transaction;

  Bg3ThreadedTransaction(Graph graph, OpenTransaction transaction) {
    super(graph);
    this.transaction = transaction;
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
    Bg3Transaction.commit(current());
  }

  @Override
  protected void doRollback() throws TransactionException {
    transaction.rollback();
  }

  @Override
  protected void doClose() {
    transaction.rollback();
    super.doClose();
  }

  @Override
  @SuppressWarnings("TypeParameterUnusedInFormals") // as the interface has it
  public <G extends Graph> G createThreadedTx() {
    throw Transaction.Exceptions.threadedTransactionsNotSupported();
  }
}
