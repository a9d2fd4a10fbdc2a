package io.bg3.server.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Moves requests between places at random, and compares the places with a count of the requests. A
 * failure prints its seed; {@code -Dbg3.seed=…} repeats it.
 */
class PlacesTest {
  private static final SchedulerLimits LIMITS = new SchedulerLimits(3, 4, 8, 10, 1 << 20, 1_000);

  private final FairQueue queue = new FairQueue(2, 50, 1_000);
  private final Places places = new Places(LIMITS, queue);
  private final List<RunningRequest> running = new ArrayList<>();
  private final ExecutorService worker = Executors.newSingleThreadExecutor();

  @AfterEach
  void end() {
    worker.shutdownNow();
  }

  static LongStream seeds() {
    return Seeds.of(20);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void agreeWithACountOfTheRequests(long seed) throws Exception {
    Random random = new Random(seed);
    List<Client> clients = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      clients.add(new Client(new Owner("owner" + i)));
    }
    for (int step = 0; step < 2_000; step++) {
      if (places.hasShort() && random.nextInt(3) > 0) {
        begin(clients.get(random.nextInt(clients.size())));
      } else if (!running.isEmpty()) {
        change(running.get(random.nextInt(running.size())), random.nextInt(3));
      }
      check("-Dbg3.seed=" + seed + ", step " + step);
    }
  }

  private RunningRequest begin(Client client) throws Exception {
    RunningRequest one = new RunningRequest(client, TestWork.named("runs").letGo(), 0, 1_000);
    worker.submit(() -> one.run(() -> {})).get(); // it has a thread, which gets a low priority
    places.take(one);
    running.add(one);
    return one;
  }

  private void change(RunningRequest one, int what) {
    if (what == 0) {
      places.release(one);
      running.remove(one);
    } else if (what == 1 && one.place == RunningRequest.Place.SHORT && places.hasLong()) {
      places.move(one, RunningRequest.Place.LONG);
    } else if (one.place != RunningRequest.Place.LENT && places.mayGiveUp(one)) {
      places.giveUp(one);
    }
  }

  private long count(RunningRequest.Place place) {
    return running.stream().filter(one -> one.place == place).count();
  }

  private void check(String at) {
    assertEquals(count(RunningRequest.Place.SHORT) < LIMITS.threads(), places.hasShort(), at);
    assertEquals(count(RunningRequest.Place.LONG), places.longs(), at);
    assertEquals(places.longs() < LIMITS.longQueries(), places.hasLong(), at);
    assertEquals(count(RunningRequest.Place.LENT) < LIMITS.stuck(), places.mayLend(), at);
    for (RunningRequest one : running) {
      Owner owner = one.client.owner;
      long lent =
          running.stream()
              .filter(other -> other.client.owner == owner)
              .filter(other -> other.place == RunningRequest.Place.LENT)
              .count();
      assertEquals(lent, owner.lent, at);
      assertEquals(lent >= LIMITS.stuckShare(), owner.isHeld, at);
    }
  }

  /** D6. */
  @Test
  void oneOwnerNeverHasTheLastQuarterLent() throws Exception {
    Client hostile = new Client(new Owner("hostile"));
    int lent = 0;
    while (places.mayGiveUp(begin(hostile))) {
      places.giveUp(running.get(running.size() - 1));
      lent++;
    }
    assertEquals(LIMITS.stuck() - LIMITS.stuckShare(), lent);
    assertTrue(places.mayGiveUp(begin(new Client(new Owner("honest")))));
  }

  @Test
  void aSessionTakesNoPlaceOfAWorker() {
    RunningRequest one =
        new RunningRequest(new Client(new Owner("ada")), TestWork.named("session"), 0, 1_000);
    one.enter();
    places.move(one, RunningRequest.Place.LONG);
    assertEquals(1, places.longs());
    places.giveUp(one);
    one.leave();
    assertEquals(RunningRequest.Place.OWN, one.place);
    assertEquals(0, places.longs());
    assertFalse(one.hasLowPriority());
  }
}
