package io.bg3.load;

/** Loading stopped; the message names the file, the line where there is one, and the reason. */
public final class LoadException extends Exception {
  private static final long serialVersionUID = 1L;

  LoadException(String message) {
    super(message);
  }

  LoadException(String message, Throwable cause) {
    super(message, cause);
  }
}
