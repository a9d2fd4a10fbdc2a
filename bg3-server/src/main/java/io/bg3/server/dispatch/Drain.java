package io.bg3.server.dispatch;

import java.util.HashSet;
import java.util.Set;

/**
 * Which requests the stop of the server waits for: those that came before it began.
 *
 * <p>Not thread-safe: the scheduler's lock guards it.
 */
final class Drain {
  private final Set<ScheduledRequest> late = new HashSet<>(); // waits or runs, and came later
  private boolean hasBegun;

  /** Notes that the server stops: what comes now is late. */
  void begin() {
    hasBegun = true;
  }

  /** Notes that a request was taken. */
  void came(ScheduledRequest work) {
    if (hasBegun) {
      late.add(work);
    }
  }

  /** Notes that a request has ended, or is not run. */
  void left(ScheduledRequest work) {
    if (hasBegun) { // the set is empty before
      late.remove(work);
    }
  }

  /** Whether so many requests, which wait or run, are all late. */
  boolean isOver(int requests) {
    return requests <= late.size();
  }
}
