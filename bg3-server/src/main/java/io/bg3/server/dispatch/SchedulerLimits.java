package io.bg3.server.dispatch;

/**
 * The limits of the scheduler. Times are milliseconds.
 *
 * @param threads requests that begin at once: each takes one of these threads until it has ended or
 *     is found to take long
 * @param longQueries requests that take long and run at once
 * @param stuck requests that have not ended although they were told to, whose threads are replaced
 * @param queue requests that wait
 * @param queueBytes bytes of the requests that wait
 * @param evaluationMillis how long a request may take, and wait, if it does not say
 */
public record SchedulerLimits(
    int threads, int longQueries, int stuck, int queue, long queueBytes, long evaluationMillis) {
  /** Threads that one owner may have replaced while others want them: a quarter. */
  int stuckShare() {
    return Math.max(1, stuck / 4);
  }

  /** Requests of one client that run at once: half of those that may take long, and one more. */
  int overlap() {
    return 1 + longQueries / 2;
  }
}
