package io.bg3.server.dispatch;

import io.bg3.server.dispatch.Refusals.Refused;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * Runs the requests of all clients, in the order of a {@link FairQueue}, in threads of three kinds
 * of places:
 *
 * <pre>
 *               begins            takes long           does not end
 *   waits ---> SHORT place ----> LONG place ---------> LENT
 *              server.threads    server.long.queries   server.stuck.limit
 * </pre>
 *
 * <ul>
 *   <li>D1: a request that takes longer than a quantum leaves its short place to others and takes a
 *       long one; its thread stays with it. So long queries never take the threads that short ones
 *       begin in.
 *   <li>D2: if no long place is free and another client has a request that could begin, a victim is
 *       told to end ({@link PreemptionPolicy}); its place is given away at once.
 *   <li>D3: a request is told to end when its time is over. A request that has not ended {@code
 *       GRACE} after it was told is stuck: its client is answered and its connection closed, its
 *       thread is interrupted again and again, and its place is given away. The grace of a thread
 *       that wants nothing but a processor is the time that it has one, up to {@code MOST_GRACE}:
 *       many threads on few processors are late, not stuck.
 *   <li>D4: there are at most as many threads as places of all three kinds. When no more can be
 *       lent, places are not given away any more, and the server is not {@link #isHealthy}.
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
 * <p>A request that ends gives back all that it holds.
 *
 * <p>Threads: any. One lock guards the queue and the places; no method of {@link ScheduledRequest}
 * is called under it. A thread of its own looks at the time while requests run.
 */
public final class Scheduler {
  /**
   * Bytes of the stack of a worker thread. The steps of a compiled query call each other, six calls
   * for a hop, and a query has thousands. The system takes memory for what is used of them.
   */
  public static final long STACK_BYTES = 8 << 20;

  /** Time without a beginning, while all that wait are held back, after which none is expected. */
  static final long STARVED = TimeUnit.SECONDS.toNanos(10);

  private static final long EXPIRY = TimeUnit.MILLISECONDS.toNanos(250);
  private static final long MOST_DEBT = TimeUnit.SECONDS.toNanos(1);

  /** Time after which a worker ends that is beyond those for short places. */
  private static final long KEEP_ALIVE = TimeUnit.SECONDS.toNanos(5);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition quiet = lock.newCondition(); // nothing waits or runs
  private final SchedulerLimits limits;
  private final Clock clock;
  private final FairQueue queue;
  private final Owners owners;
  private final Places places;
  private final Deadlines deadlines;
  private final LongRequests longRequests;
  private final StuckRequests stuck = new StuckRequests();
  private final Set<RunningRequest> running = new LinkedHashSet<>(); // the oldest first
  private final Workers workers;
  private final Drain drain = new Drain();
  private final Watch watch;
  private final Refusals refusals = new Refusals(this::mend);
  private long expired;
  private long lastBegun;
  private boolean isEnded; // nothing begins any more
  private volatile boolean isClosed; // threads end; set under the lock

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
    this.limits = limits;
    this.clock = clock;
    this.queue = new FairQueue(limits.overlap(), LongRequests.QUANTUM, MOST_DEBT);
    this.owners = new Owners(queue);
    this.workers = new Workers(limits.threads(), name -> new Worker(this, name, keepAlive));
    this.places = new Places(limits, queue);
    this.deadlines = new Deadlines(clock, places, stuck);
    this.longRequests = new LongRequests(clock, queue, places);
    this.expired = clock.nanos();
    this.lastBegun = expired;
    this.watch = new Watch(this, isWatched);
    watch.start();
  }

  /** A connection of an owner. */
  public Client connect(String owner) {
    lock.lock();
    try {
      return owners.connect(owner);
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
      queue.limit(client.owner, limits);
      dispatch();
    } finally {
      unlock();
    }
  }

  /**
   * Forgets a connection. Its requests that wait are dropped, those that run are told to end: no
   * client waits for them, and they would hold places that others want.
   */
  public void disconnect(Client client) {
    lock.lock();
    try {
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
      signalIfQuiet();
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
      queue.block(client, isBlocked, clock.nanos());
      dispatch();
    } finally {
      unlock();
    }
  }

  /**
   * Takes a request, or refuses one: this, or that of a client that keeps more waiting.
   *
   * @return bytes that the client has waiting now, as {@link #waitingBytes} counts them
   */
  public long submit(Client client, ScheduledRequest work) {
    List<Refused> refused = new ArrayList<>(0);
    long kept;
    lock.lock();
    try {
      if (client.isClosed) {
        return 0;
      }
      if (isEnded) {
        refused.add(refuse(client, work, Rejection.STOPPING));
      } else if (makeRoom(client, FairQueue.bytesOf(work))) {
        drain.came(work);
        queue.add(client, work, clock.nanos());
        if (client.preparing != null) {
          notePrepared(client.preparing); // see prepared()
        }
        dispatch();
        watch.call();
      } else {
        refused.add(refuse(client, work, Rejection.QUEUE_FULL));
      }
      kept = load(client);
    } finally {
      unlock();
    }
    refusals.answer(refused);
    return kept;
  }

  private Refused refuse(Client client, ScheduledRequest work, Rejection why) {
    queue.breakOff(client);
    return new Refused(client, work, why);
  }

  private void mend(Client client) {
    lock.lock();
    try {
      queue.mend(client);
      dispatch();
    } finally {
      unlock();
    }
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
    watch.call();
    return true;
  }

  /** Charges a client for thread time that no request of it in here has used. */
  public void charge(Client client, long nanos) {
    lock.lock();
    try {
      queue.charge(client, nanos);
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
      return load(client);
    } finally {
      lock.unlock();
    }
  }

  private long load(Client client) {
    return Math.max(client.bytes, client.waiting.size() * (limits.queueBytes() / limits.queue()));
  }

  /** Begins what can begin. */
  private void dispatch() {
    for (RunningRequest begun = begin(); begun != null; begun = begin()) {
      workers.give(begun);
    }
  }

  /**
   * Gives the lock back and then wakes the threads that have something to do: a thread that runs at
   * once could take the processor from this one while it holds the lock.
   */
  private void unlock() {
    List<Worker> toWake = workers.takeWoken();
    boolean hasUnborn = workers.hasUnborn();
    boolean callsWatch = watch.takeCall();
    lock.unlock();
    toWake.forEach(LockSupport::unpark);
    if (watch.hasThread() && (hasUnborn || callsWatch)) {
      watch.wake();
    } else if (hasUnborn) {
      boolean unused = startWorkers();
    }
  }

  /**
   * Starts the threads that have to be started. Both are found under one hold of the lock: waiting
   * for a second one would use up the permit of an {@code unpark}, and a thread that has to be
   * started since would wait for a tick.
   *
   * @return whether there is something to look at; if not, the watch waits for a call
   */
  boolean startWorkers() {
    List<Worker> toStart;
    boolean isBusy;
    lock.lock();
    try {
      toStart = workers.takeUnborn();
      isBusy = !running.isEmpty() || queue.size() > 0 || refusals.hasWaiting() || stuck.hasEnded();
      watch.setAwake(isBusy);
    } finally {
      lock.unlock();
    }
    for (Worker worker : toStart) {
      try {
        worker.start();
      } catch (OutOfMemoryError e) { // the system has no thread, which says nothing of the heap
        refuseUnborn(worker.given());
      }
    }
    return isBusy;
  }

  private void refuseUnborn(RunningRequest begun) {
    lock.lock();
    try {
      ended(begun);
      refusals.add(refuse(begun.client, begun.work, Rejection.NO_THREAD));
      watch.call();
    } finally {
      unlock();
    }
  }

  private RunningRequest begin() {
    if (!places.hasShort() || isEnded) {
      return null;
    }
    Client client = queue.peek();
    if (client == null) {
      return null;
    }
    RunningRequest begun =
        new RunningRequest(client, queue.take(client), clock.nanos(), limits.evaluationMillis());
    client.preparing = begun;
    running.add(begun);
    lastBegun = begun.begun();
    places.take(begun);
    return begun;
  }

  /** Looks at the time: charges clients, moves requests to other places, ends those over theirs. */
  void tick() {
    List<RunningRequest> abandoned = new ArrayList<>(0);
    List<Refused> refused = new ArrayList<>(0);
    List<ScheduledRequest> ended = new ArrayList<>(0);
    try {
      look(abandoned, refused, ended);
    } finally { // what was taken out is answered, whatever failed
      refusals.answer(refused);
      abandoned.forEach(one -> StuckRequests.abandon(one, figures().stuck()));
      StuckRequests.logEnds(ended);
    }
  }

  private void look(
      List<RunningRequest> abandoned, List<Refused> refused, List<ScheduledRequest> ended) {
    List<RunningRequest> all = running();
    long now = clock.nanos();
    for (RunningRequest one : all) {
      lock.lock(); // for one at a time, since event loops wait for it
      try {
        if (running.contains(one) && one.thread() != null && look(one, now)) {
          abandoned.add(one);
        }
      } catch (Throwable t) { // the others are looked at
        Failures.log("looking at a request failed", t);
      } finally {
        unlock();
      }
    }
    lock.lock();
    try {
      refused.addAll(refusals.take());
      ended.addAll(stuck.takeEnded());
      if (now - expired >= EXPIRY) {
        expired = now;
        long oldest = now - TimeUnit.MILLISECONDS.toNanos(limits.evaluationMillis());
        queue
            .expire(oldest)
            .forEach(one -> refused.add(Refused.of(one, Rejection.WAITED_TOO_LONG)));
        owners.forgetSome();
      }
      refused.forEach(one -> drain.left(one.work()));
      signalIfQuiet();
      dispatch();
    } finally {
      unlock();
    }
  }

  private List<RunningRequest> running() {
    lock.lock();
    try {
      return List.copyOf(running);
    } finally {
      lock.unlock();
    }
  }

  /** Looks at one request; true if it is stuck and not abandoned yet. */
  private boolean look(RunningRequest one, long now) {
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

  private void charge(RunningRequest one, long now) {
    queue.charge(one.client, now - one.charged);
    one.charged = now;
  }

  /**
   * Takes note that the request of a worker runs now. That concerns the requests of its client that
   * wait. If none does, the lock is not taken: {@link #submit} says that a request waits before it
   * looks whether this one is decoded, and here it is the other way round, so that one of the two
   * threads sees what the other has said.
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
      notePrepared(one);
      dispatch();
    } finally {
      unlock();
    }
  }

  private void notePrepared(RunningRequest one) {
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
      running.add(entered); // not of the client's: its other requests do not wait for a session
      watch.call();
    } finally {
      unlock();
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
      ended(entered);
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
      ended(done);
      if (done.hasLowPriority()) { // since a moment ago
        return false;
      }
      RunningRequest one = begin();
      if (one != null) {
        worker.give(one);
      } else if (!isClosed) {
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
      return workers.leaves(worker, isClosed);
    } finally {
      lock.unlock();
    }
  }

  /** Whether threads end. */
  boolean isClosed() {
    return isClosed;
  }

  /** Gives back what a request held. */
  private void ended(RunningRequest one) {
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
    signalIfQuiet();
  }

  private void signalIfQuiet() {
    if (isQuiet()) {
      quiet.signalAll();
    }
  }

  private boolean isQuiet() {
    return drain.isOver(running.size() + queue.size());
  }

  /**
   * The requests that run and those that wait, the oldest first of each.
   *
   * @param most how many are wanted
   * @param owners whose
   */
  public List<ScheduledQuery> queries(int most, Predicate<String> owners) {
    List<ScheduledQuery> found = new ArrayList<>();
    lock.lock();
    try {
      long now = clock.nanos();
      for (RunningRequest one : running) {
        if (found.size() < most && owners.test(one.owner())) {
          found.add(
              new ScheduledQuery(
                  one.work, one.owner(), now - one.begun(), Optional.of(one), one.thread()));
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
    List<Refused> refused = new ArrayList<>(0);
    lock.lock();
    try {
      for (RunningRequest one : running) {
        if (one.work.number() == number && owners.test(one.owner())) {
          boolean isTold = one.tell(EndReason.KILLED);
          boolean ends = isTold || (one.ending().isPresent() && !one.isCommitting());
          return ends ? Optional.of(one.owner()) : Optional.empty();
        }
      }
      FairQueue.Removed removed = queue.remove(number, client -> owners.test(client.owner.name));
      if (removed == null) {
        return Optional.empty();
      }
      drain.left(removed.work());
      signalIfQuiet();
      refused.add(Refused.of(removed, Rejection.KILLED));
    } finally {
      unlock();
    }
    refusals.answer(refused);
    return Optional.of(refused.get(0).client().owner.name);
  }

  /** Takes note that the server stops: {@link #awaitQuiet} does not wait for what comes now. */
  public void finish() {
    lock.lock();
    try {
      drain.begin();
    } finally {
      lock.unlock();
    }
  }

  /** The numbers of this moment. */
  public SchedulerMetrics figures() {
    lock.lock();
    try {
      return new SchedulerMetrics(
          queue.size(), queue.bytes(), running.size(), places.longs(), stuck.count(), stuck.total());
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
    return longRequests.victims();
  }

  /**
   * Whether the threads of stuck queries can still be replaced, and requests begin. The queries of
   * one owner do not change that while another owner asks for something.
   */
  public boolean isHealthy() {
    lock.lock();
    try {
      boolean isStarved = queue.isHeldBack() && clock.nanos() - lastBegun >= STARVED;
      return places.mayLend() && !isStarved;
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
    lock.lock();
    try {
      while (!isQuiet()) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          return false;
        }
        long unused = quiet.awaitNanos(left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Says that what is interrupted from now on is interrupted because the server stops. */
  public void announceEnd() {
    lock.lock();
    try {
      running.forEach(one -> one.expect(EndReason.STOP));
    } finally {
      lock.unlock();
    }
  }

  /** Refuses what waits, now and from now on, and interrupts what runs. */
  public void end() {
    List<Refused> refused = new ArrayList<>();
    lock.lock();
    try {
      isEnded = true;
      refused.addAll(refusals.take()); // there may be no other tick
      queue.clear().forEach(one -> refused.add(Refused.of(one, Rejection.STOPPING)));
      refused.forEach(one -> drain.left(one.work()));
      running.forEach(one -> one.tell(EndReason.STOP));
      signalIfQuiet();
    } finally {
      lock.unlock();
    }
    refusals.answer(refused);
  }

  /**
   * Ends the threads: idle ones at once, others when their request has ended. Calls {@link #end}.
   */
  public void close() {
    end();
    lock.lock();
    try {
      isClosed = true;
      workers.wakeIdle();
      watch.end();
    } finally {
      lock.unlock();
    }
    boolean unused = startWorkers(); // they answer what they have got
    List<Refused> refused;
    lock.lock();
    try {
      refused = refusals.take(); // of workers that could not be started
    } finally {
      lock.unlock();
    }
    refusals.answer(refused);
  }
}
