package io.bg3.rules;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Waits for what threads of the engine do in a {@link RuleTest}, and gives up when a limit has
 * passed. There is one of it for each run of a test, since the run's class loader loads it anew.
 *
 * <p>The engine as it is has a minute, which a slow machine may need. A twin whose fault keeps a
 * condition from being met would wait for all of it, so a twin has a multiple of what the longest
 * wait on the engine as it is took, and some seconds at least.
 *
 * <p>Threads: one, that of the test.
 */
public final class Patience {
  private static final long SOUND_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long LEAST_NANOS = TimeUnit.SECONDS.toNanos(3);
  private static final int MULTIPLE = 4;
  private static final long POLL_MILLIS = 10;

  private static long limitNanos = SOUND_NANOS;
  private static long longestNanos;

  private Patience() {}

  /**
   * Waits until a condition is met.
   *
   * @param what says what has not happened, when the limit has passed
   * @throws AssertionError if the limit has passed
   */
  public static void await(Supplier<String> what, Callable<Boolean> condition) throws Exception {
    long begin = System.nanoTime();
    while (!condition.call()) {
      if (System.nanoTime() - begin > limitNanos) {
        throw new AssertionError("not within " + limitNanos / 1_000_000 + " ms: " + what.get());
      }
      Thread.sleep(POLL_MILLIS);
    }
    longestNanos = Math.max(longestNanos, System.nanoTime() - begin);
  }

  /** Sets the limit of this run, which {@link #forTwins} of another run has given. */
  static void limitTo(long nanos) {
    limitNanos = nanos;
  }

  /** The limit in nanoseconds for twins, after a run on the engine as it is. */
  static long forTwins() {
    return Math.max(LEAST_NANOS, MULTIPLE * longestNanos);
  }
}
