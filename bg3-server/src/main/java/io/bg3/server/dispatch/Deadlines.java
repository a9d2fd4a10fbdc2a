package io.bg3.server.dispatch;

import java.util.concurrent.TimeUnit;

/**
 * Tells requests to end whose time is over (D3), or that have allocated more than their owner may
 * (D7), and finds those that do not end.
 *
 * <pre>
 *   deadline              told: interrupted          the grace is over: stuck
 *      |                       |                           |
 *   ---+-----------------------+---------------------------+--------------------
 *      a commit is not told;   interrupted again and       its place is given away,
 *      its grace begins here   again                       its client answered
 * </pre>
 *
 * <p>Threads: the one that looks at the time, with the scheduler's lock.
 */
final class Deadlines {
  /** How long a request has to end after it was told to. */
  static final long GRACE = TimeUnit.SECONDS.toNanos(2);

  /** How long it has if it gets less of a processor than that. */
  static final long MOST_GRACE = TimeUnit.SECONDS.toNanos(20);

  /** From one interrupt of a request that has to end to the next. */
  private static final long AGAIN = TimeUnit.MILLISECONDS.toNanos(100);

  private final Clock clock;
  private final Places places;
  private final StuckRequests stuck;

  Deadlines(Clock clock, Places places, StuckRequests stuck) {
    this.clock = clock;
    this.places = places;
    this.stuck = stuck;
  }

  /** Ends a request that has allocated more than its owner may (D7). */
  static void checkMemory(RunningRequest one) {
    OwnerLimits limits = one.client.owner.limits;
    if (limits.bytes() != 0
        && one.ending().isEmpty()
        && limits.isExceeded(one.allocatedBytes().orElse(0))) {
      boolean unused = one.tell(EndReason.MEMORY); // one that commits goes on
    }
  }

  /** Ends a request over its time; true if it is stuck and not abandoned yet. */
  boolean checkTime(RunningRequest one, long now) {
    if (one.ending().isEmpty() && now - one.deadline() >= 0 && one.tell(EndReason.TIME)) {
      one.lastInterrupt = now;
      one.toldAt = now;
    } else if (one.ending().isPresent() && one.toldAt == 0) {
      one.toldAt = now; // by another thread
    }
    boolean isOver = one.toldAt != 0 || (one.isCommitting() && now - one.deadline() >= 0);
    if (!isOver) {
      return false;
    }
    if (now - one.lastInterrupt >= AGAIN) {
      one.lastInterrupt = now;
      one.tellAgain();
    }
    if (!isGraceOver(one, now)) {
      return false;
    }
    boolean hasPlace =
        one.place != RunningRequest.Place.LENT && one.place != RunningRequest.Place.OWN;
    if (hasPlace && places.mayGiveUp(one)) {
      places.giveUp(one);
    }
    stuck.add(one);
    return !one.isAbandoned && !one.isCommitting();
  }

  /** Whether a request that has to end has had the time for it (D3). */
  private boolean isGraceOver(RunningRequest one, long now) {
    long since = one.toldAt == 0 ? one.deadline() : one.toldAt;
    if (one.overdueSince != since) {
      one.overdueSince = since;
      one.overdueProcessor = clock.processorNanos(one.thread());
    }
    long late = now - since;
    if (late < GRACE || one.isStuck) {
      return one.isStuck;
    }
    long used = clock.processorNanos(one.thread());
    return late >= MOST_GRACE
        || used < 0
        || used - one.overdueProcessor >= GRACE
        || !clock.isRunnable(one.thread());
  }
}
