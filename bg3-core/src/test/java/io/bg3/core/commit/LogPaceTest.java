package io.bg3.core.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LogPaceTest {
  private static final long LIMIT = 1_000_000;
  private static final long STOP = 1_800_000;
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;
  private static final int COMMIT = 1_000;

  private final AtomicLong end = new AtomicLong();
  private final LogPace pace = new LogPace(end::get);

  private void limit() {
    pace.limit(0, LIMIT, STOP);
  }

  /** A checkpoint took some time, and the next one begins now, with the log at its limit. */
  private void oneBeginsBehindOneOf(long nanos, long now) {
    pace.checkpointBegins(0);
    pace.checkpointEnds(0, nanos);
    end.set(LIMIT);
    pace.checkpointBegins(now);
  }

  /** Commits as fast as it is let for a time, and says how far the log is then. */
  private long commitFor(long from, long nanos) {
    for (long now = from; now < from + nanos; ) {
      long delay = pace.delay(now);
      if (delay == 0) {
        end.addAndGet(COMMIT);
        now += 1_000;
      } else {
        now += delay;
      }
    }
    return end.get();
  }

  @Test
  void nobodyWaitsWithoutALimitOrBelowIt() {
    end.set(Long.MAX_VALUE / 2);
    assertEquals(0, pace.delay(1));
    end.set(LIMIT - 1);
    limit();
    for (int i = 0; i < 1_000; i++) {
      assertEquals(0, pace.delay(i));
    }
    assertFalse(pace.isAhead());
  }

  @Test
  void limitsAscend() {
    assertThrows(IllegalArgumentException.class, () -> pace.limit(0, 10, 10));
    assertThrows(IllegalArgumentException.class, () -> pace.limit(0, 0, 10));
  }

  @Test
  void aLongCheckpointIsReachedByEverSlowerCommitsAndNeverPassed() {
    limit();
    end.set(LIMIT);
    pace.checkpointBegins(0);
    long before = LIMIT;
    long grown = Long.MAX_VALUE;
    for (int i = 1; i <= 6; i++) {
      long after = commitFor(i * SECOND, SECOND);
      assertTrue(after > before, "nothing was let through in second " + i);
      assertTrue(after - before <= grown, "more in second " + i + " than in the one before");
      assertTrue(after <= STOP + COMMIT, "end=" + after);
      grown = after - before;
      before = after;
    }
    assertTrue(before > (LIMIT + STOP) / 2, "end=" + before);
  }

  /** Neither the processor nor the log idles in a part of a checkpoint. */
  @Test
  void theRoomIsSharedEvenlyOverACheckpointThatTakesLongerThanTheLast() {
    limit();
    oneBeginsBehindOneOf(4 * SECOND, 10 * SECOND);
    List<Long> grown = new ArrayList<>();
    for (int second = 0; second < 14; second++) { // pages for 14 seconds, the rest for two
      long before = end.get();
      for (int part = 0; part < 10; part++) {
        pace.checkpointWrote(10 * second + part, 140);
        commitFor(10 * SECOND + (10 * second + part) * (SECOND / 10), SECOND / 10);
      }
      grown.add(end.get() - before);
    }
    long mean = (STOP - LIMIT) / 16;
    assertTrue(Collections.min(grown) > mean / 3, "too little in a second: " + grown);
    assertTrue(Collections.max(grown) < 4 * mean, "too much in a second: " + grown);
    commitFor(24 * SECOND, 2 * SECOND);
    assertTrue(end.get() < STOP, "end=" + end);
    assertTrue(end.get() > STOP - (STOP - LIMIT) / 8, "end=" + end);
  }

  @Test
  void whoCommitsLittleDuringACheckpointDoesNotWait() {
    limit();
    oneBeginsBehindOneOf(SECOND, 2 * SECOND);
    for (long i = 0; i < 1_000; i++) { // half of the room in a second
      assertEquals(0, pace.delay(2_000 * MILLI + i * MILLI), "commit " + i);
      end.addAndGet((STOP - LIMIT) / 2 / 1_000);
    }
  }

  @Test
  void atTheStopAllWaitUntilACheckpointHasFreedTheLog() {
    limit();
    end.set(STOP);
    pace.checkpointBegins(0);
    for (int i = 1; i < 100; i++) {
      assertTrue(pace.delay(i * SECOND) > 0, "second " + i);
    }
    pace.checkpointEnds(LIMIT, 100_000 * MILLI);
    assertEquals(0, pace.delay(100_000 * MILLI));
    long after = commitFor(100_000 * MILLI, 100 * 1_000);
    assertEquals(STOP + 100 * COMMIT, after, "full speed");
  }

  @Test
  void whoDoesNothingForAWhileHasNoClaimOnALotAtOnce() {
    limit();
    oneBeginsBehindOneOf(SECOND, SECOND);
    assertEquals(0, pace.delay(1_000 * MILLI));
    assertEquals(0, pace.delay(1_900 * MILLI));
    end.addAndGet((STOP - LIMIT) / 2);
    assertTrue(pace.delay(1_900 * MILLI) > 100 * MILLI);
  }

  /** A checkpoint that waits for the sake of commits must not be what makes them wait. */
  @Test
  void aCheckpointThatPausesSlowsNobody() {
    limit();
    pace.checkpointBegins(0);
    pace.checkpointPauses(20 * MILLI);
    pace.checkpointGoesOn(60 * SECOND);
    pace.checkpointEnds(0, 60 * SECOND + 30 * MILLI); // has worked for 50 ms
    end.set(LIMIT);
    long grown = commitFor(61 * SECOND, 25 * MILLI) - LIMIT;
    end.set(LIMIT);
    pace.checkpointBegins(70 * SECOND);
    pace.checkpointPauses(70 * SECOND + 20 * MILLI);
    long now = 100 * SECOND;
    pace.delay(now);
    long inAPause = commitFor(now, 25 * MILLI) - LIMIT;
    assertTrue(grown > (STOP - LIMIT) / 2, "grown behind a checkpoint with a pause: " + grown);
    assertTrue(inAPause > (STOP - LIMIT) / 2, "grown in a pause: " + inAPause);
  }
}
