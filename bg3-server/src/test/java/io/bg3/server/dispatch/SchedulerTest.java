package io.bg3.server.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Which requests begin, wait, are refused and are ended on request or when the server stops. */
class SchedulerTest extends SchedulerFixture {
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
  void whileACommitWaitsForTheDiskAnotherRequestBegins() throws Exception {
    start(1, 2, 1, 10);
    TestWork first = begin(scheduler.connect("a"), "first");
    TestWork second = submit(scheduler.connect("b"), TestWork.named("second"));
    TestWork third = submit(scheduler.connect("c"), TestWork.named("third"));
    TestWork fourth = submit(scheduler.connect("d"), TestWork.named("fourth"));
    assertFalse(second.hasBegun());
    scheduler.waitsForDisk(first.running());
    scheduler.waitsForDisk(first.running()); // changes nothing
    second.awaitBegun();
    scheduler.waitsForDisk(second.running());
    third.awaitBegun();
    scheduler.waitsForDisk(third.running()); // there are two such places
    awaitBegun();
    assertFalse(fourth.hasBegun());
    assertFalse(first.running().hasLowPriority());
    finish(second);
    assertFalse(fourth.hasBegun(), "the place of the third is taken");
    scheduler.waitsForDisk(third.running());
    fourth.awaitBegun();
    finish(first, third, fourth);
    scheduler.waitsForDisk(first.running()); // has ended
    assertEquals(0, scheduler.figures().running());
  }

  @Test
  void aCommitThatTakesLongKeepsItsPlace() throws Exception {
    start(1, 1, 1, 10);
    TestWork first = begin(scheduler.connect("a"), "first");
    assertTrue(first.running().commits());
    scheduler.waitsForDisk(first.running());
    pass(LongRequests.MOST_PATIENCE / 1_000_000 + 1);
    assertEquals(0, scheduler.figures().longRunning());
    TestWork second = begin(scheduler.connect("b"), "second");
    pass(LongRequests.MOST_PATIENCE / 1_000_000 + 1);
    assertEquals(1, scheduler.figures().longRunning());
    begin(scheduler.connect("c"), "third");
    assertEquals(0, scheduler.victims());
    finish(first, second);
    assertEquals(List.of("committed"), first.events);
  }

  @Test
  void oneThatGoesOnBehindItsCommitTakesALongPlace() throws Exception {
    start(1, 1, 1, 10);
    TestWork first = begin(scheduler.connect("a"), "first");
    assertTrue(first.running().beginsCommit());
    scheduler.waitsForDisk(first.running());
    pass(LongRequests.MOST_PATIENCE / 1_000_000 + 1);
    assertEquals(0, scheduler.figures().longRunning());
    first.running().endsCommit();
    pass(1);
    assertEquals(1, scheduler.figures().longRunning());
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

  /** The commit that another session waits for may be among the requests that are not read yet. */
  @Test
  void requestsOfSessionsDoNotKeepOthersOfTheirConnectionWaiting() throws Exception {
    start(1, 1, 1, 10);
    Client client = scheduler.connect("a");
    CountDownLatch done = new CountDownLatch(1);
    CountDownLatch entered = new CountDownLatch(3);
    List<Thread> sessions = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      sessions.add(enterSession(client, done, one -> entered.countDown()));
    }
    assertTrue(entered.await(60, TimeUnit.SECONDS));
    begin(client, "commit").letGo().awaitEnded();
    done.countDown();
    for (Thread session : sessions) {
      session.join();
    }
    begin(client, "another").letGo().awaitEnded();
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
