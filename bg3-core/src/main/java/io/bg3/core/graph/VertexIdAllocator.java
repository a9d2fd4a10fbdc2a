package io.bg3.core.graph;

import io.bg3.core.record.VertexId;
import io.bg3.core.transaction.TransactionManager;
import java.util.function.LongPredicate;

/** Hands out the internal ids of new vertices. Threads: any. */
final class VertexIdAllocator {
  private static final int VERTEX_IDS = 0;
  private static final int RESERVED_IDS = 1;
  private static final int LONGEST_STEP = 1 << 20;

  private final TransactionManager transactions;

  VertexIdAllocator(TransactionManager transactions) {
    this.transactions = transactions;
  }

  /**
   * A vertex id that is not taken. Ids are dense until they meet ones that users gave; then the
   * steps double, so that a million of those in a row cost twenty look-ups.
   */
  long allocate(LongPredicate taken) {
    int step = 1;
    while (true) {
      long id = transactions.allocateIds(VERTEX_IDS, step) + step - 1;
      if (!taken.test(id)) {
        return id;
      }
      step = Math.min(2 * step, LONGEST_STEP);
    }
  }

  /** An internal id for a vertex whose own id is a UUID or a String. */
  long allocateReserved() {
    return VertexId.reserved(transactions.allocateIds(RESERVED_IDS, 1));
  }
}
