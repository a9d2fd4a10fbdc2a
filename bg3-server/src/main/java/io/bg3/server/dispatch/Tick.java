package io.bg3.server.dispatch;

import io.bg3.server.dispatch.Refusals.Refused;
import java.util.ArrayList;
import java.util.List;

/**
 * Does the work of the scheduler that is due when time has passed: charges clients, moves requests
 * to other places, tells requests over their time to end, and answers those that are not run.
 *
 * <p>Threads: the {@link Watch}, one tick after the other; in tests without one, the test.
 */
final class Tick {
  private final Clock clock;
  private final SchedulerLock lock;
  private final Schedule schedule;
  private final Refusals refusals;

  /** Ticks of a schedule. */
  Tick(Clock clock, SchedulerLock lock, Schedule schedule, Refusals refusals) {
    this.clock = clock;
    this.lock = lock;
    this.schedule = schedule;
    this.refusals = refusals;
  }

  /** Looks at all requests once. An error of one request changes nothing for the others. */
  void run() {
    List<RunningRequest> abandoned = new ArrayList<>(0);
    try {
      long now = clock.nanos();
      for (RunningRequest one : running()) {
        if (look(one, now)) {
          abandoned.add(one);
        }
      }
      advance(now);
    } finally { // what was taken out is answered, whatever failed
      answerRefused();
      abandon(abandoned);
    }
  }

  private List<RunningRequest> running() {
    lock.lock();
    try {
      return schedule.running();
    } finally {
      lock.unlock();
    }
  }

  /** Takes the lock for one request at a time, since event loops wait for it. */
  private boolean look(RunningRequest one, long now) {
    try {
      lock.lock();
      try {
        return schedule.look(one, now);
      } finally {
        lock.unlock();
      }
    } catch (Throwable t) { // the others are looked at
      Failures.log("looking at a request failed", t);
      return false;
    }
  }

  private void advance(long now) {
    lock.lock();
    try {
      schedule.expire(now);
      schedule.dispatch();
    } finally {
      lock.unlock();
    }
  }

  /** Answers the requests that were taken out without being run. Called by any thread. */
  void answerRefused() {
    List<Refused> refused;
    lock.lock();
    try {
      refused = refusals.take();
    } finally {
      lock.unlock();
    }
    refused.forEach(refusals::answer);
  }

  private void abandon(List<RunningRequest> abandoned) {
    int stuck;
    List<ScheduledRequest> ended;
    lock.lock();
    try {
      stuck = schedule.stuck().count();
      ended = schedule.stuck().takeEnded();
    } finally {
      lock.unlock();
    }
    abandoned.forEach(one -> StuckRequests.abandon(one, stuck));
    StuckRequests.logEnds(ended);
  }
}
