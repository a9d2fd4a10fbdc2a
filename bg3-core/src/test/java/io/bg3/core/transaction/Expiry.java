package io.bg3.core.transaction;

/** Ends transactions as the age limit does, at a moment of the test's choice. */
public final class Expiry {
  private Expiry() {}

  /** Takes away the snapshot of every transaction of a store that is open. */
  public static void expireAll(TransactionManager manager) {
    manager.slots().expire(Long.MAX_VALUE);
  }
}
