package io.bg3.gremlin.structure;

/** The source of the transaction that a call belongs to. */
interface TransactionSource {
  /**
   * The transaction of the calling thread, opened if there is none and it opens by itself.
   *
   * @throws IllegalStateException if there is none, or the graph is closed
   * @throws Bg3TransactionEndedException if something other than its users has ended it
   */
  OpenTransaction current();

  /** Whether every thread shares one transaction. */
  boolean isThreaded();
}
