package io.bg3.server;

import java.io.IOException;

/** The server cannot listen on the configured address and port. */
public final class ListenException extends IOException {
  private static final long serialVersionUID = 1L;

  ListenException(String message, Throwable cause) {
    super(message, cause);
  }
}
