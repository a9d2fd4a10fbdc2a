package io.bg3.core.commit;

/**
 * Begins transactions and puts their commits into one order.
 *
 * <p>Threads: any.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class TransactionManager implements AutoCloseable {
  TransactionManager() {}

  /**
   * Begins a transaction that sees every commit that has returned.
   *
   * @throws IllegalStateException if the manager is closed
   */
  public Transaction begin(Isolation isolation, boolean readOnly) {
    throw new UnsupportedOperationException();
  }

  /**
   * Does {@code work} in a transaction and commits it; after a conflict once more, until it
   * succeeds. After three conflicts it keeps the others away from what the work touches, so it
   * cannot starve; then the time that the work may take undisturbed is limited. Any other exception
   * rolls back and goes to the caller.
   */
  public <T> T retry(Isolation isolation, TransactionWork<T> work) {
    throw new UnsupportedOperationException();
  }

  /** The codes of labels and property keys. */
  public Dictionary dictionary() {
    throw new UnsupportedOperationException();
  }

  /**
   * Takes {@code count} consecutive ids that were never handed out before from the counter named
   * {@code sequence} and returns the first. Ids are dense from 1; only a crash skips some, at most
   * one block.
   *
   * @param sequence which counter, 0 to 255
   * @param count 1 or more
   * @throws StoreFailedException if a new block was needed and the store has stopped writing
   */
  public long allocateIds(int sequence, int count) {
    throw new UnsupportedOperationException();
  }

  /** The same from counter 0. */
  public long allocateIds(int count) {
    return allocateIds(0, count);
  }

  /** The largest timestamp below which every commit is seen by new readers. */
  public long visible() {
    throw new UnsupportedOperationException();
  }

  /** The largest timestamp below which every commit is in the pages. */
  public long applied() {
    throw new UnsupportedOperationException();
  }

  /**
   * Ends the writing of the log after everything in it has been synced. Open transactions can only
   * be rolled back.
   */
  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }
}
