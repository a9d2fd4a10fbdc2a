package io.bg3.server.dispatch;

import io.bg3.storage.Waiting;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs short requests in the threads of event loops. Handing such a request to a worker, and its
 * answer back, takes longer than the query.
 *
 * <ul>
 *   <li>M1: {@link Scheduler#mayRunQuickly} says whether a request may run so; the caller charges
 *       its client for the time.
 *   <li>M2: a request that has not ended after {@link #MOMENT}, and before twice that, is told to
 *       end, and interrupted again while it does not. Then it has answered nothing, and the caller
 *       submits it.
 *   <li>M3: no interrupt reaches the thread behind the request's end, nor when its answer is
 *       written: it has committed by then ({@link RunningRequest#commits}).
 *   <li>M4: a commit that would have to wait is given up ({@link Waiting}); nothing of it has
 *       happened, and it is as if the request had not committed.
 *   <li>M5: a request does not wait until its commit is durable. The request is answered by a task
 *       of the loop when it is ({@link LateAnswer}); until then it counts as one that runs.
 *   <li>M6: the sync for what a loop commits is put off until its turn ends, or until it leaves a
 *       request of the turn to a worker ({@link TurnSyncs}).
 * </ul>
 *
 * <p>The thread that looks at the time sleeps while event loops run no requests. A loop notes its
 * request before it looks whether that thread is awake, and the thread says that it sleeps before
 * it looks for requests once more, so one of the two sees what the other has said.
 *
 * <p>Threads: any; each {@link Loop} belongs to one event loop.
 */
public final class QuickRuns {
  /** Time that an event loop has for requests, in nanoseconds. */
  public static final long MOMENT = TimeUnit.MILLISECONDS.toNanos(1);

  /** Looks at a request that was told to end until it is interrupted again. */
  private static final int AGAIN = 32;

  /** Looks at one request, about two seconds, until the log says that it does not end. */
  private static final int STUCK = 2_000;

  private static final Logger LOG = LoggerFactory.getLogger(QuickRuns.class);

  private final long limitMillis;
  private final LateRequests late;
  private final List<Loop> loops = new CopyOnWriteArrayList<>();
  private final LongAdder done = new LongAdder();
  private final Thread watch = new Thread(this::watch, "bg3-moment-watch");
  private volatile boolean isAwake = true;
  private volatile boolean isClosed;

  /**
   * Starts the thread that looks at the time.
   *
   * @param limitMillis of a request, as it is shown to the request
   * @param late is told of requests that are answered later
   */
  QuickRuns(long limitMillis, LateRequests late) {
    this.limitMillis = limitMillis;
    this.late = late;
    watch.setDaemon(true);
    watch.start();
  }

  /** The requests of one event loop. */
  public static final class Loop {
    private final Executor tasks;
    private final TurnSyncs syncs = new TurnSyncs();
    private volatile RunningRequest running; // set by the loop, null if there is none
    private volatile boolean hasBegun; // set by the loop, taken by the watch
    private RunningRequest seen; // of the watch
    private int looks; // of the watch, at the request that it has seen

    private Loop(Executor tasks) {
      this.tasks = tasks;
    }

    /** Called by the loop before it does something else in a turn than to run a request (M6). */
    public void goesOn() {
      syncs.goesOn();
    }

    /**
     * Has what was committed in this turn synced if that was put off (M6). Called by the loop when
     * it has run its requests, before it waits for anything.
     */
    public void endsTurn() {
      syncs.end();
    }

    /** Tells a request to end that the last look has seen; whether the loop runs requests. */
    private boolean look() {
      RunningRequest now = running;
      if (now != null && now == seen) {
        looks++;
        if (!now.tell(EndReason.MOMENT) && looks % AGAIN == 0) {
          now.tellAgain(); // one that has committed ends by itself
        }
        if (looks == STUCK) {
          LOG.warn(
              "an event loop runs a request that does not end, and its connections wait: owner={}",
              now.owner());
        }
      } else {
        looks = 0;
      }
      seen = now;
      boolean isBusy = hasBegun || now != null;
      hasBegun = false;
      return isBusy;
    }

    private boolean isBusy() {
      return hasBegun || running != null;
    }
  }

  /**
   * For an event loop, which keeps it.
   *
   * @param tasks the event loop
   */
  public Loop loop(Executor tasks) {
    Loop loop = new Loop(tasks);
    loops.add(loop);
    return loop;
  }

  /**
   * Runs a request in the calling thread.
   *
   * @param loop of the thread
   * @return false if the request has not committed, so that it is not answered and has to be
   *     submitted anew; true also if it is answered when its commit is durable (M5)
   */
  public boolean run(Loop loop, Client client, ScheduledRequest work) {
    RunningRequest one =
        RunningRequest.quick(
            client,
            work,
            System.nanoTime(),
            limitMillis,
            running -> new LateAnswer(running, loop.tasks, loop.syncs, late));
    loop.running = one;
    loop.hasBegun = true;
    if (!isAwake) {
      LockSupport.unpark(watch);
    }
    Waiting.forbid();
    try {
      one.run(() -> {});
    } catch (Throwable t) { // an event loop outlives whatever a request does
      LOG.debug("a request failed in an event loop, unless it was answered a worker runs it", t);
    } finally {
      Waiting.allow();
      loop.running = null;
    }
    if (one.isAnsweredLater()) {
      late.waits(one); // before the task that answers it, which comes behind this one
    }
    boolean isDone = one.hasCommitted();
    if (isDone) {
      done.increment();
    }
    return isDone;
  }

  /** Requests that were answered so since the start. */
  public long done() {
    return done.sum();
  }

  private void watch() {
    while (true) {
      boolean isBusy = false;
      for (Loop loop : loops) {
        isBusy |= loop.look();
      }
      if (isBusy) {
        LockSupport.parkNanos(this, MOMENT);
      } else if (isClosed) {
        return; // a request that runs is told to end first
      } else {
        isAwake = false;
        if (loops.stream().noneMatch(Loop::isBusy) && !isClosed) {
          LockSupport.park(this);
        }
        isAwake = true;
      }
    }
  }

  /** Ends the thread that looks at the time, when no request runs. */
  void close() {
    isClosed = true;
    LockSupport.unpark(watch);
  }
}
