package io.bg3.transfer;

/** A bad row that ends the work. */
public final class BadRowException extends TransferException {
  private static final long serialVersionUID = 1L;

  /** Ends the work at this row. */
  public BadRowException(BadRow row) {
    super("stopped at a bad row: " + row);
  }
}
