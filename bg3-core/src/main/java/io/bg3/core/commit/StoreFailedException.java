package io.bg3.core.commit;

/**
 * The store has stopped writing after an earlier failure, which is the cause. Nothing of this
 * transaction was done. Reads go on; opening the store again recovers everything that was
 * acknowledged.
 */
public final class StoreFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The store stopped writing because of {@code cause}, the first failure. */
  public StoreFailedException(Throwable cause) {
    super("the store has stopped writing: first cause=" + cause, cause);
  }
}
