package io.bg3.core.transaction;

/**
 * Work that {@link TransactionManager#retry} may do several times, each time in a transaction of
 * its own.
 *
 * @param <T> what the work answers
 */
@FunctionalInterface
public interface TransactionWork<T> {
  /**
   * Does the work inside {@code transaction}, which it neither commits nor rolls back. It may be
   * called again after a conflict, so it must have no effect outside of the transaction.
   */
  T run(Transaction transaction);
}
