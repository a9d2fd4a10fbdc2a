package io.bg3.transfer;

/** A bad row that ends the load because the limit of bad rows is reached. */
public final class BadRowException extends TransferException {
  private static final long serialVersionUID = 1L;

  /** Ends the work at this row, which {@code allowed} bad ones came before. */
  public BadRowException(BadRow row, long allowed) {
    super(
        "stopped at a bad row: "
            + row
            + (allowed == 0 ? "" : "\nbad rows left out before it: " + allowed));
  }
}
