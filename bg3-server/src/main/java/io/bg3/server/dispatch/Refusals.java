package io.bg3.server.dispatch;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * The requests that are answered without being run.
 *
 * <ul>
 *   <li>N1: from the moment at which a request is taken out of the queue until it is answered, its
 *       client begins nothing ({@link FairQueue#breakOff}). It begins again if the answer says that
 *       the requests behind do not depend on the refused one.
 *   <li>N2: a request is answered without the scheduler's lock. An event loop answers only what it
 *       has just been given; what others have to be told waits for the next tick, or for the end.
 * </ul>
 *
 * <p>Threads: the list of those that wait is guarded by the scheduler's lock; {@link #answer} and
 * {@link #count} are called by any thread, without it.
 */
final class Refusals {
  /** A request that is not run. */
  record Refused(Client client, ScheduledRequest work, Rejection why) {
    static Refused of(FairQueue.Removed removed, Rejection why) {
      return new Refused(removed.client(), removed.work(), why);
    }
  }

  private final Map<Rejection, LongAdder> counts = new EnumMap<>(Rejection.class);
  private final Consumer<Client> mend;
  private List<Refused> waiting = new ArrayList<>();

  /**
   * No refusals yet.
   *
   * @param mend lets a client begin again; called without the scheduler's lock
   */
  Refusals(Consumer<Client> mend) {
    this.mend = mend;
    for (Rejection why : Rejection.values()) {
      counts.put(why, new LongAdder());
    }
  }

  /** Keeps a refusal for the thread that looks at the time. The lock is held. */
  void add(Refused one) {
    waiting.add(one);
  }

  /** Whether refusals wait for the thread that looks at the time. The lock is held. */
  boolean hasWaiting() {
    return !waiting.isEmpty();
  }

  /** The refusals that wait, for {@link #answer}. The lock is held. */
  List<Refused> take() {
    List<Refused> taken = waiting;
    waiting = new ArrayList<>();
    return taken;
  }

  /** Answers a request; never throws, so others are answered. The lock is not held. */
  void answer(Refused one) {
    counts.get(one.why()).increment();
    try {
      if (one.work().refuse(one.why())) {
        mend.accept(one.client());
      }
    } catch (Throwable t) {
      Failures.log("a refusal was not answered", t);
    }
  }

  /** Requests that were refused since the start, for this reason. */
  long count(Rejection why) {
    return counts.get(why).sum();
  }
}
