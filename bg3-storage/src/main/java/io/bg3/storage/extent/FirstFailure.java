package io.bg3.storage.extent;

import java.io.IOException;

/**
 * The first write or sync of a store's extents that failed. It is final, because nobody knows what
 * has reached the disk.
 *
 * <p>Threads: any.
 */
final class FirstFailure {
  private volatile Throwable cause;

  /** The first cause; null if nothing has failed. */
  Throwable cause() {
    return cause;
  }

  /** Keeps a cause if it is the first. */
  synchronized void fail(Throwable failure) {
    if (cause == null) {
      cause = failure;
    }
  }

  /**
   * Refuses to write after a failure.
   *
   * @throws IOException with the first cause
   */
  void requireNone() throws IOException {
    Throwable first = cause;
    if (first != null) {
      throw new IOException("extents cannot be written any more after: " + first, first);
    }
  }
}
