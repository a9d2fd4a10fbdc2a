package io.bg3.server.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Runs requests in real threads and lets a clock of the test's own decide when their time is over.
 */
class SchedulerTest {
  private static final long LIMIT_MILLIS = 10_000;

  private final AtomicLong now = new AtomicLong(1_000_000_000);
  private final List<TestWork> all = new ArrayList<>();
  private Thread unknown; // the clock fails for it
  private boolean haveProcessors; // each request has one all the time
  private volatile long processor = -1; // nanoseconds of each thread, -1 if they are not known
  private Scheduler scheduler;

  private void start(int threads, int longQueries, int stuck, int queue) {
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

  private TestWork submit(Client client, TestWork work) {
    all.add(work);
    scheduler.submit(client, work);
    return work;
  }

  private TestWork begin(Client client, String name) {
    return submit(client, TestWork.named(name)).awaitBegun();
  }

  /** Lets requests go, and waits until the scheduler knows that they have ended. */
  private void finish(TestWork... works) throws InterruptedException {
    for (TestWork work : works) {
      work.letGo().awaitEnded();
    }
    awaitBegun();
  }

  private void pass(long millis) {
    now.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    scheduler.tick();
  }

  /** Waits for it, and does what the thread that looks at the time would do. */
  private void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, "it does not become true");
      TimeUnit.MILLISECONDS.sleep(5);
      scheduler.tick();
    }
  }

  /** Waits until the threads have done what the scheduler told them, whatever the clock says. */
  private void settle() throws InterruptedException {
    await(
        () ->
            all.stream().noneMatch(TestWork::isToldToEnd)
                && scheduler.figures().running()
                    == all.stream()
                        .filter(TestWork::hasBegun)
                        .filter(one -> !one.hasEnded())
                        .count());
  }

  @Test
  void anOwnerWithALimitHasNoMoreQueriesAtOnce() throws InterruptedException {
    start(4, 4, 2, 10);
    Client one = scheduler.connect("a");
    scheduler.limit(one, new OwnerLimits(0, 1, 0));
    TestWork first = begin(one, "first");
    TestWork second = submit(scheduler.connect("a"), TestWork.named("second"));
    begin(scheduler.connect("b"), "of another");
    assertFalse(second.hasBegun());
    finish(first);
    second.awaitBegun();
    TestWork third = submit(one, TestWork.named("third"));
    assertFalse(third.hasBegun());
    scheduler.limit(one, OwnerLimits.NONE);
    third.awaitBegun();
  }

  @Test
  void aQueryOverTheTimeOfItsOwnerIsToldToEnd() throws InterruptedException {
    start(2, 4, 2, 10);
    Client limited = scheduler.connect("a");
    scheduler.limit(limited, new OwnerLimits(500, 0, 0));
    TestWork shortOne = begin(limited, "short");
    TestWork longOne = begin(scheduler.connect("b"), "long");
    shortOne.running().limit(LIMIT_MILLIS); // what the request asks for
    pass(499);
    assertEquals(Optional.empty(), shortOne.running().ending());
    pass(1);
    shortOne.awaitEnded();
    assertEquals(List.of("interrupted TIME"), shortOne.events);
    assertEquals(Optional.empty(), longOne.running().ending());
  }

  @Test
  void aQueryThatAllocatesMoreThanItsOwnerMayIsToldToEnd() throws InterruptedException {
    start(3, 4, 2, 10);
    Client limited = scheduler.connect("a");
    scheduler.limit(limited, new OwnerLimits(0, 0, 1));
    TestWork runs = begin(limited, "runs");
    Client wide = scheduler.connect("b");
    scheduler.limit(wide, new OwnerLimits(0, 0, 1L << 40));
    TestWork other = begin(wide, "other");
    TestWork commits = begin(limited, "commits");
    assertTrue(commits.running().commits());
    pass(1);
    runs.awaitEnded();
    assertEquals(List.of("interrupted MEMORY"), runs.events);
    assertEquals(Optional.empty(), other.running().ending());
    assertEquals(Optional.empty(), commits.running().ending());
  }

  @Test
  void asManyBeginAsThereAreThreads() {
    start(2, 4, 2, 10);
    TestWork first = begin(scheduler.connect("a"), "first");
    begin(scheduler.connect("b"), "second");
    TestWork third = submit(scheduler.connect("c"), TestWork.named("third"));
    assertEquals(1, scheduler.figures().waiting());
    first.letGo().awaitEnded();
    third.awaitBegun();
    assertEquals(List.of("committed"), first.events);
  }

  @Test
  void aLongRequestLeavesItsPlaceToOthers() {
    start(1, 4, 2, 10);
    TestWork slow = begin(scheduler.connect("a"), "slow");
    TestWork quick = submit(scheduler.connect("b"), TestWork.named("quick"));
    pass(99);
    assertFalse(quick.hasBegun());
    pass(1);
    quick.awaitBegun();
    assertEquals(1, scheduler.figures().longRunning());
    quick.letGo().awaitEnded();
    slow.letGo().awaitEnded();
    assertEquals(List.of("committed"), slow.events);
  }

  /** D5. */
  @Test
  void theThreadOfALongRequestHasALowPriorityAndServesNoOther() throws Exception {
    start(1, 4, 2, 10);
    TestWork slow = begin(scheduler.connect("a"), "slow");
    Thread lowered = slow.running().thread();
    assertEquals(Thread.NORM_PRIORITY, lowered.getPriority());
    pass(100);
    assertEquals(Thread.MIN_PRIORITY, lowered.getPriority());
    slow.letGo().awaitEnded();
    TestWork next = begin(scheduler.connect("a"), "next");
    assertEquals(Thread.NORM_PRIORITY, next.running().thread().getPriority());
    next.letGo().awaitEnded();
    await(() -> !lowered.isAlive());
  }

  /** 64 connections that ask for something endless each, and one that asks for something short. */
  @Test
  void endlessRequestsOfManyDoNotHoldUpAnother() throws Exception {
    haveProcessors = true;
    start(2, 8, 2, 1_000);
    for (int i = 0; i < 64; i++) {
      submit(scheduler.connect("127.0.0.1"), TestWork.named("endless " + i));
    }
    Client honest = scheduler.connect("127.0.0.1");
    int before = 0;
    for (int i = 0; i < 10; i++) {
      TestWork shortOne = submit(honest, TestWork.named("short " + i));
      for (int ticks = 0; !shortOne.hasBegun(); ticks++) {
        assertTrue(ticks < 100, "it does not begin");
        pass(50);
        settle();
      }
      int begun = (int) all.stream().filter(TestWork::hasBegun).count();
      assertTrue(i == 0 || begun - before <= 3, "others that came before it: " + (begun - before));
      finish(shortOne);
      assertEquals(List.of("committed"), shortOne.events);
      before = begun;
    }
  }

  @Test
  void theOwnerWithMostLongRequestsLosesItsYoungest() {
    start(1, 2, 4, 10);
    Client greedy = scheduler.connect("greedy");
    TestWork oldest = begin(greedy, "oldest");
    pass(400);
    TestWork youngest = begin(greedy, "youngest");
    pass(400);
    assertEquals(2, scheduler.figures().longRunning());
    Client modest = scheduler.connect("modest");
    TestWork newcomer = begin(modest, "newcomer");
    TestWork next = submit(scheduler.connect("third"), TestWork.named("next"));
    pass(400);
    youngest.awaitEnded();
    next.awaitBegun();
    assertEquals(List.of("interrupted PLACES"), youngest.events);
    assertEquals(List.of(), newcomer.events);
    assertEquals(List.of(), oldest.events);
  }

  @Test
  void aNewcomerThatHoldsAsManyAndHasUsedMoreIsTheVictimItself() throws Exception {
    start(1, 2, 4, 10);
    Client busy = scheduler.connect("c");
    TestWork before = begin(busy, "before");
    pass(1_000);
    finish(before);
    TestWork first = begin(scheduler.connect("a"), "first");
    pass(400);
    TestWork second = begin(scheduler.connect("b"), "second");
    pass(400);
    TestWork newcomer = begin(busy, "newcomer");
    pass(400);
    assertEquals(List.of(), newcomer.events, "nobody else waits");
    TestWork next = submit(scheduler.connect("d"), TestWork.named("next"));
    pass(20);
    newcomer.awaitEnded();
    next.awaitBegun();
    assertEquals(List.of("interrupted PLACES"), newcomer.events);
    assertEquals(List.of(), first.events);
    assertEquals(List.of(), second.events);
  }

  /** V2: each place is held by another client, and the newcomer has none. */
  @Test
  void anAgedRequestLeavesItsPlaceToAClientThatHasNone() {
    start(1, 2, 4, 10);
    TestWork first = begin(scheduler.connect("a"), "first");
    pass(400);
    TestWork second = begin(scheduler.connect("b"), "second");
    pass(400);
    first.running().limit(10 * LIMIT_MILLIS);
    second.running().limit(10 * LIMIT_MILLIS);
    pass(TimeUnit.SECONDS.toMillis(PreemptionPolicy.AGED_SECONDS));
    TestWork newcomer = begin(scheduler.connect("c"), "newcomer");
    TestWork next = submit(scheduler.connect("d"), TestWork.named("next"));
    pass(400);
    first.awaitEnded();
    next.awaitBegun();
    assertEquals(List.of("interrupted PLACES"), first.events);
    assertEquals(List.of(), second.events);
    assertEquals(List.of(), newcomer.events);
  }

  /** It has the thread of its session, so its end would free no place. */
  @Test
  void aRequestOfASessionIsNotEndedForWantOfAPlace() throws Exception {
    start(1, 1, 4, 10);
    begin(scheduler.connect("a"), "holder");
    pass(400);
    CountDownLatch done = new CountDownLatch(1);
    CompletableFuture<RunningRequest> entered = new CompletableFuture<>();
    Thread session =
        new Thread(
            () -> {
              Client client = scheduler.connect("b");
              RunningRequest one = scheduler.enter(client, TestWork.named("session"), LIMIT_MILLIS);
              entered.complete(one);
              awaitUninterruptibly(done);
              scheduler.leave(one);
            });
    session.start();
    RunningRequest inSession = entered.get(60, TimeUnit.SECONDS);
    begin(scheduler.connect("c"), "in the short place");
    submit(scheduler.connect("d"), TestWork.named("waits"));
    pass(400);
    assertEquals(Optional.empty(), inSession.ending());
    done.countDown();
    session.join();
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    boolean isOpen = false;
    while (!isOpen) {
      try {
        isOpen = latch.await(60, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        // the test looks at what the request was told
      }
    }
  }

  /** Nobody waits for the answer, and others want the thread. */
  @Test
  void whatRunsForAClosedConnectionIsEnded() {
    start(1, 1, 1, 10);
    Client gone = scheduler.connect("a");
    TestWork runs = begin(gone, "runs");
    scheduler.disconnect(gone);
    runs.awaitEnded();
    assertEquals(List.of("interrupted GONE"), runs.events);
  }

  /** The stop does not wait for requests that come after it has begun. */
  @Test
  void onlyWhatCameBeforeTheStopIsWaitedFor() throws Exception {
    start(1, 1, 1, 10);
    TestWork runs = begin(scheduler.connect("a"), "runs");
    scheduler.finish();
    submit(scheduler.connect("b"), TestWork.named("late"));
    assertFalse(scheduler.awaitQuiet(System.nanoTime()));
    runs.letGo().awaitEnded();
    assertTrue(scheduler.awaitQuiet(System.nanoTime() + TimeUnit.SECONDS.toNanos(60)));
  }

  /** A request that is done is answered, although it was told to end before that was noted. */
  @Test
  void aRequestThatIsDoneIsNotEnded() {
    start(1, 1, 1, 10);
    TestWork done = begin(scheduler.connect("a"), "done");
    assertTrue(done.running().tell(EndReason.TIME));
    done.awaitEnded();
    RunningRequest running = new RunningRequest(scheduler.connect("a"), done, 0, LIMIT_MILLIS);
    assertTrue(running.tell(EndReason.TIME));
    running.completed();
    assertTrue(running.commits());
    assertTrue(running.isCommitting());
  }

  @Test
  void aRequestOverItsTimeIsInterrupted() {
    start(1, 2, 4, 10);
    TestWork work = begin(scheduler.connect("a"), "late");
    pass(LIMIT_MILLIS - 1);
    assertEquals(List.of(), work.events);
    pass(1);
    work.awaitEnded();
    assertEquals(List.of("interrupted TIME"), work.events);
  }

  /** Whatever goes wrong with one request, others have their limit, and so has it. */
  @Test
  void anErrorOfOneRequestDoesNotKeepOthersFromTheirLimit() {
    start(2, 2, 2, 10);
    TestWork first = begin(scheduler.connect("a"), "first");
    TestWork second = begin(scheduler.connect("b"), "second");
    unknown = first.running().thread();
    pass(LIMIT_MILLIS);
    first.awaitEnded();
    second.awaitEnded();
    assertEquals(List.of("interrupted TIME"), first.events);
    assertEquals(List.of("interrupted TIME"), second.events);
  }

  /** A short limit of its own does not let a request keep a place in which others begin. */
  @Test
  void aRequestThatWasToldToEndLeavesItsPlaceAsWell() {
    start(1, 1, 2, 10);
    TestWork holder = begin(scheduler.connect("a"), "holder");
    pass(400);
    TestWork told = submit(scheduler.connect("b"), TestWork.stubborn("told")).awaitBegun();
    told.running().limit(10);
    TestWork next = submit(scheduler.connect("c"), TestWork.named("next"));
    pass(20);
    assertFalse(next.hasBegun());
    pass(400);
    next.awaitBegun();
    assertEquals(List.of(), holder.events);
    assertEquals(0, scheduler.figures().stuck());
  }

  /** D3: two requests that ignore interrupts, two threads, and a third client is served. */
  @Test
  void requestsThatDoNotEndAreReplaced() throws Exception {
    start(2, 2, 3, 10);
    TestWork one = submit(scheduler.connect("a"), TestWork.stubborn("one")).awaitBegun();
    TestWork two = submit(scheduler.connect("b"), TestWork.stubborn("two")).awaitBegun();
    pass(LIMIT_MILLIS);
    pass(1_999);
    assertEquals(0, scheduler.figures().stuck());
    pass(1);
    assertEquals(2, scheduler.figures().stuck());
    assertTrue(one.events.contains("abandoned"));
    assertTrue(two.events.contains("abandoned"));
    assertEquals(0, scheduler.figures().longRunning(), "their places are free");
    for (int i = 0; i < 4; i++) {
      finish(begin(scheduler.connect("c"), "served " + i));
    }
    assertTrue(scheduler.isHealthy());
    finish(one, two);
    assertEquals(0, scheduler.figures().stuck());
    assertEquals(2, scheduler.figures().stuckTotal());
    assertEquals("rolled back", one.events.get(one.events.size() - 1), "its time was over");
  }

  /** A commit that was sent behind a refused statement would commit the rest. */
  @Test
  void nothingBeginsBehindAStatementThatIsNotRun() throws Exception {
    start(1, 1, 1, 2);
    TestWork runs = begin(scheduler.connect("a"), "runs");
    Client client = scheduler.connect("b");
    TestWork first = submit(client, TestWork.named("first"));
    submit(client, TestWork.named("second").ofTransaction());
    submit(scheduler.connect("c"), TestWork.named("evicts the second"));
    TestWork commit = submit(client, TestWork.named("commit").ofTransaction());
    assertEquals(List.of("refused QUEUE_FULL"), commit.events);
    runs.letGo();
    await(() -> scheduler.figures().waiting() == 1);
    pass(1); // the second is answered
    assertFalse(first.hasBegun());
    TestWork plain = submit(scheduler.connect("d"), TestWork.named("plain"));
    all.get(3).letGo();
    plain.awaitBegun();
    assertFalse(first.hasBegun());
  }

  /** While a request commits it is not abandoned, and behind the commit it is. */
  @Test
  void aStuckRequestIsAbandonedWhenItsCommitIsOver() {
    start(1, 1, 1, 10);
    TestWork work = submit(scheduler.connect("a"), TestWork.stubborn("commits")).awaitBegun();
    assertTrue(work.running().beginsCommit());
    pass(LIMIT_MILLIS);
    pass(3_000);
    assertEquals(1, scheduler.figures().stuck());
    assertFalse(work.events.contains("abandoned"));
    work.running().endsCommit();
    pass(3_000);
    assertTrue(work.events.contains("abandoned"));
  }

  /** The commit that another session waits for may be among the requests that are not read yet. */
  @Test
  void requestsOfSessionsDoNotKeepOthersOfTheirConnectionWaiting() throws Exception {
    start(1, 1, 1, 10);
    Client client = scheduler.connect("a");
    CountDownLatch done = new CountDownLatch(1);
    CountDownLatch entered = new CountDownLatch(3);
    List<Thread> sessions = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Thread session =
          new Thread(
              () -> {
                RunningRequest one = scheduler.enter(client, TestWork.named("s"), LIMIT_MILLIS);
                entered.countDown();
                awaitUninterruptibly(done);
                scheduler.leave(one);
              });
      sessions.add(session);
      session.start();
    }
    assertTrue(entered.await(60, TimeUnit.SECONDS));
    begin(client, "commit").letGo().awaitEnded();
    done.countDown();
    for (Thread session : sessions) {
      session.join();
    }
    begin(client, "another").letGo().awaitEnded();
  }

  /** D6: the threads of one owner are all lost, and another owner is served. */
  @Test
  void requestsOfOneOwnerThatDoNotEndKeepNoOtherOut() throws Exception {
    start(2, 4, 8, 100);
    Client hostile = scheduler.connect("hostile");
    List<TestWork> stuck = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      Client client = i % 2 == 0 ? hostile : scheduler.connect("hostile");
      stuck.add(submit(client, TestWork.stubborn("stuck " + i)));
    }
    Client honest = scheduler.connect("honest");
    for (int i = 0; i < 20; i++) {
      TestWork one = submit(honest, TestWork.named("honest " + i));
      for (int ticks = 0; !one.hasBegun(); ticks++) {
        assertTrue(ticks < 10, "it does not begin");
        pass(500);
        stuck.stream().filter(TestWork::hasBegun).forEach(w -> w.running().tell(EndReason.TIME));
        awaitBegun();
      }
      finish(one);
      assertTrue(scheduler.isHealthy());
    }
    for (int i = 0; i < 20; i++) {
      stuck.stream().filter(TestWork::hasBegun).forEach(w -> w.running().tell(EndReason.TIME));
      pass(500);
      awaitBegun();
    }
    assertTrue(stuck.stream().filter(TestWork::hasBegun).count() <= 12, "its share is used up");
    finish(begin(honest, "last"));
    assertTrue(scheduler.isHealthy());
    long half = TimeUnit.NANOSECONDS.toMillis(Schedule.STARVED) / 2;
    pass(half);
    submit(hostile, TestWork.stubborn("waits"));
    pass(half);
    assertFalse(scheduler.isHealthy(), "nobody else has asked for anything since");
  }

  /** Waits until workers have begun what they were given, and have left what has ended. */
  private void awaitBegun() throws InterruptedException {
    await(
        () ->
            scheduler.figures().running()
                == all.stream().filter(TestWork::hasBegun).filter(one -> !one.hasEnded()).count());
  }

  /** D3: many threads on few processors are late, not stuck. */
  @Test
  void aRequestThatGetsNoProcessorIsNotStuck() {
    processor = 0;
    start(1, 1, 4, 10);
    TestWork compiles = submit(scheduler.connect("a"), TestWork.stubborn("compiles")).awaitBegun();
    compiles.running().limit(1);
    pass(20);
    pass(10_000);
    assertEquals(0, scheduler.figures().stuck());
    processor = Deadlines.GRACE;
    pass(20);
    assertEquals(1, scheduler.figures().stuck(), "it has had its grace");
    TestWork waits = submit(scheduler.connect("a"), TestWork.stubborn("waits")).awaitBegun();
    waits.running().limit(1);
    pass(20);
    pass(TimeUnit.NANOSECONDS.toMillis(Deadlines.MOST_GRACE));
    assertEquals(2, scheduler.figures().stuck());
  }

  /** V3: 32 clients of one address repeat endless requests, and one asks for 600 ms. */
  @Test
  void repeatedEndlessRequestsDoNotEndOnesThatNeedLittle() throws Exception {
    start(2, 16, 16, 1_000);
    List<Client> hostile = new ArrayList<>();
    List<TestWork> endless = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      hostile.add(scheduler.connect("127.0.0.1"));
      endless.add(submit(hostile.get(i), TestWork.named("endless " + i)));
    }
    for (int i = 0; i < 40; i++) {
      repeat(hostile, endless);
    }
    Client honest = scheduler.connect("127.0.0.1");
    for (int i = 0; i < 10; i++) {
      TestWork one = submit(honest, TestWork.named("honest " + i));
      for (int ticks = 0; !one.hasBegun(); ticks++) {
        assertTrue(ticks < 100, "it does not begin");
        repeat(hostile, endless);
      }
      for (int ticks = 0; ticks < 12; ticks++) {
        repeat(hostile, endless);
      }
      finish(one);
      assertEquals(List.of("committed"), one.events);
      for (int ticks = 0; ticks < i; ticks++) {
        repeat(hostile, endless);
      }
    }
  }

  private void repeat(List<Client> hostile, List<TestWork> endless) throws InterruptedException {
    pass(50);
    settle();
    for (int i = 0; i < endless.size(); i++) {
      if (endless.get(i).hasEnded()) {
        endless.set(i, submit(hostile.get(i), TestWork.named("endless " + i)));
      }
    }
    awaitBegun();
  }

  /** D4. */
  @Test
  void onlySoManyAreReplaced() throws Exception {
    start(1, 1, 1, 10);
    TestWork one = submit(scheduler.connect("a"), TestWork.stubborn("one")).awaitBegun();
    pass(400);
    TestWork two = submit(scheduler.connect("b"), TestWork.stubborn("two")).awaitBegun();
    pass(LIMIT_MILLIS);
    pass(2_000);
    assertEquals(2, scheduler.figures().stuck());
    assertFalse(scheduler.isHealthy());
    finish(two, one);
    assertTrue(scheduler.isHealthy());
    begin(scheduler.connect("c"), "served").letGo().awaitEnded();
  }

  @Test
  void whatHoldsMostMakesRoom() {
    start(1, 1, 1, 3);
    begin(scheduler.connect("a"), "runs");
    Client heavy = scheduler.connect("heavy");
    submit(heavy, TestWork.named("kept"));
    submit(heavy, TestWork.named("kept too"));
    TestWork evicted = submit(heavy, TestWork.named("evicted"));
    TestWork taken = submit(scheduler.connect("light"), TestWork.named("taken"));
    pass(1); // the thread that looks at the time answers
    assertEquals(List.of("refused QUEUE_FULL"), evicted.events);
    assertEquals(List.of(), taken.events);
    TestWork tooMany = submit(heavy, TestWork.named("too many"));
    assertEquals(List.of("refused QUEUE_FULL"), tooMany.events);
    assertEquals(3, scheduler.figures().waiting());
  }

  /** So a connection is not read from when it has many small requests waiting. */
  @Test
  void aSmallRequestCountsAsItsPartOfAFullQueue() {
    start(1, 1, 1, 16);
    begin(scheduler.connect("a"), "runs");
    Client client = scheduler.connect("b");
    for (int i = 1; i <= 4; i++) {
      long counted = scheduler.submit(client, TestWork.named("small " + i));
      assertEquals(i * (1L << 20) / 16, counted);
    }
  }

  @Test
  void aRequestThatWaitsForTooLongIsNotRun() {
    start(1, 1, 1, 10);
    TestWork runs = begin(scheduler.connect("a"), "runs");
    runs.running().limit(10 * LIMIT_MILLIS);
    assertTrue(runs.running().commits(), "so that it is no victim");
    pass(400); // it takes the only long place
    TestWork second = begin(scheduler.connect("a"), "second");
    second.running().limit(10 * LIMIT_MILLIS);
    assertTrue(second.running().commits());
    TestWork waits = submit(scheduler.connect("b"), TestWork.named("waits"));
    pass(LIMIT_MILLIS - 1);
    assertEquals(List.of(), waits.events);
    pass(400);
    assertEquals(List.of("refused WAITED_TOO_LONG"), waits.events);
    assertFalse(waits.hasBegun());
  }

  @Test
  void whatWaitsIsRefusedAtTheEndAndWhatRunsIsInterrupted() throws Exception {
    start(1, 1, 1, 10);
    TestWork runs = begin(scheduler.connect("a"), "runs");
    TestWork waits = submit(scheduler.connect("b"), TestWork.named("waits"));
    assertFalse(scheduler.awaitQuiet(System.nanoTime()));
    scheduler.end();
    runs.awaitEnded();
    assertEquals(List.of("refused STOPPING"), waits.events);
    assertEquals(List.of("interrupted STOP"), runs.events);
    TestWork late = submit(scheduler.connect("c"), TestWork.named("late"));
    assertEquals(List.of("refused STOPPING"), late.events);
    assertTrue(scheduler.awaitQuiet(System.nanoTime() + TimeUnit.SECONDS.toNanos(60)));
  }

  /** No tick may come any more. */
  @Test
  void whatMadeRoomForAnotherIsAnsweredAtTheEndAtTheLatest() {
    start(1, 1, 1, 2);
    begin(scheduler.connect("a"), "runs");
    Client heavy = scheduler.connect("heavy");
    submit(heavy, TestWork.named("kept"));
    TestWork evicted = submit(heavy, TestWork.named("evicted"));
    submit(scheduler.connect("light"), TestWork.named("taken"));
    assertEquals(List.of(), evicted.events);
    scheduler.end();
    assertEquals(List.of("refused QUEUE_FULL"), evicted.events);
  }

  @Test
  void aRequestThatCommitsIsNotInterruptedAndOneThatWasToldDoesNotCommit() {
    start(2, 2, 2, 10);
    TestWork commits = begin(scheduler.connect("a"), "commits");
    assertTrue(commits.running().commits());
    assertFalse(commits.running().tell(EndReason.TIME));
    TestWork told = begin(scheduler.connect("b"), "told");
    assertTrue(told.running().tell(EndReason.HEAP));
    assertFalse(told.running().commits());
    assertFalse(told.running().tell(EndReason.TIME), "it is told once");
    told.awaitEnded();
    assertEquals(List.of("interrupted HEAP"), told.events);
    commits.letGo().awaitEnded();
    assertEquals(List.of("committed"), commits.events);
  }

  @Test
  void anOrderToEndWaitsForACommitThatTheQueryGoesOnBehind() {
    start(1, 1, 1, 10);
    RunningRequest running =
        new RunningRequest(scheduler.connect("a"), TestWork.named("work"), 0, LIMIT_MILLIS);
    assertTrue(running.beginsCommit());
    assertTrue(running.tell(EndReason.TIME));
    assertTrue(running.isCommitting(), "only the outcome may be answered");
    running.endsCommit();
    assertFalse(running.isCommitting());
    assertTrue(running.hasCommitted());
    assertFalse(running.beginsCommit(), "it was told");
    RunningRequest last =
        new RunningRequest(scheduler.connect("a"), TestWork.named("last"), 0, LIMIT_MILLIS);
    assertTrue(last.commits());
    assertTrue(last.beginsCommit());
    last.endsCommit();
    assertFalse(last.tell(EndReason.TIME), "nothing comes behind it");
  }

  @Test
  void requestsOfAClosedConnectionAreDropped() throws Exception {
    start(1, 1, 1, 10);
    TestWork runs = begin(scheduler.connect("a"), "runs");
    Client gone = scheduler.connect("b");
    TestWork dropped = submit(gone, TestWork.named("dropped"));
    scheduler.disconnect(gone);
    assertEquals(0, scheduler.figures().waiting());
    runs.letGo().awaitEnded();
    assertTrue(scheduler.awaitQuiet(System.nanoTime() + TimeUnit.SECONDS.toNanos(60)));
    assertEquals(List.of(), dropped.events);
    assertFalse(dropped.hasBegun());
  }

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

  private void askAgainAndAgain(Client client) {
    for (int i = 0; i < 20_000; i++) {
      TestWork work = TestWork.named("short").letGo();
      scheduler.submit(client, work);
      work.awaitEnded();
    }
  }

  @Test
  void aQueryIsKilledByItsNumberWhetherItRunsOrWaits() {
    start(1, 1, 1, 10);
    Client ada = scheduler.connect("ada");
    Client bob = scheduler.connect("bob");
    TestWork runs = begin(ada, "runs");
    TestWork waits = submit(bob, TestWork.named("waits"));
    TestWork behind = submit(bob, TestWork.named("behind").ofTransaction());
    now.addAndGet(TimeUnit.MILLISECONDS.toNanos(7));

    assertEquals(
        List.of("ada runs", "bob waits", "bob waits"),
        scheduler.queries(10, all -> true).stream()
            .map(one -> one.owner() + (one.running().isPresent() ? " runs" : " waits"))
            .toList());
    assertEquals(
        List.of(waits.number(), behind.number()),
        scheduler.queries(10, "bob"::equals).stream().map(one -> one.work().number()).toList());
    assertEquals(1, scheduler.queries(1, all -> true).size());
    assertEquals(
        TimeUnit.MILLISECONDS.toNanos(7), scheduler.queries(9, "ada"::equals).get(0).nanos());

    assertEquals(Optional.empty(), scheduler.kill(runs.number(), "bob"::equals));
    assertEquals(Optional.empty(), scheduler.kill(waits.number(), "ada"::equals));
    assertEquals(List.of(), waits.events);
    assertEquals(Optional.of("bob"), scheduler.kill(waits.number(), "bob"::equals));
    assertEquals(List.of("refused KILLED"), waits.events);
    assertEquals(Optional.of("bob"), scheduler.kill(behind.number(), all -> true));
    assertEquals(1, scheduler.queries(10, all -> true).size());
    assertEquals(2, scheduler.rejected(Rejection.KILLED));

    assertEquals(Optional.of("ada"), scheduler.kill(runs.number(), all -> true));
    runs.awaitEnded();
    assertEquals(List.of("interrupted KILLED"), runs.events);
  }

  @Test
  void aQueryThatCommitsIsNotKilled() {
    start(1, 1, 1, 10);
    TestWork runs = begin(scheduler.connect("ada"), "runs");
    assertTrue(runs.running().commits());
    assertEquals(Optional.empty(), scheduler.kill(runs.number(), all -> true));
    assertEquals(Optional.empty(), runs.running().ending());
  }
}
