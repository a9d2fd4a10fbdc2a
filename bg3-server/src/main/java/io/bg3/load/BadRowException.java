package io.bg3.load;

/** A row that cannot be loaded; the message says why, and who catches it knows where. */
final class BadRowException extends Exception {
  private static final long serialVersionUID = 1L;

  BadRowException(String reason) {
    super(reason);
  }

  BadRowException(String reason, Throwable cause) {
    super(reason, cause);
  }
}
