package io.bg3.core.transaction;

/**
 * Another transaction changed what this one read or overwrote. Nothing of this transaction was
 * done, and doing it again from the start may well succeed: {@link TransactionManager#retry} does
 * that and cannot starve.
 */
public final class ConflictException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String element;

  /** A conflict about {@code element}: a readable name of tree and key or range. */
  public ConflictException(String element) {
    super("transaction conflict, try again: element=" + element, null, false, false);
    this.element = element;
  }

  /** The tree and the key or range of the conflict, readable. */
  public String element() {
    return element;
  }
}
