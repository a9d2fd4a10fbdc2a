package io.bg3.server.dispatch;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Finds the requests that take long: moves each to a long place (D1), or makes room for it (D2).
 *
 * <p>A request takes long that has used a processor for {@link #QUANTUM}, or has not ended within
 * {@link #PATIENCE}. While no long place is free, one that has waited rather than worked keeps its
 * short place until {@link #MOST_PATIENCE}. A commit that waits for the disk in a place for such
 * commits keeps that place: it takes none from a request that works.
 *
 * <p>Threads: the one that looks at the time, with the scheduler's lock; {@link #victims} any,
 * without it.
 */
final class LongRequests {
  /** Processor time after which a request takes long. */
  static final long QUANTUM = TimeUnit.MILLISECONDS.toNanos(50);

  /**
   * Processor time of one statement after which the thread of a session gets a low priority. It
   * keeps it until the session ends, so this is longer than {@link #QUANTUM}.
   */
  static final long SESSION_QUANTUM = TimeUnit.SECONDS.toNanos(1);

  /** Time after which a request takes long that waits for a disk, a lock or its client. */
  static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(100);

  /**
   * Time for which such a request keeps its place if there is no long one: on a busy machine a
   * request that needs little takes longer than {@link #PATIENCE}.
   */
  static final long MOST_PATIENCE = TimeUnit.MILLISECONDS.toNanos(400);

  private final Clock clock;
  private final FairQueue queue;
  private final Places places;
  private final LongAdder victims = new LongAdder();

  LongRequests(Clock clock, FairQueue queue, Places places) {
    this.clock = clock;
    this.queue = queue;
    this.places = places;
  }

  /** Requests that were ended since the start because others wanted their place. */
  long victims() {
    return victims.sum();
  }

  /**
   * Looks at one request, and moves it if it takes long.
   *
   * @param running all requests that run, the oldest first
   */
  void check(RunningRequest one, Collection<RunningRequest> running, long now) {
    if (one.hasOwnThread && processorTime(one) >= SESSION_QUANTUM) {
      one.lowerPriority();
    }
    if (one.place == RunningRequest.Place.COMMIT && one.isCommitting()) {
      return;
    }
    if (one.place != RunningRequest.Place.LONG && one.place != RunningRequest.Place.LENT) {
      promote(one, running, now);
    }
  }

  private void promote(RunningRequest one, Collection<RunningRequest> running, long now) {
    boolean works = processorTime(one) >= QUANTUM;
    if (!works && now - one.begun() < PATIENCE) {
      return; // does not take long
    }
    if (places.hasLong()) {
      places.move(one, RunningRequest.Place.LONG);
      return;
    }
    if (!works && now - one.begun() < MOST_PATIENCE) {
      return;
    }
    if (!queue.isAnotherReady(one.client) || !places.mayLend()) {
      return; // no other wants its place, or none can be lent
    }
    if (one.ending().isEmpty()) {
      makeRoom(one, running, now);
    } else if (places.mayGiveUp(one)) { // it was told to end, and takes long to do so
      places.giveUp(one);
    }
  }

  /** Ends a victim, which may be the request itself, and gives its place to the request (D2). */
  private void makeRoom(RunningRequest one, Collection<RunningRequest> running, long now) {
    RunningRequest victim = victim(one, running, now);
    if ((victim == one && one.hasOwnThread) || !places.mayGiveUp(victim)) {
      return; // its end would free no place, or not at once
    }
    boolean isTold = victim.tell(EndReason.PLACES);
    if (isTold) {
      victims.increment();
    }
    if (isTold || victim.ending().isPresent()) {
      places.giveUp(victim);
      if (victim != one) {
        places.move(one, RunningRequest.Place.LONG);
      }
    }
  }

  private RunningRequest victim(RunningRequest one, Collection<RunningRequest> running, long now) {
    List<RunningRequest> holders =
        running.stream()
            .filter(held -> held.place == RunningRequest.Place.LONG && !held.isCommitting())
            .toList();
    return holders.stream()
        .filter(held -> held.ending().isPresent() && places.mayGiveUp(held)) // leaves soon
        .findFirst()
        .orElseGet(() -> PreemptionPolicy.choose(one, holders, now));
  }

  /** Processor time that a request has had since it was looked at first. */
  private long processorTime(RunningRequest one) {
    long used = clock.processorNanos(one.thread());
    if (one.processor < 0) {
      one.processor = used; // so a short request asks no clock
    }
    return used - one.processor;
  }
}
