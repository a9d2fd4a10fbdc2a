package io.bg3.server.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Requests that take long leave their places to others, and some have to end for it (D1, D2, D5).
 */
class LongRequestsTest extends SchedulerFixture {
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
    Thread session = enterSession(scheduler.connect("b"), done, entered::complete);
    RunningRequest inSession = entered.get(60, TimeUnit.SECONDS);
    begin(scheduler.connect("c"), "in the short place");
    submit(scheduler.connect("d"), TestWork.named("waits"));
    pass(400);
    assertEquals(Optional.empty(), inSession.ending());
    done.countDown();
    session.join();
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
}
