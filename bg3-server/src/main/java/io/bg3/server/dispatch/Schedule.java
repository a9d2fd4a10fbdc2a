package io.bg3.server.dispatch;

import io.bg3.server.dispatch.Refusals.Refused;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The requests that wait and those that run: takes them, begins them in workers, looks at the time
 * they take, and gives back what they held.
 *
 * <ul>
 *   <li>S1: a request waits in the queue, runs, or is gone: it was answered, waits among the {@link
 *       Refusals} to be answered, or its client has closed the connection.
 *   <li>S2: one that runs holds a place, and counts for its client and its owner, until {@link
 *       #ended}, which does nothing the second time: its worker calls it, or the thread that looks
 *       at the time, which also finds those whose thread has gone without a word.
 *   <li>S3: whatever may let a request begin is followed by {@link #dispatch} under one hold of the
 *       lock. A worker runs the request that its own end alone may have let begin.
 *   <li>S4: if memory runs out before a request has begun, it waits on, and the next tick begins
 *       it.
 * </ul>
 *
 * <p>Not thread-safe: the scheduler's lock guards it. No method of {@link ScheduledRequest} that
 * may take long is called in here.
 */
final class Schedule {
  /** Time without a beginning, while all that wait are held back, after which none is expected. */
  static final long STARVED = TimeUnit.SECONDS.toNanos(10);

  private static final long EXPIRY = TimeUnit.MILLISECONDS.toNanos(250);
  private static final long MOST_DEBT = TimeUnit.SECONDS.toNanos(1);

  private final SchedulerLimits limits;
  private final Clock clock;

  /**
   * Requests of event loops that wait for their commits. Beyond these, workers run what writes: the
   * kept answers, of 64 KiB at most, take no more than 64 MiB when the disk stalls.
   */
  static final int MOST_LATE = 1_024;

  private final FairQueue queue;
  private final Owners owners;
  private final Places places;
  private final Workers workers;
  private final Refusals refusals;
  private final StuckRequests stuck = new StuckRequests();
  private final Deadlines deadlines;
  private final LongRequests longRequests;
  private final Drain drain = new Drain();
  private final Set<RunningRequest> running = new LinkedHashSet<>(); // the oldest first
  private final Set<RunningRequest> late =
      new LinkedHashSet<>(); // without a thread, the oldest first
  private long expired; // when requests that wait for too long were looked for
  private long lastBegun;
  private boolean isEnded; // nothing begins any more

  /**
   * Nothing waits or runs.
   *
   * @param workers get the requests that begin
   * @param refusals get those that are not run
   */
  Schedule(SchedulerLimits limits, Clock clock, Workers workers, Refusals refusals) {
    this.limits = limits;
    this.clock = clock;
    this.workers = workers;
    this.refusals = refusals;
    this.queue = new FairQueue(limits.overlap(), LongRequests.QUANTUM, MOST_DEBT);
    this.owners = new Owners(queue);
    this.places = new Places(limits, queue);
    this.deadlines = new Deadlines(clock, places, stuck);
    this.longRequests = new LongRequests(clock, queue, places);
    this.expired = clock.nanos();
    this.lastBegun = expired;
  }

  /** As {@link Scheduler#connect}. */
  Client connect(String owner) {
    return owners.connect(owner);
  }

  /** As {@link Scheduler#limit}. */
  void limit(Client client, OwnerLimits limits) {
    queue.limit(client.owner, limits);
    dispatch();
  }

  /** As {@link Scheduler#disconnect}. */
  void disconnect(Client client) {
    if (client.isClosed) {
      return;
    }
    client.isClosed = true;
    queue.clear(client).forEach(drain::left);
    for (RunningRequest one : running) {
      if (one.client.equals(client)) {
        boolean unused = one.tell(EndReason.GONE); // one that commits goes on
      }
    }
    queue.close(client);
    owners.disconnected(client);
  }

  /** As {@link Scheduler#block}. */
  void block(Client client, boolean isBlocked) {
    queue.block(client, isBlocked, clock.nanos());
    dispatch();
  }

  /**
   * Takes a request and begins what can begin, or refuses it; does nothing for a client that is
   * gone.
   *
   * @return the refusal of the request, for its own thread to answer; empty if it was not refused
   */
  Optional<Refused> submit(Client client, ScheduledRequest work) {
    if (client.isClosed) {
      return Optional.empty();
    }
    if (isEnded) {
      return Optional.of(refuse(client, work, Rejection.STOPPING));
    }
    if (!makeRoom(client, FairQueue.bytesOf(work))) {
      return Optional.of(refuse(client, work, Rejection.QUEUE_FULL));
    }
    drain.came(work);
    queue.add(client, work, clock.nanos());
    if (client.preparing != null) {
      notePrepared(client.preparing); // see Scheduler.prepared()
    }
    dispatch();
    return Optional.empty();
  }

  private boolean makeRoom(Client client, int size) {
    while (queue.size() >= limits.queue()
        || (queue.size() > 0 && queue.bytes() + size > limits.queueBytes())) {
      FairQueue.Removed evicted =
          queue.size() >= limits.queue()
              ? queue.evictByCount(client)
              : queue.evictByBytes(client, size);
      if (evicted == null) {
        return false;
      }
      refusals.add(Refused.of(evicted, Rejection.QUEUE_FULL)); // not by an event loop
      drain.left(evicted.work());
    }
    return true;
  }

  private Refused refuse(Client client, ScheduledRequest work, Rejection why) {
    queue.breakOff(client);
    return new Refused(client, work, why);
  }

  /** Lets a client begin requests behind one that was refused. */
  void mend(Client client) {
    queue.mend(client);
    dispatch();
  }

  /** Charges a client for thread time. */
  void charge(Client client, long nanos) {
    queue.charge(client, nanos);
  }

  /** As {@link Scheduler#waitingBytes}. */
  long waitingBytes(Client client) {
    return Math.max(client.bytes, client.waiting.size() * (limits.queueBytes() / limits.queue()));
  }

  /** As {@link Scheduler#mayRunQuickly}. */
  boolean mayRunQuickly(Client client) {
    return !isEnded
        && late.size() < MOST_LATE
        && queue.mayBeginAtOnce(client)
        && client.refused == 0
        && !client.isClosed
        && !client.isBlocked
        && !client.owner.isHeld
        && client.owner.limits.equals(OwnerLimits.NONE)
        && queue.mayGoFirst(client.owner);
  }

  /** Begins what can begin. */
  void dispatch() {
    for (Client client = next(); client != null; client = next()) {
      workers.prepare(); // or memory runs out, and the request waits on
      workers.give(begin(client));
    }
  }

  /** Begins the request that is next, for a worker to run; null if none can begin. */
  RunningRequest begin() {
    Client client = next();
    return client == null ? null : begin(client);
  }

  private Client next() {
    return places.hasShort() && !isEnded ? queue.peek() : null;
  }

  private RunningRequest begin(Client client) {
    ScheduledRequest work = client.waiting.element().work();
    RunningRequest begun =
        new RunningRequest(client, work, clock.nanos(), limits.evaluationMillis());
    running.add(begun); // memory may run out up to here: what follows takes none
    ScheduledRequest unused = queue.take(client);
    client.preparing = begun;
    lastBegun = begun.begun();
    places.take(begun);
    return begun;
  }

  /** Takes back a request whose worker could not be started. */
  void refuseUnborn(RunningRequest begun) {
    ended(begun);
    refusals.add(refuse(begun.client, begun.work, Rejection.NO_THREAD));
  }

  /** Looks after a request that the calling thread has begun to run. */
  void enter(RunningRequest entered) {
    running.add(entered); // not of the client's: its other requests do not wait for a session
  }

  /** Takes note that a request is prepared, if its thread has said so. */
  void notePrepared(RunningRequest one) {
    if (one.isDecoded()) {
      setPrepared(one);
    }
  }

  private void setPrepared(RunningRequest one) {
    if (!one.isPrepared) {
      one.isPrepared = true;
      one.client.preparing = null;
      if (one.breaksOff()) {
        queue.breakOff(one.client);
      }
      queue.prepared(one.client);
    }
  }

  /** As {@link Scheduler#waitsForDisk}. */
  void waitsForDisk(RunningRequest one) {
    boolean isShort = one.place == RunningRequest.Place.SHORT && running.contains(one);
    if (isShort && places.hasCommit()) {
      places.move(one, RunningRequest.Place.COMMIT);
      dispatch();
    }
  }

  /** Gives back what a request held. */
  void ended(RunningRequest one) {
    if (!running.remove(one)) {
      return; // another thread has seen its end
    }
    places.release(one);
    drain.left(one.work);
    stuck.ended(one);
    charge(one, clock.nanos());
    setPrepared(one);
    if (!one.hasOwnThread) {
      queue.ended(one.client, one.work);
    }
    if (one.client.isClosed) {
      owners.forget(one.client.owner);
    }
  }

  /** Takes note of a request that an event loop has run and answers later. */
  void waitsForAnswer(RunningRequest one) {
    late.add(one);
    queue.waitsForAnswer(one.client);
  }

  /** Takes note that such a request is answered. */
  void answered(RunningRequest one) {
    if (late.remove(one)) {
      queue.answered(one.client);
      dispatch();
      if (one.client.isClosed) {
        owners.forget(one.client.owner);
      }
    }
  }

  private void charge(RunningRequest one, long now) {
    queue.charge(one.client, now - one.charged);
    one.charged = now;
  }

  /** Whether there is something to look at when time has passed. */
  boolean isBusy() {
    return !running.isEmpty() || queue.size() > 0 || refusals.hasWaiting() || stuck.hasEnded();
  }

  /** The requests that run, the oldest first. */
  List<RunningRequest> running() {
    return List.copyOf(running);
  }

  /**
   * Looks at one request, which may have ended since: charges its client for its time, moves it to
   * another place, tells it to end.
   *
   * @return whether it is stuck and not abandoned yet
   */
  boolean look(RunningRequest one, long now) {
    if (!running.contains(one) || one.thread() == null) {
      return false;
    }
    charge(one, now);
    if (one.hasEnded() || !one.thread().isAlive()) { // it may be that of a session that is closed
      ended(one);
      return false;
    }
    notePrepared(one);
    Deadlines.checkMemory(one);
    boolean isStuck = deadlines.checkTime(one, now);
    longRequests.check(one, running, now);
    return isStuck;
  }

  /** Takes out what has waited for too long, if it is time to look for that. */
  void expire(long now) {
    if (now - expired >= EXPIRY) {
      expired = now;
      long oldest = now - TimeUnit.MILLISECONDS.toNanos(limits.evaluationMillis());
      for (FairQueue.Removed one : queue.expire(oldest)) {
        refusals.add(Refused.of(one, Rejection.WAITED_TOO_LONG));
        drain.left(one.work());
      }
      owners.forgetSome();
    }
  }

  /** The requests that have not ended although they had to. */
  StuckRequests stuck() {
    return stuck;
  }

  /** As {@link Scheduler#queries}. */
  List<ScheduledQuery> queries(int most, Predicate<String> owners) {
    List<ScheduledQuery> found = new ArrayList<>();
    long now = clock.nanos();
    for (RunningRequest one : running) {
      if (found.size() < most && owners.test(one.owner())) {
        found.add(query(one, now, one.thread()));
      }
    }
    for (RunningRequest one : late) {
      if (found.size() < most && owners.test(one.owner())) {
        found.add(query(one, now, null));
      }
    }
    for (Client client : queue.waiting()) {
      if (owners.test(client.owner.name)) {
        for (Client.Waiting one : client.waiting) {
          if (found.size() >= most) {
            return found;
          }
          found.add(
              new ScheduledQuery(
                  one.work(), client.owner.name, now - one.since(), Optional.empty(), null));
        }
      }
    }
    return found;
  }

  private static ScheduledQuery query(RunningRequest one, long now, Thread thread) {
    return new ScheduledQuery(one.work, one.owner(), now - one.begun(), Optional.of(one), thread);
  }

  /** The request with this number that runs, if it is one of these owners'. */
  Optional<RunningRequest> findRunning(long number, Predicate<String> owners) {
    return running.stream()
        .filter(one -> one.work.number() == number && owners.test(one.owner()))
        .findFirst();
  }

  /** Takes out a request that waits; empty if there is none of these owners' with this number. */
  Optional<Refused> removeWaiting(long number, Predicate<String> owners) {
    FairQueue.Removed removed = queue.remove(number, client -> owners.test(client.owner.name));
    if (removed == null) {
      return Optional.empty();
    }
    drain.left(removed.work());
    return Optional.of(Refused.of(removed, Rejection.KILLED));
  }

  /** As {@link Scheduler#figures}. */
  SchedulerMetrics figures() {
    return new SchedulerMetrics(
        queue.size(),
        queue.bytes(),
        running.size() + late.size(),
        places.longs(),
        stuck.count(),
        stuck.total());
  }

  /** As {@link Scheduler#victims}; any thread, without the lock. */
  long victims() {
    return longRequests.victims();
  }

  /** As {@link Scheduler#isHealthy}. */
  boolean isHealthy() {
    boolean isStarved = queue.isHeldBack() && clock.nanos() - lastBegun >= STARVED;
    return places.mayLend() && !isStarved;
  }

  /** As {@link Scheduler#finish}. */
  void finish() {
    drain.begin();
  }

  /** Whether nothing waits or runs of what came before {@link #finish}. */
  boolean isQuiet() {
    return drain.isOver(running.size() + late.size() + queue.size());
  }

  /** Lets nothing begin any more, refuses what waits, and tells what runs to end. */
  void end() {
    isEnded = true;
    for (FairQueue.Removed one : queue.clear()) {
      refusals.add(Refused.of(one, Rejection.STOPPING));
      drain.left(one.work());
    }
    running.forEach(one -> one.tell(EndReason.STOP));
  }
}
