package io.bg3.transfer;

import java.io.IOException;

/**
 * Loading or exporting stopped; the message names the file, the line where there is one, and the
 * reason.
 */
public class TransferException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Stopped for this reason. */
  public TransferException(String message) {
    super(message);
  }

  /** Stopped for this reason, which has a cause. */
  public TransferException(String message, Throwable cause) {
    super(message, cause);
  }
}
