package io.bg3.transfer;

/** A format cannot hold what it was to be given. */
public final class LossException extends TransferException {
  private static final long serialVersionUID = 1L;

  LossException(String message) {
    super(message);
  }
}
