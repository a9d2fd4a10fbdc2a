package io.bg3.server.dispatch;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Looks at the threads of a scheduler that has a watch and the clock of the system. */
class SchedulerThreadsTest extends SchedulerFixture {
  /**
   * Workers wait for an hour unless they are woken, so a wake-up that gets lost shows. The threads
   * contend for the lock, and waiting for it may not use up the wake-up.
   */
  @Test
  void noWorkerSleepsWithARequest() throws Exception {
    SchedulerLimits limits = new SchedulerLimits(2, 4, 2, 100, 1 << 20, LIMIT_MILLIS);
    scheduler = new Scheduler(limits, Clock.SYSTEM, true, TimeUnit.HOURS.toNanos(1));
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<?>> clients = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        Client client = scheduler.connect("a");
        clients.add(threads.submit(() -> askAgainAndAgain(client)));
      }
      for (Future<?> client : clients) {
        client.get(5, TimeUnit.MINUTES);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private void askAgainAndAgain(Client client) {
    for (int i = 0; i < 20_000; i++) {
      TestWork work = TestWork.named("short").letGo();
      scheduler.submit(client, work);
      work.awaitEnded();
    }
  }

  /** It slept for the 20 ms of a tick between its wake-up and the start of the worker. */
  @Test
  void aWorkerIsStartedAtOnceAlthoughTheWatchSlept() throws Exception {
    long fastest = Long.MAX_VALUE;
    for (int i = 0; i < 100 && fastest > TimeUnit.MILLISECONDS.toNanos(15); i++) {
      Thread watch = startWatched();
      await(() -> watch.getState() == Thread.State.WAITING);
      long before = System.nanoTime();
      begin(scheduler.connect("a"), "first").letGo();
      fastest = Math.min(fastest, System.nanoTime() - before);
      scheduler.close();
    }
    assertTrue(fastest < TimeUnit.MILLISECONDS.toNanos(15), "nanoseconds: " + fastest);
  }

  /** Starts a scheduler by the system's clock and returns the thread that looks at the time. */
  private Thread startWatched() throws InterruptedException {
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    SchedulerLimits limits = new SchedulerLimits(1, 0, 1, 2, 1 << 20, LIMIT_MILLIS);
    scheduler = new Scheduler(limits, Clock.SYSTEM, true, TimeUnit.HOURS.toNanos(1));
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("bg3-query-watch") && !before.contains(thread))
        .findAny()
        .orElseThrow();
  }

  @Test
  void theWatchEndsAlthoughAnAnswerSwallowsItsInterrupt() throws Exception {
    Thread watch = startWatched();
    CountDownLatch answers = new CountDownLatch(1);
    assertTrue(begin(scheduler.connect("a"), "runs").running().commits(), "it keeps its place");
    Client heavy = scheduler.connect("b");
    submit(heavy, TestWork.named("kept"));
    submit(heavy, TestWork.named("evicted").whenRefused(() -> swallowInterrupt(answers)));
    submit(scheduler.connect("c"), TestWork.named("light"));
    assertTrue(answers.await(60, TimeUnit.SECONDS));
    scheduler.close();
    watch.join(TimeUnit.SECONDS.toMillis(10));
    assertFalse(watch.isAlive());
  }

  private static void swallowInterrupt(CountDownLatch begins) {
    begins.countDown();
    try {
      TimeUnit.SECONDS.sleep(60);
    } catch (InterruptedException e) {
      // as in code that does not look at what it was interrupted for
    }
  }
}
