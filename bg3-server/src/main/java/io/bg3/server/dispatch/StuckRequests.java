package io.bg3.server.dispatch;

import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The requests that have not ended although they had to: counts them, has their clients answered,
 * and says so in the log.
 *
 * <p>Threads: fields are guarded by the scheduler's lock. The thread that looks at the time calls
 * {@link #abandon} and {@link #logEnds}, without it.
 */
final class StuckRequests {
  private static final Logger LOG = LoggerFactory.getLogger(Scheduler.class);

  private int count;
  private long total;
  private List<ScheduledRequest> ended = new ArrayList<>(); // for the log

  /** Those that run. The lock is held. */
  int count() {
    return count;
  }

  /** Those since the start. The lock is held. */
  long total() {
    return total;
  }

  /** Notes that a request is stuck. The lock is held. */
  void add(RunningRequest one) {
    if (!one.isStuck) {
      one.isStuck = true;
      count++;
      total++;
    }
  }

  /** Notes that a request has ended, which may have been stuck. The lock is held. */
  void ended(RunningRequest one) {
    if (one.isStuck) {
      count--;
      ended.add(one.work);
    }
  }

  /** Whether requests that were stuck have ended since the log was written. The lock is held. */
  boolean hasEnded() {
    return !ended.isEmpty();
  }

  /** Those that have ended, for {@link #logEnds}. The lock is held. */
  List<ScheduledRequest> takeEnded() {
    List<ScheduledRequest> taken = ended;
    ended = new ArrayList<>();
    return taken;
  }

  /**
   * Has the client of a stuck request answered, unless it commits.
   *
   * @param stuck how many are, for the log
   */
  static void abandon(RunningRequest one, int stuck) {
    try {
      one.isAbandoned = one.work.abandon(one);
    } catch (Throwable t) { // the others are looked at
      one.isAbandoned = true;
      Failures.log("a stuck query was not answered", t);
    }
    if (!one.isAbandoned) {
      return;
    }
    try {
      LOG.error(
          "a query does not end, its thread is replaced: client={}, thread={}, ending={}, stuck={},"
              + " at={}",
          one.work.client(),
          one.thread().getName(),
          one.ending().map(Enum::name).orElse("none, it commits"),
          stuck,
          topOf(one.thread()));
    } catch (Throwable t) {
      Failures.log("a stuck query was not logged", t);
    }
  }

  /** The topmost place of a thread's stack, and the topmost one outside of Java's own classes. */
  private static String topOf(Thread thread) {
    StackTraceElement[] stack = thread.getStackTrace();
    if (stack.length == 0) {
      return "unknown";
    }
    for (int i = 0; i < stack.length; i++) {
      String type = stack[i].getClassName();
      if (!type.startsWith("java.") && !type.startsWith("jdk.")) {
        return i == 0 ? stack[0].toString() : stack[0] + " under " + stack[i];
      }
    }
    return stack[0].toString();
  }

  /** Says in the log that requests which were stuck have ended. */
  static void logEnds(List<ScheduledRequest> ended) {
    for (ScheduledRequest work : ended) {
      try {
        LOG.info("a query that was stuck has ended: client={}", work.client());
      } catch (Throwable t) { // the others are looked at
        Failures.log("the end of a stuck query was not logged", t);
      }
    }
  }
}
