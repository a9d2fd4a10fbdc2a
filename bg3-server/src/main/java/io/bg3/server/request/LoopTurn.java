package io.bg3.server.request;

import io.bg3.server.dispatch.QuickRuns;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.FastThreadLocal;

/**
 * The time that an event loop may spend on requests in a turn: when it has read from all
 * connections that are ready, it begins anew.
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
  private boolean hasBegun;
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

  /** Has the time begin anew when the loop has read from all connections that are ready. */
  void begin(EventLoop of) {
    if (!hasBegun) {
      hasBegun = true;
      of.execute(this);
    }
  }

  /** Takes note that a request took so many nanoseconds. */
  void took(long nanos) {
    left -= nanos;
  }

  /** The loop as one that runs requests. */
  QuickRuns.Loop in(QuickRuns runs) {
    if (loop == null) {
      loop = runs.loop();
    }
    return loop;
  }

  @Override
  public void run() {
    hasBegun = false;
    left = QuickRuns.MOMENT;
  }
}
