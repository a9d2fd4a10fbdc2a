package io.bg3.transfer;

/** Thrown at the bad row that exceeds the limit of bad rows and ends the load. */
public final class BadRowException extends TransferException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception for a row that follows {@code allowed} other bad rows. */
  public BadRowException(BadRow row, long allowed) {
    super(
        "stopped at a bad row: "
            + row
            + (allowed == 0 ? "" : "\nbad rows skipped before it: " + allowed));
  }
}
