package io.bg3.core.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ValuePaceTest {
  private static final long ROOM = 1_000_000;
  private static final long SLOW = ROOM / 2;
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;
  private static final int VALUE = 1_000;

  private final AtomicLong appended = new AtomicLong();
  private final ValuePace pace = new ValuePace(appended::get);

  @BeforeEach
  void start() {
    pace.start();
  }

  /** Appends as fast as it is let for a time, and says how much that was. */
  private long appendFor(long from, long nanos) {
    long before = appended.get();
    for (long now = from; now < from + nanos; ) {
      long delay = pace.delay(now);
      if (delay == 0) {
        appended.addAndGet(VALUE);
        now += 10_000;
      } else {
        now += delay;
      }
    }
    return appended.get() - before;
  }

  @Test
  void nobodyWaitsWhereValuesTakeNoMoreSpaceThanTheyMay() {
    assertEquals(0, pace.delay(1));
    pace.checkpointed(0, ROOM, SECOND);
    appended.set(10 * ROOM);
    assertFalse(pace.isAhead());
    assertEquals(0, pace.delay(2));
  }

  @Test
  void nobodyWaitsWhereNoThreadEmptiesExtents() {
    ValuePace idle = new ValuePace(appended::get);
    idle.checkpointed(2 * ROOM, ROOM, SECOND);
    appended.set(ROOM);
    assertFalse(idle.isAhead());
  }

  @Test
  void halfOfWhatOneCheckpointMayAppendIsAppendedWithoutWaiting() {
    pace.checkpointed(1, ROOM, SECOND);
    for (int i = 0; i < SLOW / VALUE; i++) {
      assertEquals(0, pace.delay(i));
      appended.addAndGet(VALUE);
    }
    assertTrue(pace.isAhead());
  }

  @Test
  void committersComeToTheEndEverMoreSlowlyAndNeverStop() {
    pace.checkpointed(SLOW, ROOM, SECOND); // so committers slow down at once
    long first = appendFor(0, SECOND);
    assertTrue(first > SLOW / 2 && first < SLOW, "in the first second: " + first);
    long second = appendFor(SECOND, SECOND);
    assertTrue(second > VALUE && second < first, "in the second second: " + second);
    assertTrue(appended.get() <= SLOW + VALUE, "beyond the end: " + appended);
    appended.set(2 * ROOM); // far behind the end
    for (int i = 2; i < 100; i++) { // the first waits for what was set, half a second at most
      long more = appendFor(i * SECOND, SECOND);
      assertTrue(more >= VALUE && more < SLOW / 2, "in second " + i + ": " + more);
    }
  }

  @Test
  void aCheckpointThatHasFreedTheSpaceEndsTheWait() {
    pace.checkpointed(2 * ROOM, ROOM, SECOND);
    appendFor(0, SECOND);
    appended.addAndGet(ROOM);
    assertTrue(pace.delay(SECOND) > 0);
    pace.checkpointed(0, ROOM, SECOND);
    assertEquals(0, pace.delay(SECOND));
  }

  @Test
  void aThreadThatIsQuickAtEmptyingSlowsCommittersLess() {
    pace.checkpointed(SLOW, ROOM, 10 * SECOND);
    long slow = appendFor(0, 100 * MILLI);
    pace.checkpointed(SLOW, ROOM, SECOND / 10);
    long quick = appendFor(SECOND, 100 * MILLI);
    assertTrue(quick > 5 * slow, "quick=" + quick + ", slow=" + slow);
  }
}
