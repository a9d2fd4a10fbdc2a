package io.bg3.core.graph;

import io.bg3.core.transaction.Transaction;
import io.bg3.core.tree.LeafPrefetch;

/**
 * Decides when a look-up by an index announces the elements that it is going to read, so that what
 * is not in memory is loaded together (R30). The first element is read alone. Each group is twice
 * as large as the one before, up to {@value #MOST}: a look-up that ends early has announced at most
 * about as many elements as it has read.
 *
 * <p>Belongs to one look-up.
 */
final class NextNamed {
  /** The most elements that are announced together; their leaves fit into one group of loads. */
  static final int MOST = LeafPrefetch.TOGETHER;

  private final Transaction transaction;

  /** Elements that may be read before some are announced. */
  private int left = 1;

  private int size = 2;

  NextNamed(Transaction transaction) {
    this.transaction = transaction;
  }

  /**
   * Called before each element is read: how many elements are to be announced now, the one that is
   * about to be read among them; 0 as a rule.
   */
  int wanted() {
    if (left > 0) {
      left--;
      return 0;
    }
    return transaction.mayPrefetch() ? size : 0;
  }

  /** Says how many were announced: fewer than were wanted where no more are known. */
  void announced(int count) {
    left = Math.max(0, count - 1);
    size = Math.min(MOST, 2 * size);
  }
}
