package io.bg3.storage;

/**
 * A commit would have to wait, and its thread may not ({@link Waiting}). Nothing of it has
 * happened. Expected, so it has no stack trace.
 */
public final class WouldWaitException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  WouldWaitException(String what) {
    super("a thread that may not wait would have to: for=" + what, null, false, false);
  }
}
