package io.bg3.server.dispatch;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;

/**
 * A scheduler that runs requests in real threads, while a clock of the test's own decides when
 * their time is over.
 */
abstract class SchedulerFixture {
  static final long LIMIT_MILLIS = 10_000;

  final AtomicLong now = new AtomicLong(1_000_000_000);
  final List<TestWork> all = new ArrayList<>();
  Thread unknown; // the clock fails for it
  boolean haveProcessors; // each request has one all the time
  volatile long processor = -1; // nanoseconds of each thread, -1 if they are not known
  Scheduler scheduler;

  void start(int threads, int longQueries, int stuck, int queue) {
    Clock clock =
        new Clock() {
          @Override
          public long nanos() {
            return now.get();
          }

          @Override
          public long processorNanos(Thread thread) {
            if (thread.equals(unknown)) {
              throw new StackOverflowError();
            }
            return haveProcessors ? now.get() : processor;
          }

          @Override
          public boolean isRunnable(Thread thread) {
            return processor >= 0;
          }
        };
    scheduler =
        new Scheduler(
            new SchedulerLimits(threads, longQueries, stuck, queue, 1 << 20, LIMIT_MILLIS),
            clock,
            false,
            TimeUnit.SECONDS.toNanos(5));
  }

  @AfterEach
  void stop() {
    all.forEach(TestWork::letGo);
    scheduler.close();
  }

  TestWork submit(Client client, TestWork work) {
    all.add(work);
    scheduler.submit(client, work);
    return work;
  }

  TestWork begin(Client client, String name) {
    return submit(client, TestWork.named(name)).awaitBegun();
  }

  /** Lets requests go, and waits until the scheduler knows that they have ended. */
  void finish(TestWork... works) throws InterruptedException {
    for (TestWork work : works) {
      work.letGo().awaitEnded();
    }
    awaitBegun();
  }

  void pass(long millis) {
    now.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    scheduler.tick();
  }

  /** Waits for it, and does what the thread that looks at the time would do. */
  void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, "it does not become true");
      TimeUnit.MILLISECONDS.sleep(5);
      scheduler.tick();
    }
  }

  /** Waits until the threads have done what the scheduler told them, whatever the clock says. */
  void settle() throws InterruptedException {
    await(() -> all.stream().noneMatch(TestWork::isToldToEnd) && knowsWhatRuns());
  }

  /** Waits until workers have begun what they were given, and have left what has ended. */
  void awaitBegun() throws InterruptedException {
    await(this::knowsWhatRuns);
  }

  private boolean knowsWhatRuns() {
    return scheduler.figures().running()
        == all.stream().filter(TestWork::hasBegun).filter(one -> !one.hasEnded()).count();
  }

  /** Has a thread enter a request of a session, which it leaves when the latch is open. */
  Thread enterSession(Client client, CountDownLatch done, Consumer<RunningRequest> entered) {
    Thread session =
        new Thread(
            () -> {
              RunningRequest one = scheduler.enter(client, TestWork.named("session"), LIMIT_MILLIS);
              entered.accept(one);
              awaitUninterruptibly(done);
              scheduler.leave(one);
            });
    session.start();
    return session;
  }

  static void awaitUninterruptibly(CountDownLatch latch) {
    boolean isOpen = false;
    while (!isOpen) {
      try {
        isOpen = latch.await(60, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        // the test looks at what the request was told
      }
    }
  }
}
