package io.bg3.server.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Looks at workers whose threads are never started. */
class WorkersTest {
  private final Workers workers = new Workers(1, name -> new Worker(null, name, 0));
  private final Client client = new Client(new Owner("ada"));

  private RunningRequest request() {
    return new RunningRequest(client, TestWork.named("runs"), 0, 1_000);
  }

  private void give(RunningRequest one) {
    workers.prepare();
    workers.give(one);
  }

  private Worker unborn() {
    List<Worker> unborn = workers.takeUnborn();
    assertEquals(1, unborn.size());
    return unborn.get(0);
  }

  @Test
  void aWorkerIsMadeIfNoneIsIdle() {
    RunningRequest one = request();
    give(one);
    assertTrue(workers.hasUnborn());
    assertEquals(List.of(), workers.takeWoken());
    assertSame(one, unborn().given());
    assertFalse(workers.hasUnborn());
  }

  @Test
  void theWorkerThatWorkedLastIsGivenTheNext() {
    Worker first = new Worker(null, "first", 0);
    Worker last = new Worker(null, "last", 0);
    workers.rest(first);
    workers.rest(last);
    RunningRequest one = request();
    give(one);
    assertEquals(List.of(last), workers.takeWoken());
    assertSame(one, last.given());
    assertEquals(List.of(), workers.takeWoken());
    assertFalse(workers.hasUnborn());
  }

  /** T1: it would end with the request. */
  @Test
  void aWorkerThatWasGivenARequestDoesNotEnd() {
    Worker worker = new Worker(null, "worker", 0);
    workers.rest(worker);
    give(request());
    workers.close();
    assertFalse(workers.leaves(worker));
  }

  @Test
  void idleWorkersEndThatAreTooMany() {
    Worker first = new Worker(null, "first", 0);
    Worker second = new Worker(null, "second", 0);
    workers.rest(first);
    workers.rest(second);
    assertTrue(workers.leaves(first));
    assertFalse(workers.leaves(second));
    workers.close();
    assertTrue(workers.leaves(second));
    workers.rest(second);
    give(request());
    assertEquals(List.of(), workers.takeWoken(), "none was idle after the end");
  }
}
