package io.bg3.transfer;

import java.io.IOException;

/**
 * Thrown if a load or an export has to end. The message names the file, the line if there is one,
 * and the reason.
 */
public class TransferException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception with a message. */
  public TransferException(String message) {
    super(message);
  }

  /** Creates the exception with a message and a cause. */
  public TransferException(String message, Throwable cause) {
    super(message, cause);
  }
}
