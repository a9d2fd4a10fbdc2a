package io.bg3.gremlin.structure;

import org.apache.tinkerpop.gremlin.structure.util.TransactionException;

/**
 * The transaction was rolled back by something other than the thread that uses it, and nothing of
 * it was committed. Every use of the transaction throws this, {@code commit()} included, until the
 * thread acknowledges the end: {@code rollback()}, {@code close()} and a {@code commit()} that
 * throws this acknowledge it. The next use begins a new transaction.
 *
 * <p>So a thread that catches the exception of one operation and goes on cannot commit the second
 * half of its work without the first.
 */
public final class Bg3TransactionEndedException extends TransactionException {
  private static final long serialVersionUID = 1L;

  /** Why the transaction was rolled back. */
  public enum Reason {
    /** Another thread closed the graph. */
    GRAPH_CLOSED("the graph was closed"),
    /** The transaction was open for longer than the setting {@code bg3.transaction.age} allows. */
    TOO_OLD("it was open for longer than bg3.transaction.age allows"),
    /** The thread that opened the transaction has ended without ending the transaction. */
    THREAD_ENDED("the thread that opened it has ended");

    private final String text;

    Reason(String text) {
      this.text = text;
    }
  }

  private final Reason reason;

  Bg3TransactionEndedException(Reason reason) {
    this(reason, null);
  }

  Bg3TransactionEndedException(Reason reason, RuntimeException cause) {
    super(
        "the transaction was rolled back and nothing of it is committed; call rollback() and begin"
            + " again: reason="
            + reason.text,
        cause);
    this.reason = reason;
  }

  /** Why the transaction was rolled back. */
  public Reason reason() {
    return reason;
  }
}
