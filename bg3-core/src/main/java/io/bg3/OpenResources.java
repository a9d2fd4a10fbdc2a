package io.bg3;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The parts of a store that are open, to be closed in the opposite order: at the end, or when
 * opening fails half-way.
 */
final class OpenResources {
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  <T extends AutoCloseable> T add(T part) {
    parts.push(part);
    return part;
  }

  /**
   * Closes everything, also when closing something fails.
   *
   * @param failure what went wrong before, null if nothing did; later failures are added to the
   *     first
   * @return the first failure, null if there was none
   */
  Throwable close(Throwable failure) {
    Throwable first = failure;
    while (!parts.isEmpty()) {
      try {
        parts.pop().close();
      } catch (Exception | Error e) {
        if (first == null) {
          first = e;
        } else if (first != e) {
          first.addSuppressed(e);
        }
      }
    }
    return first;
  }
}
