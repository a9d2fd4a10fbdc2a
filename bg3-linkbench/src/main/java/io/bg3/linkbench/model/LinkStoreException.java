package io.bg3.linkbench.model;

/** An operation of a store failed and a repetition inside of it did not help. */
public final class LinkStoreException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** What failed, in the words of the store's user. */
  public LinkStoreException(String message) {
    super(message);
  }

  /** What failed, and because of what. */
  public LinkStoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
