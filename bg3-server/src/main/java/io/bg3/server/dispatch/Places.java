package io.bg3.server.dispatch;

/**
 * The places of the requests that run, of the four kinds that {@link Scheduler} describes: how many
 * are taken, and who may have one more.
 *
 * <ul>
 *   <li>P1: each request that runs counts for the place that its field says; one with a thread of
 *       its own that has no other place counts for none.
 *   <li>P2: {@link FairQueue#hold} and {@link FairQueue#letHeldBegin} hear of each change, so the
 *       queue holds owners back by the numbers of this moment (D6).
 * </ul>
 *
 * <p>Not thread-safe: the scheduler's lock guards it.
 */
final class Places {
  private final SchedulerLimits limits;
  private final FairQueue queue;
  private int shorts;
  private int longs;
  private int commits;
  private int lent;

  /** All places are free. */
  Places(SchedulerLimits limits, FairQueue queue) {
    this.limits = limits;
    this.queue = queue;
  }

  /** Whether one more request may begin. */
  boolean hasShort() {
    return shorts < limits.threads();
  }

  /** Whether one more request may take a long place. */
  boolean hasLong() {
    return longs < limits.longQueries();
  }

  /** Whether one more request may wait for the disk without a short place. */
  boolean hasCommit() {
    return commits < limits.longQueries();
  }

  /** Whether one more thread may be lent (D4). */
  boolean mayLend() {
    return lent < limits.stuck();
  }

  /** Requests in long places. */
  int longs() {
    return longs;
  }

  /** Gives a request that begins the place that it says. */
  void take(RunningRequest one) {
    count(one, 1);
  }

  /** Takes back the place of a request that has ended. */
  void release(RunningRequest one) {
    count(one, -1);
  }

  /**
   * Moves a request. The thread of one that takes long gets a low priority unless it is a session's
   * (D5).
   */
  void move(RunningRequest one, RunningRequest.Place to) {
    count(one, -1);
    one.place = to;
    count(one, 1);
    boolean isLong = to == RunningRequest.Place.LONG || to == RunningRequest.Place.LENT;
    if (isLong && !one.hasOwnThread) {
      one.lowerPriority();
    }
  }

  /** Whether the place of a request can be given away: another thread may take it (D4, D6). */
  boolean mayGiveUp(RunningRequest one) {
    int share = limits.stuckShare();
    return one.hasOwnThread
        || (mayLend() && (one.client.owner.lent < share || lent < limits.stuck() - share));
  }

  /** Gives the place of a request to others, although it has not ended. */
  void giveUp(RunningRequest one) {
    move(one, one.hasOwnThread ? RunningRequest.Place.OWN : RunningRequest.Place.LENT);
  }

  private void count(RunningRequest one, int change) {
    switch (one.place) {
      case SHORT -> shorts += change;
      case LONG -> longs += change;
      case COMMIT -> commits += change;
      case LENT -> {
        Owner owner = one.client.owner;
        lent += change;
        owner.lent += change;
        queue.hold(owner, owner.lent >= limits.stuckShare());
      }
      case OWN -> {}
    }
    queue.letHeldBegin(lent + shorts < limits.stuck() - limits.stuckShare()); // D6
  }
}
