package io.bg3.server.dispatch;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A request that runs until the test lets it go, and notes what happens to it. */
final class TestWork implements ScheduledRequest {
  private static final long PATIENCE_SECONDS = 300;

  private static final AtomicLong NUMBERS = new AtomicLong();

  private final long number = NUMBERS.incrementAndGet();
  final List<String> events = Collections.synchronizedList(new ArrayList<>());
  private final String name;
  private final int bytes;
  private final boolean isStubborn;
  private boolean isStatement;
  private boolean isInSession;
  private Runnable whenRefused = () -> {};
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile RunningRequest running;

  private TestWork(String name, int bytes, boolean isStubborn) {
    this.name = name;
    this.bytes = bytes;
    this.isStubborn = isStubborn;
  }

  static TestWork ofBytes(int bytes) {
    return new TestWork("bytes " + bytes, bytes, false);
  }

  /** Ends when it is interrupted. */
  static TestWork named(String name) {
    return new TestWork(name, 10, false);
  }

  /** Does not care for interrupts. */
  static TestWork stubborn(String name) {
    return new TestWork(name, 10, true);
  }

  /** Requests behind it depend on it. */
  TestWork ofTransaction() {
    isStatement = true;
    return this;
  }

  /** The thread of a session would run it. */
  TestWork inSession(boolean is) {
    isInSession = is;
    return this;
  }

  /** Has this run by the thread that refuses it. */
  TestWork whenRefused(Runnable task) {
    whenRefused = task;
    return this;
  }

  @Override
  public long number() {
    return number;
  }

  @Override
  public int bytes() {
    return bytes;
  }

  @Override
  public boolean isInSession() {
    return isInSession;
  }

  @Override
  public void run(RunningRequest one) {
    running = one;
    one.next(this::query);
  }

  private void query() {
    begun.countDown();
    while (true) {
      try {
        goOn.await();
        events.add(running.commits() ? "committed" : "rolled back");
        return;
      } catch (InterruptedException e) {
        events.add("interrupted " + running.ending().orElse(null));
        if (!isStubborn) {
          return;
        }
      }
    }
  }

  @Override
  public void ended(RunningRequest one) {
    ended.countDown();
  }

  @Override
  public boolean refuse(Rejection why) {
    events.add("refused " + why);
    whenRefused.run();
    ended.countDown();
    return !isStatement;
  }

  @Override
  public boolean abandon(RunningRequest one) {
    boolean isDecided = !one.isCommitting();
    if (isDecided) {
      events.add("abandoned");
    }
    return isDecided;
  }

  @Override
  public String client() {
    return name;
  }

  RunningRequest running() {
    return running;
  }

  boolean hasBegun() {
    return begun.getCount() == 0;
  }

  boolean hasEnded() {
    return ended.getCount() == 0;
  }

  boolean isToldToEnd() {
    RunningRequest one = running;
    return one != null && one.ending().isPresent() && !hasEnded();
  }

  TestWork awaitBegun() {
    await(begun);
    return this;
  }

  TestWork letGo() {
    goOn.countDown();
    return this;
  }

  TestWork awaitEnded() {
    await(ended);
    return this;
  }

  private void await(CountDownLatch latch) {
    try {
      if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError(name + " did not get so far: " + events);
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
