package io.bg3.server.dispatch;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of what fails for one request, while others go on.
 *
 * <p>Threads: any; without state.
 */
final class Failures {
  private static final Logger LOG = LoggerFactory.getLogger(Scheduler.class);

  private Failures() {}

  /** Notes a failure of what is done for one request; never throws, so others are looked at. */
  @SuppressWarnings("EmptyCatch") // nothing is left that could be told
  static void log(String what, Throwable failure) {
    try {
      LOG.error(what, failure);
    } catch (Throwable ofTheLog) {
      // the heap is full or the stack is deep, and the log needs some of it
    }
  }
}
