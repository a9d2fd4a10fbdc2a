package io.bg3.server.dispatch;

import io.bg3.server.dispatch.Refusals.Refused;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Runs the requests of all clients, in the order of a {@link FairQueue}, in threads of four kinds
 * of places:
 *
 * <pre>
 *               begins            takes long           does not end
 *   waits ---> SHORT place ----> LONG place ---------> LENT
 *              server.threads    server.long.queries   server.stuck.limit
 *                  |
 *                  '--- waits for the disk ---> COMMIT place, as many as long ones
 * </pre>
 *
 * <ul>
 *   <li>D1: a request that takes longer than a {@link LongRequests#QUANTUM} leaves its short place
 *       to others and takes a long one; its thread stays with it. So long queries never take the
 *       threads that short ones begin in.
 *   <li>D2: if no long place is free and another client has a request that could begin, a victim is
 *       told to end ({@link PreemptionPolicy}); its place is given away at once.
 *   <li>D3: a request is told to end when its time is over. A request that has not ended {@link
 *       Deadlines#GRACE} after it was told is stuck: its client is answered and its connection
 *       closed, its thread is interrupted again and again, and its place is given away. The grace
 *       of a thread that wants nothing but a processor is the time that it has one, up to {@link
 *       Deadlines#MOST_GRACE}: many threads on few processors are late, not stuck.
 *   <li>D4: there are at most as many threads as places of all kinds. When no more can be lent,
 *       places are not given away any more, and the server is not {@link #isHealthy}.
 *   <li>D5: the thread of a request that takes long has the lowest priority of Java from then on.
 *       Where the virtual machine passes priorities on ({@code bin/bg3 server} lets it), long
 *       requests leave the processors to event loops and short requests. An ordinary user cannot
 *       raise a priority again, so such a thread ends with its request. It does not take the lock,
 *       which it would keep from others while it waits for a processor, and starts no thread, which
 *       would inherit its priority: the thread that looks at the time does both.
 *   <li>D6: an owner that has a quarter of the LENT places is held back: its requests begin only if
 *       no other owner has one, and it never gets the last quarter of these places. So one owner
 *       cannot keep others from a thread, nor make the server unhealthy while others are served.
 *   <li>D7: an owner may have {@link OwnerLimits}: of the time of a request, which its deadline
 *       includes; of requests at once, by the queue; of the bytes that a request allocates, which
 *       the thread that looks at the time compares, so a request is told within some 20 ms.
 * </ul>
 *
 * <p>A commit that waits for the disk uses no processor: its request gives its short place to
 * others, so that more commits are written at once ({@link #waitsForDisk}).
 *
 * <p>A request that ends gives back all that it holds.
 *
 * <p>This class is the way in: it takes the {@link SchedulerLock}, and does without it what may
 * take long. The {@link Schedule} is what the lock guards.
 *
 * <p>Threads: event loops, the threads of sessions and administrators call the public methods.
 * {@link Worker}s call {@link #prepared}, {@link #goesOn} and {@link #leaves}. The {@link Watch}
 * calls {@link #startWorkers} and {@link #tick}. None of them has the lock.
 */
public final class Scheduler {
  /**
   * Bytes of the stack of a worker thread. The steps of a compiled query call each other, six calls
   * for a hop, and a query has thousands. The system takes memory for what is used of them.
   */
  public static final long STACK_BYTES = 8 << 20;

  /** Time after which a worker ends that is beyond those for short places. */
  private static final long KEEP_ALIVE = TimeUnit.SECONDS.toNanos(5);

  private final Clock clock;
  private final Refusals refusals = new Refusals(this::mend);
  private final Workers workers;
  private final Schedule schedule;
  private final Watch watch;
  private final SchedulerLock lock;
  private final Tick tick;
  private final QuickRuns quickRuns;

  /** A scheduler whose thread looks at the time. */
  public Scheduler(SchedulerLimits limits) {
    this(limits, Clock.SYSTEM, true, KEEP_ALIVE);
  }

  /**
   * A scheduler for tests.
   *
   * @param isWatched whether a thread looks at the time; if not, tests call {@link #tick}
   * @param keepAlive nanoseconds after which an idle worker looks whether it has to end
   */
  Scheduler(SchedulerLimits limits, Clock clock, boolean isWatched, long keepAlive) {
    this.clock = clock;
    this.workers = new Workers(limits.threads(), name -> new Worker(this, name, keepAlive));
    this.schedule = new Schedule(limits, clock, workers, refusals);
    this.watch = new Watch(isWatched);
    this.lock = new SchedulerLock(schedule, workers, watch);
    this.tick = new Tick(clock, lock, schedule, refusals);
    this.quickRuns = new QuickRuns(limits.evaluationMillis(), new Late());
    watch.start(this);
  }

  /** A connection of an owner. */
  public Client connect(String owner) {
    lock.lock();
    try {
      return schedule.connect(owner);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Sets what the queries of a client's owner may take. A limit of time holds for queries that
   * begin from now on.
   */
  public void limit(Client client, OwnerLimits limits) {
    if (client.owner.limits.equals(limits)) {
      return;
    }
    lock.lock();
    try {
      schedule.limit(client, limits);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Forgets a connection. Its requests that wait are dropped, those that run are told to end: no
   * client waits for them, and they would hold places that others want.
   */
  public void disconnect(Client client) {
    lock.lock();
    try {
      schedule.disconnect(client);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Holds back the requests of a client that does not read its answers, or lets them begin again.
   */
  public void block(Client client, boolean isBlocked) {
    lock.lock();
    try {
      schedule.block(client, isBlocked);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes a request, or refuses one: this, or that of a client that keeps more waiting.
   *
   * @return bytes that the client has waiting now, as {@link #waitingBytes} counts them
   */
  public long submit(Client client, ScheduledRequest work) {
    Optional<Refused> refused;
    long kept;
    lock.lock();
    try {
      watch.call(); // whatever becomes of the request
      refused = schedule.submit(client, work);
      kept = schedule.waitingBytes(client);
    } finally {
      lock.unlock();
    }
    refused.ifPresent(refusals::answer);
    return kept;
  }

  /** Requests that event loops have run count as running until they are answered. */
  private final class Late implements LateRequests {
    @Override
    public void waits(RunningRequest one) {
      lock.lock();
      try {
        schedule.waitsForAnswer(one);
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void answered(RunningRequest one) {
      lock.lock();
      try {
        schedule.answered(one);
      } finally {
        lock.unlock();
      }
    }
  }

  /** Runs requests in the threads of event loops. */
  public QuickRuns quickRuns() {
    return quickRuns;
  }

  /**
   * Whether a request of a client may be run by its event loop instead of being submitted: no other
   * of the client waits or has a thread, its owner is neither limited nor held back, and no other
   * owner has a request waiting that comes before it.
   */
  public boolean mayRunQuickly(Client client) {
    lock.lock();
    try {
      return schedule.mayRunQuickly(client);
    } finally {
      lock.unlock();
    }
  }

  /** Lets a client go on that was answered; without the lock. */
  private void mend(Client client) {
    lock.lock();
    try {
      schedule.mend(client);
    } finally {
      lock.unlock();
    }
  }

  /** Charges a client for thread time that no request of it in here has used. */
  public void charge(Client client, long nanos) {
    lock.lock();
    try {
      schedule.charge(client, nanos);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Bytes that a client keeps waiting. Each request counts as many bytes at least as one of a full
   * queue may have, so that many small requests weigh as much as a few large ones.
   */
  public long waitingBytes(Client client) {
    lock.lock();
    try {
      return schedule.waitingBytes(client);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Called by a worker: takes note that its request runs now. That concerns the requests of its
   * client that wait. If none does, the lock is not taken: {@link #submit} says that a request
   * waits before it looks whether this one is decoded, and here it is the other way round, so that
   * one of the two threads sees what the other has said.
   */
  void prepared(RunningRequest one) {
    one.decoded();
    if (!one.client.hasWaiting && !one.breaksOff()) {
      return;
    }
    if (one.hasLowPriority()) {
      watch.wake();
      return;
    }
    lock.lock();
    try {
      schedule.notePrepared(one);
      schedule.dispatch();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Called by the thread of a request before its commit waits for the disk: others begin in its
   * place.
   */
  public void waitsForDisk(RunningRequest one) {
    if (one.hasOwnThread || one.hasLowPriority()) {
      return; // it has no short place
    }
    lock.lock();
    try {
      schedule.waitsForDisk(one);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Called by a worker that has run a request: gives back what the request held, and gives the
   * worker another one if one can begin.
   *
   * @return false if the thread has to end (D5)
   */
  boolean goesOn(Worker worker, RunningRequest done) {
    if (done.hasLowPriority()) {
      watch.wake();
      return false;
    }
    lock.lock();
    try {
      schedule.ended(done);
      if (done.hasLowPriority()) { // since a moment ago
        return false;
      }
      RunningRequest one = schedule.begin();
      if (one != null) {
        worker.give(one);
      } else {
        workers.rest(worker);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Whether a worker ends that was idle: there are enough others, or the scheduler is closed. */
  boolean leaves(Worker worker) {
    lock.lock();
    try {
      return workers.leaves(worker);
    } finally {
      lock.unlock();
    }
  }

  /** Whether threads end. Called by workers, without the lock. */
  boolean isClosed() {
    return workers.areClosed();
  }

  /** Called by the watch: as {@link SchedulerLock#startWorkers}. */
  boolean startWorkers() {
    return lock.startWorkers();
  }

  /** Called by the watch, and in tests: looks at the time ({@link Tick}). */
  void tick() {
    tick.run();
  }

  /**
   * Looks after a request that the calling thread runs, which is the thread of a session: its time
   * is limited as that of others, it is stuck if it does not end, and one that takes long takes a
   * long place.
   *
   * @param work only {@link ScheduledRequest#abandon} and {@link ScheduledRequest#client} are
   *     called
   * @return to be given to {@link #leave}, by the same thread
   */
  public RunningRequest enter(Client client, ScheduledRequest work, long limitMillis) {
    RunningRequest.current().ifPresent(this::leave);
    RunningRequest entered = new RunningRequest(client, work, clock.nanos(), limitMillis);
    entered.enter();
    lock.lock();
    try {
      schedule.enter(entered);
      watch.call();
    } finally {
      lock.unlock();
    }
    return entered;
  }

  /** Ends what {@link #enter} began. Does nothing the second time, or in another thread. */
  public void leave(RunningRequest entered) {
    if (!RunningRequest.current().equals(Optional.of(entered)) || !entered.hasOwnThread) {
      return;
    }
    entered.leave();
    if (entered.hasLowPriority()) {
      watch.wake();
      return;
    }
    lock.lock();
    try {
      schedule.ended(entered);
    } finally {
      lock.unlock();
    }
  }

  /**
   * The requests that run and those that wait, the oldest first of each.
   *
   * @param most how many are wanted
   * @param owners whose
   */
  public List<ScheduledQuery> queries(int most, Predicate<String> owners) {
    lock.lock();
    try {
      return schedule.queries(most, owners);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends a request by its number: one that runs is told to end, as at the end of its time; one that
   * waits is refused.
   *
   * @param owners whose requests may be ended
   * @return the owner of the request; empty if no such request runs or waits, or it has begun to
   *     commit
   */
  public Optional<String> kill(long number, Predicate<String> owners) {
    Optional<Refused> refused;
    lock.lock();
    try {
      Optional<RunningRequest> running = schedule.findRunning(number, owners);
      if (running.isPresent()) {
        return running.filter(Scheduler::kill).map(RunningRequest::owner);
      }
      refused = schedule.removeWaiting(number, owners);
    } finally {
      lock.unlock();
    }
    refused.ifPresent(refusals::answer);
    return refused.map(one -> one.client().ownerName());
  }

  /** Tells a request to end; whether it does, now or because it was told before. */
  private static boolean kill(RunningRequest one) {
    return one.tell(EndReason.KILLED) || (one.ending().isPresent() && !one.isCommitting());
  }

  /** Takes note that the server stops: {@link #awaitQuiet} does not wait for what comes now. */
  public void finish() {
    lock.lock();
    try {
      schedule.finish();
    } finally {
      lock.unlock();
    }
  }

  /** The numbers of this moment. */
  public SchedulerMetrics figures() {
    lock.lock();
    try {
      return schedule.figures();
    } finally {
      lock.unlock();
    }
  }

  /** Requests that were not run since the start, for this reason. */
  public long rejected(Rejection why) {
    return refusals.count(why);
  }

  /** Requests that were ended since the start because others wanted their place. */
  public long victims() {
    return schedule.victims();
  }

  /**
   * Whether the threads of stuck queries can still be replaced, and requests begin. The queries of
   * one owner do not change that while another owner asks for something.
   */
  public boolean isHealthy() {
    lock.lock();
    try {
      return schedule.isHealthy();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until nothing waits and nothing runs of what came before {@link #finish}.
   *
   * @param deadline of {@link System#nanoTime}
   * @return whether that was before the deadline
   */
  public boolean awaitQuiet(long deadline) throws InterruptedException {
    return lock.awaitQuiet(deadline);
  }

  /** Says that what is interrupted from now on is interrupted because the server stops. */
  public void announceEnd() {
    lock.lock();
    try {
      schedule.running().forEach(one -> one.expect(EndReason.STOP));
    } finally {
      lock.unlock();
    }
  }

  /** Refuses what waits, now and from now on, and interrupts what runs. */
  public void end() {
    lock.lock();
    try {
      schedule.end();
    } finally {
      lock.unlock();
    }
    tick.answerRefused(); // there may be no other tick
  }

  /**
   * Ends the threads: idle ones at once, others when their request has ended. Calls {@link #end}.
   */
  public void close() {
    end();
    lock.lock();
    try {
      workers.close();
      watch.end();
    } finally {
      lock.unlock();
    }
    quickRuns.close();
    boolean unused = lock.startWorkers(); // they answer what they have got
    tick.answerRefused(); // those of workers that could not be started, too
  }
}
