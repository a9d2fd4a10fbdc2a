package io.bg3.linkbench.model;

/** An operation of a store failed and a repetition inside of it did not help. */
public final class LinkStoreException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** An exception with a message for the store's user. */
  public LinkStoreException(String message) {
    super(message);
  }

  /** An exception with a message and a cause. */
  public LinkStoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
