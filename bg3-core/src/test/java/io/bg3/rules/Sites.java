package io.bg3.rules;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The actions of a test at the {@link Site}s that threads of the engine pass. There is one of it
 * for each run of a test, since the run's class loader loads it anew.
 *
 * <p>Threads: any.
 */
public final class Sites {
  /** The name of sites that a thread passes while it waits without being parked. */
  public static final String WAITS = "waits";

  /** How long anything may take before the test gives up. */
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** So often a thread that is parked is looked at before it is believed to stay so. */
  private static final int LOOKS = 150;

  private static final Map<String, Runnable> ACTIONS = new ConcurrentHashMap<>();
  private static final Map<String, Runnable> ALWAYS = new ConcurrentHashMap<>();
  private static final Set<String> PASSED = ConcurrentHashMap.newKeySet();
  private static final Set<Thread> WAITING = ConcurrentHashMap.newKeySet();

  private Sites() {}

  /** Called by the engine at a site. */
  public static void pass(String site) {
    if (site.equals(WAITS)) {
      WAITING.add(Thread.currentThread());
      return;
    }
    Runnable always = ALWAYS.get(site);
    Runnable action = always != null ? always : ACTIONS.remove(site);
    if (action != null) {
      PASSED.add(site);
      action.run();
    }
  }

  /** Lets the next thread that passes a site do something there. */
  public static void at(String site, Runnable action) {
    PASSED.remove(site);
    ACTIONS.put(site, action);
  }

  /** Lets every thread that passes a site do something there, from now on. */
  public static void always(String site, Runnable action) {
    PASSED.remove(site);
    ALWAYS.put(site, action);
  }

  /** Ends what {@link #always} began. */
  public static void never(String site) {
    ALWAYS.remove(site);
  }

  /**
   * Stops the next thread that passes a site, and does {@code work} in a thread of its own until it
   * has ended or waits for something.
   *
   * @return the other thread, for the caller to {@linkplain Other#join wait} for
   */
  public static Other meanwhile(String site, Work work) {
    Other other = new Other(work);
    at(site, other::runUntilItWaits);
    return other;
  }

  /** Throws unless a thread has done what it was to do at a site. */
  public static void requirePassed(String site) {
    if (!PASSED.contains(site)) {
      throw new IllegalStateException("no thread has passed the site: name=" + site);
    }
  }

  /** Waits until a thread has come to a site. */
  public static void awaitPassed(String site) throws InterruptedException {
    while (!PASSED.contains(site)) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  /** The work of another thread. */
  @FunctionalInterface
  public interface Work {
    void run() throws Exception;
  }

  /** A thread that works while the one that passed a site stands there. */
  public static final class Other {
    private final Thread thread;
    private volatile Throwable failure;

    private Other(Work work) {
      thread =
          new Thread(
              () -> {
                try {
                  work.run();
                } catch (Exception | Error e) {
                  failure = e;
                }
              },
              "other");
      thread.setDaemon(true);
    }

    /** Starts work in a thread of its own, and returns when it has ended or waits for something. */
    public static Other start(Work work) {
      Other other = new Other(work);
      other.runUntilItWaits();
      return other;
    }

    private void runUntilItWaits() {
      thread.start();
      long end = System.nanoTime() + PATIENCE_NANOS;
      int parked = 0;
      while (thread.isAlive() && !WAITING.contains(thread) && parked < LOOKS) {
        parked = isParked() ? parked + 1 : 0;
        if (System.nanoTime() > end) {
          throw new AssertionError("the other thread neither ends nor waits: " + stack());
        }
        sleep();
      }
    }

    /** Whether it waits for something of the engine, and not for a class to be loaded. */
    private boolean isParked() {
      Thread.State state = thread.getState();
      return (state == Thread.State.WAITING || state == Thread.State.BLOCKED)
          && Arrays.stream(thread.getStackTrace())
              .noneMatch(frame -> frame.getMethodName().equals("loadClass"));
    }

    /** Whether it has not ended. */
    public boolean isAlive() {
      return thread.isAlive();
    }

    /** Waits until it has ended, and throws what it has thrown. */
    public void join() throws Exception {
      thread.join(TimeUnit.NANOSECONDS.toMillis(PATIENCE_NANOS));
      if (thread.isAlive()) {
        throw new AssertionError("the other thread does not end: " + stack());
      }
      if (failure instanceof Error error) {
        throw error;
      }
      if (failure != null) {
        throw (Exception) failure;
      }
    }

    private String stack() {
      return Arrays.toString(thread.getStackTrace());
    }

    private static void sleep() {
      try {
        Thread.sleep(1);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }
}
