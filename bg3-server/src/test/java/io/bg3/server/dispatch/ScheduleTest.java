package io.bg3.server.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Looks at what waits and runs without a thread that runs it. */
class ScheduleTest {
  private static final SchedulerLimits LIMITS = new SchedulerLimits(1, 1, 1, 10, 1 << 20, 1_000);

  private final List<Client> mended = new ArrayList<>();
  private final Refusals refusals = new Refusals(mended::add);
  private boolean isMemoryOut;
  private final Workers workers = new Workers(1, this::worker);
  private final Schedule schedule = new Schedule(LIMITS, Clock.SYSTEM, workers, refusals);

  private Worker worker(String name) {
    if (isMemoryOut) {
      throw new OutOfMemoryError("of the test");
    }
    return new Worker(null, name, 0);
  }

  private RunningRequest begun() {
    List<Worker> unborn = workers.takeUnborn();
    assertEquals(1, unborn.size());
    return unborn.get(0).given();
  }

  /** Its place would be taken for ever. */
  @Test
  void aRequestWaitsOnIfNoWorkerCanBeMadeForIt() {
    Client client = schedule.connect("ada");
    isMemoryOut = true;
    assertThrows(OutOfMemoryError.class, () -> schedule.submit(client, TestWork.named("waits on")));
    assertEquals(1, schedule.figures().waiting());
    assertEquals(0, schedule.figures().running());
    isMemoryOut = false;
    schedule.dispatch();
    RunningRequest begun = begun();
    assertEquals(1, schedule.figures().running());
    schedule.ended(begun);
    assertEquals(Optional.empty(), schedule.submit(client, TestWork.named("next")));
    assertEquals("next", begun().scheduled().client());
  }

  @Test
  void aRequestWhoseWorkerCannotBeStartedIsRefusedAndGivesItsPlaceBack() {
    Client client = schedule.connect("ada");
    TestWork work = TestWork.named("has no thread");
    assertEquals(Optional.empty(), schedule.submit(client, work));
    schedule.refuseUnborn(begun());
    assertEquals(0, schedule.figures().running());
    List<Refusals.Refused> refused = refusals.take();
    assertEquals(List.of(new Refusals.Refused(client, work, Rejection.NO_THREAD)), refused);
    assertEquals(Optional.empty(), schedule.submit(client, TestWork.named("behind it")));
    assertEquals(1, schedule.figures().waiting(), "until the refused one is answered");
    refused.forEach(refusals::answer);
    assertEquals(List.of("refused NO_THREAD"), work.events);
    assertEquals(List.of(client), mended);
    schedule.mend(client);
    assertEquals("behind it", begun().scheduled().client());
  }

  @Test
  void whatHasEndedIsGivenBackOnce() {
    Client client = schedule.connect("ada");
    assertEquals(Optional.empty(), schedule.submit(client, TestWork.named("ends")));
    RunningRequest begun = begun();
    schedule.ended(begun);
    schedule.ended(begun);
    assertEquals(Optional.empty(), schedule.submit(client, TestWork.named("next")));
    assertEquals(Optional.empty(), schedule.submit(client, TestWork.named("behind")));
    assertEquals(1, schedule.figures().running());
    assertEquals(1, schedule.figures().waiting());
  }

  @Test
  void onlyWhatCameBeforeTheStopIsWaitedFor() {
    Client client = schedule.connect("ada");
    assertEquals(Optional.empty(), schedule.submit(client, TestWork.named("before")));
    schedule.finish();
    assertEquals(Optional.empty(), schedule.submit(client, TestWork.named("late")));
    assertEquals(false, schedule.isQuiet());
    schedule.ended(begun());
    assertEquals(true, schedule.isQuiet());
  }
}
