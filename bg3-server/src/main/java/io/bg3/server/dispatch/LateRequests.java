package io.bg3.server.dispatch;

/**
 * Is told of requests that an event loop has run and that are not answered yet: they have
 * committed, and wait for the disk without a thread ({@link LateAnswer}). Threads: event loops.
 */
interface LateRequests {
  /** Takes note that a request waits. */
  void waits(RunningRequest one);

  /** Takes note that a request is answered. */
  void answered(RunningRequest one);
}
