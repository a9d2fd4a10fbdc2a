package io.bg3.core.graph;

import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.TransactionManager;
import io.bg3.core.transaction.TransactionWork;
import io.bg3.storage.memory.MemoryExceededException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Commits of threads that build something beside writers, and wait where memory is short. */
final class PatientCommits {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int MOST_PAUSES = 600;

  private final TransactionManager transactions;
  private final BooleanSupplier ended;

  /**
   * @param ended whether the thread is to come to its end, and waits no more
   */
  PatientCommits(TransactionManager transactions, BooleanSupplier ended) {
    this.transactions = transactions;
    this.ended = ended;
  }

  /** Does work and commits it; where memory is short for the moment, after a pause. */
  <T> T retry(Isolation isolation, TransactionWork<T> work) {
    for (int pauses = 0; ; pauses++) {
      try {
        return transactions.retry(isolation, work);
      } catch (MemoryExceededException e) {
        if (ended.getAsBoolean() || pauses == MOST_PAUSES) {
          throw e;
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }
}
