package io.bg3.batch;

/**
 * Thrown by a {@link ResponseEncoder} if more bytes would exceed its limit. It has no stack trace.
 */
public final class BatchFullException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BatchFullException(int limit) {
    super("the message is full: limit=" + limit, null, false, false);
  }
}
