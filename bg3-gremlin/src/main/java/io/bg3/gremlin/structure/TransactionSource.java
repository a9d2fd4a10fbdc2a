package io.bg3.gremlin.structure;

/** Where a graph finds the transaction that a call belongs to. */
interface TransactionSource {
  /**
   * The transaction of the calling thread, opened if there is none and it opens by itself.
   *
   * @throws IllegalStateException if there is none, or the graph is closed
   */
  OpenTransaction current();

  /** Whether every thread shares one transaction. */
  boolean isThreaded();
}
