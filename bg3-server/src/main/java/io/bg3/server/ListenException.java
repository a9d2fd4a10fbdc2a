package io.bg3.server;

import java.io.IOException;

/** The server could not listen where it was told to. */
public final class ListenException extends IOException {
  private static final long serialVersionUID = 1L;

  ListenException(String message, Throwable cause) {
    super(message, cause);
  }
}
