package io.bg3.server.request;

import io.bg3.server.dispatch.QuickRuns;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.FastThreadLocal;
import io.netty.util.concurrent.SingleThreadEventExecutor;

/**
 * The time that an event loop may spend on requests in a turn. It begins anew when the loop has
 * done what it had to do when the first request of the turn began, and at least {@link
 * QuickRuns#MOMENT} has passed. A loop that gets events by edges may read the rest of a
 * connection's bytes in a task behind that, so another connection can wait for more than one turn.
 * What its requests have committed is synced when the turn ends.
 *
 * <p>Threads: one instance an event loop.
 */
final class LoopTurn implements Runnable {
  private static final FastThreadLocal<LoopTurn> TURNS =
      new FastThreadLocal<>() {
        @Override
        protected LoopTurn initialValue() {
          return new LoopTurn();
        }
      };

  private long left = QuickRuns.MOMENT;
  private long since = System.nanoTime(); // the time began
  private boolean hasBegun;
  private EventLoop tasks; // null before the first turn
  private QuickRuns.Loop loop; // null before the first request that the loop runs

  private LoopTurn() {}

  /** That of the calling event loop. */
  static LoopTurn current() {
    return TURNS.get();
  }

  /** Nanoseconds that are left; not positive if there are none. */
  long left() {
    return left;
  }

  /**
   * Called before each request. Has the time begin anew when the loop comes to the tasks that were
   * added before the first of the turn.
   */
  void begin(EventLoop of) {
    tasks = of;
    if (!hasBegun) {
      hasBegun = true;
      renew();
      of.execute(this);
    }
  }

  /** Called for a request that the loop leaves to a worker, behind which it has more to do. */
  static void goesOn() {
    LoopTurn turn = TURNS.getIfExists();
    if (turn != null && turn.loop != null) {
      turn.loop.goesOn();
    }
  }

  /** Takes note that a request took so many nanoseconds. */
  void took(long nanos) {
    left -= nanos;
  }

  /** The loop as one that runs requests; behind {@link #begin}. */
  QuickRuns.Loop in(QuickRuns runs) {
    if (loop == null) {
      loop = runs.loop(tasks);
    }
    return loop;
  }

  @Override
  public void run() {
    hasBegun = false;
    renew();
    if (loop != null) {
      if (hasTasks()) {
        loop.goesOn();
      }
      loop.endsTurn();
    }
  }

  /** Whether other tasks of the loop wait, as answers of workers do. */
  private boolean hasTasks() {
    return tasks instanceof SingleThreadEventExecutor one && one.pendingTasks() > 0;
  }

  private void renew() {
    long now = System.nanoTime();
    if (now - since >= QuickRuns.MOMENT) {
      left = QuickRuns.MOMENT;
      since = now;
    }
  }
}
