package io.bg3.transfer;

/** Thrown if a format cannot hold a part of a graph and losses are not allowed. */
public final class LossException extends TransferException {
  private static final long serialVersionUID = 1L;

  LossException(String message) {
    super(message);
  }
}
