package io.bg3.cli;

import java.io.IOException;

/** A sorted load has ended early, so the store does not open again, whatever the reason was. */
final class NothingLoadedException extends IOException {
  private static final long serialVersionUID = 1L;

  NothingLoadedException(String message, Throwable cause) {
    super(message, cause);
  }
}
