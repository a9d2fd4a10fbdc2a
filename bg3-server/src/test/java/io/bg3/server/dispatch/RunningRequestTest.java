package io.bg3.server.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Which comes first, the commit of a request or the order to end it. */
class RunningRequestTest extends SchedulerFixture {
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
}
