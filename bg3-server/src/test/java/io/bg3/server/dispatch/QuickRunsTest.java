package io.bg3.server.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.commit.CommitListener;
import io.bg3.core.commit.OutcomeUnknownException;
import io.bg3.storage.Waiting;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests that run in the thread of an event loop, for which the thread of the test stands. */
class QuickRunsTest extends SchedulerFixture {
  private final List<RunningRequest> waiting = new ArrayList<>();
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final QuickRuns runs = new QuickRuns(LIMIT_MILLIS, new Late());
  private final QuickRuns.Loop loop = runs.loop(tasks::add);

  private final class Late implements LateRequests {
    @Override
    public void waits(RunningRequest one) {
      waiting.add(one);
    }

    @Override
    public void answered(RunningRequest one) {
      assertTrue(waiting.remove(one));
    }
  }

  @BeforeEach
  void start() {
    start(1, 1, 1, 10);
  }

  @AfterEach
  void close() {
    runs.close();
  }

  /** A request that does this. */
  private static final class Quick implements ScheduledRequest {
    private final Consumer<RunningRequest> query;
    private int ended;
    private Optional<OutcomeUnknownException> outcome; // null until it is told
    private AssertionError failure; // null if there is none

    Quick(Consumer<RunningRequest> query) {
      this.query = query;
    }

    @Override
    public long number() {
      return 1;
    }

    @Override
    public int bytes() {
      return 1;
    }

    @Override
    public boolean isInSession() {
      return false;
    }

    @Override
    public void run(RunningRequest one) {
      one.next(
          () -> {
            try {
              query.accept(one);
            } catch (AssertionError e) { // of the test, which would not hear of it
              failure = e;
            }
          });
    }

    @Override
    public void ended(RunningRequest one) {
      ended++;
    }

    @Override
    public void acknowledged(RunningRequest one, Optional<OutcomeUnknownException> failure) {
      outcome = failure;
    }

    @Override
    public boolean refuse(Rejection why) {
      throw new AssertionError(why);
    }

    @Override
    public boolean abandon(RunningRequest one) {
      throw new AssertionError(one);
    }

    @Override
    public String client() {
      return "quick";
    }
  }

  private boolean run(Quick quick) {
    return run(runs, loop, new Client(new Owner("ada")), quick);
  }

  private static boolean run(QuickRuns runs, QuickRuns.Loop loop, Client client, Quick quick) {
    boolean isDone = runs.run(loop, client, quick);
    if (quick.failure != null) {
      throw quick.failure;
    }
    return isDone;
  }

  /** Runs it until it is done: on a busy machine a moment may be over before it has begun. */
  private int runToTheEnd(Quick quick) {
    for (int i = 1; i <= 1_000; i++) {
      if (run(quick)) {
        return i;
      }
    }
    throw new AssertionError("it is never done");
  }

  private static void spinUntilInterrupted(RunningRequest one) {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
    while (!Thread.currentThread().isInterrupted()) {
      assertTrue(System.nanoTime() < end, "it is not told to end");
      Thread.onSpinWait();
    }
    assertEquals(EndReason.MOMENT, one.reason());
    assertFalse(one.commits(), "it was told to end");
  }

  @Test
  void theCallingThreadRunsARequestToItsEnd() {
    Thread[] thread = new Thread[1];
    Quick quick =
        new Quick(
            one -> {
              thread[0] = Thread.currentThread();
              assertTrue(one.isQuick());
              assertEquals(one, RunningRequest.current().orElseThrow());
              boolean unused = one.commits();
            });
    int times = runToTheEnd(quick);
    assertEquals(Thread.currentThread(), thread[0]);
    assertEquals(times, quick.ended);
    assertEquals(1, runs.done());
    assertTrue(RunningRequest.current().isEmpty());
  }

  @Test
  void oneThatTakesTooLongIsToldToEndAndNoInterruptIsLeft() {
    for (int i = 0; i < 20; i++) { // the watch sleeps before some of them
      assertFalse(run(new Quick(QuickRunsTest::spinUntilInterrupted)));
      assertFalse(Thread.interrupted(), "an interrupt was left");
    }
    assertEquals(0, runs.done());
  }

  @Test
  void oneThatRunsWhenTheServerIsClosedIsToldToEnd() {
    Quick quick =
        new Quick(
            one -> {
              runs.close();
              spinUntilInterrupted(one);
            });
    assertFalse(run(quick));
  }

  @Test
  void oneThatHasCommittedIsNotInterrupted() {
    Quick quick =
        new Quick(
            one -> {
              if (!one.commits()) {
                return;
              }
              long end = System.nanoTime() + 10 * QuickRuns.MOMENT;
              while (System.nanoTime() < end) {
                assertFalse(Thread.currentThread().isInterrupted());
              }
            });
    assertTrue(runToTheEnd(quick) > 0);
    assertFalse(Thread.interrupted());
  }

  @Test
  void oneThatLeavesItToAWorkerIsNotDone() {
    Quick quick = new Quick(QuickRunsTest::leave);
    assertFalse(run(quick));
    assertFalse(Thread.interrupted(), "an interrupt was left");
    assertEquals(1, quick.ended);
  }

  @Test
  void oneWhoseCommitHasDoneNothingIsNotDone() {
    Quick quick =
        new Quick(
            one -> {
              if (one.commits()) {
                one.endsWithoutCommit();
                assertFalse(one.commits(), "it is left to a worker");
                assertFalse(one.hasCommitted());
              }
            });
    for (int i = 0; i < 20; i++) {
      assertFalse(run(quick));
      assertFalse(Thread.interrupted(), "an interrupt was left");
    }
    assertEquals(0, runs.done());
  }

  @Test
  void oneThatHasCommittedBeforeIsDoneWhateverBecomesOfItsNextCommit() {
    Quick quick =
        new Quick(
            one -> {
              if (one.beginsCommit()) {
                one.endsCommit();
                if (one.beginsCommit()) {
                  one.endsWithoutCommit();
                }
              }
            });
    assertTrue(runToTheEnd(quick) > 0);
  }

  @Test
  void noneMayWait() {
    assertFalse(Waiting.isForbidden());
    assertFalse(run(new Quick(one -> assertTrue(Waiting.isForbidden()))));
    assertFalse(Waiting.isForbidden());
    assertFalse(run(new Quick(QuickRunsTest::fail)));
    assertFalse(Waiting.isForbidden());
  }

  @Test
  void oneThatFailsIsNotDoneUnlessItHasCommitted() {
    assertFalse(run(new Quick(QuickRunsTest::fail)));
    Quick committed =
        new Quick(
            one -> {
              if (one.commits()) {
                fail(one);
              }
            });
    assertTrue(runToTheEnd(committed) > 0);
  }

  /** A request whose commit waits for the disk, with a store that says no more than that. */
  private static Quick unawaited(CommitListener[] told) {
    return new Quick(
        one -> {
          if (one.commits()) {
            told[0] = one.commitsWithoutWaiting().orElseThrow();
            assertFalse(one.isAnsweredLater());
            told[0].waits();
            assertTrue(one.isAnsweredLater());
          }
        });
  }

  private CommitListener runUnawaited(Quick[] run) {
    CommitListener[] told = new CommitListener[1];
    Quick quick = unawaited(told);
    runToTheEnd(quick);
    run[0] = quick;
    return told[0];
  }

  @Test
  void oneWhoseCommitWaitsForTheDiskIsAnsweredByATaskOfItsLoop() {
    Quick[] quick = new Quick[1];
    CommitListener told = runUnawaited(quick);
    assertEquals(1, waiting.size());
    assertTrue(tasks.isEmpty());
    long used = waiting.get(0).processorNanos();
    told.visible();
    assertNull(quick[0].outcome, "it is answered by the thread of the store");
    tasks.remove().run();
    assertEquals(Optional.empty(), quick[0].outcome);
    assertTrue(waiting.isEmpty());
    assertTrue(tasks.isEmpty());
    assertTrue(used > 0);
  }

  @Test
  void oneWhoseOutcomeIsNotKnownIsToldSo() {
    Quick[] quick = new Quick[1];
    OutcomeUnknownException why = new OutcomeUnknownException(7, new IOException("planned"));
    runUnawaited(quick).unknown(why);
    tasks.remove().run();
    assertEquals(Optional.of(why), quick[0].outcome);
    assertTrue(waiting.isEmpty());
  }

  @Test
  void oneWhoseCommitIsDurableAtOnceOrDoesNothingIsNotAnsweredLater() {
    Quick quick =
        new Quick(
            one -> {
              if (one.commits()) {
                assertTrue(one.commitsWithoutWaiting().isPresent());
              }
            });
    runToTheEnd(quick);
    assertTrue(waiting.isEmpty());
    assertTrue(
        new RunningRequest(new Client(new Owner("a")), quick, 0, 1)
            .commitsWithoutWaiting()
            .isEmpty());
  }

  @Test
  void oneThatIsAnsweredLaterCountsAsRunningUntilThen() throws InterruptedException {
    Client client = scheduler.connect("a");
    QuickRuns.Loop of = scheduler.quickRuns().loop(tasks::add);
    CommitListener[] told = new CommitListener[1];
    Quick quick = unawaited(told);
    while (!run(scheduler.quickRuns(), of, client, quick)) {
      assertTrue(scheduler.mayRunQuickly(client));
    }
    assertFalse(scheduler.mayRunQuickly(client), "a client may have one running here");
    assertTrue(scheduler.mayRunQuickly(scheduler.connect("a")));
    assertEquals(1, scheduler.figures().running());
    assertEquals(1, scheduler.queries(10, owner -> true).size());
    assertNull(scheduler.queries(10, owner -> true).get(0).thread());
    assertEquals(Optional.empty(), scheduler.kill(1, owner -> true), "it has committed");
    scheduler.finish();
    assertFalse(scheduler.awaitQuiet(System.nanoTime()));
    TestWork behind = submit(client, TestWork.named("behind"));
    assertFalse(behind.hasBegun());
    told[0].visible();
    tasks.remove().run();
    finish(behind.awaitBegun());
    assertEquals(0, scheduler.figures().running());
    assertTrue(scheduler.mayRunQuickly(client));
  }

  /** What one used that is over is not what its thread uses now. */
  @Test
  void theFiguresOfOneThatIsAnsweredLaterStay() {
    runUnawaited(new Quick[1]);
    RunningRequest one = waiting.get(0);
    long processor = one.processorNanos();
    OptionalLong allocated = one.allocatedBytes();
    byte[] more = new byte[1 << 20];
    assertEquals(1 << 20, more.length);
    assertEquals(processor, one.processorNanos());
    assertEquals(allocated, one.allocatedBytes());
  }

  @Test
  void oneThatReturnsWithoutAnAnswerIsNotDone() {
    assertFalse(run(new Quick(one -> assertTrue(one.isQuick()))));
    assertEquals(0, runs.done());
  }

  /** Something on the way may have taken the first interrupt. */
  @Test
  void oneThatLosesItsInterruptIsToldAgain() {
    Quick quick =
        new Quick(
            one -> {
              spinUntilInterrupted(one);
              assertTrue(Thread.interrupted());
              spinUntilInterrupted(one);
            });
    assertFalse(run(quick));
    assertFalse(Thread.interrupted(), "an interrupt was left");
  }

  private static void leave(RunningRequest one) {
    one.leaveToWorker();
    assertTrue(one.isLeftToWorker());
  }

  private static void fail(RunningRequest one) {
    throw new IllegalStateException("planned: " + one.owner());
  }

  @Test
  void aClientWithRequestsHasNoneRunQuickly() throws InterruptedException {
    Client client = scheduler.connect("a");
    assertTrue(scheduler.mayRunQuickly(client));
    TestWork runs = begin(client, "runs");
    assertFalse(scheduler.mayRunQuickly(client));
    assertTrue(scheduler.mayRunQuickly(scheduler.connect("a")));
    finish(runs);
    assertTrue(scheduler.mayRunQuickly(client));
    scheduler.block(client, true);
    assertFalse(scheduler.mayRunQuickly(client));
    scheduler.block(client, false);
    scheduler.disconnect(client);
    assertFalse(scheduler.mayRunQuickly(client));
  }

  @Test
  void anOwnerWithLimitsHasNoneRunQuickly() {
    Client client = scheduler.connect("a");
    scheduler.limit(client, new OwnerLimits(0, 1, 0));
    assertFalse(scheduler.mayRunQuickly(client));
  }

  @Test
  void noneOvertakesAnOwnerThatHasUsedLess() {
    Client greedy = scheduler.connect("greedy");
    begin(scheduler.connect("greedy"), "keeps the thread");
    scheduler.charge(greedy, TimeUnit.MILLISECONDS.toNanos(50));
    assertTrue(scheduler.mayRunQuickly(greedy), "no other waits");
    submit(scheduler.connect("modest"), TestWork.named("waits"));
    assertFalse(scheduler.mayRunQuickly(greedy));
  }

  @Test
  void noneBeginsWhenTheServerHasEnded() {
    Client client = scheduler.connect("a");
    scheduler.end();
    assertFalse(scheduler.mayRunQuickly(client));
  }
}
