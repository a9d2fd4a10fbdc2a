package io.bg3.server.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Requests over their time or memory are told to end, and are replaced if they do not (D3, D4, D6,
 * D7).
 */
class DeadlinesTest extends SchedulerFixture {
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
}
