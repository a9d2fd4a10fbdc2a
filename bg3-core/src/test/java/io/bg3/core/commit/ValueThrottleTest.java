package io.bg3.core.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ValueThrottleTest {
  private static final long ROOM = 1_000_000;
  private static final long MARGIN = ROOM / 4;
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;
  private static final int VALUE = 1_000;

  private final AtomicLong appended = new AtomicLong();
  private final ValueThrottle throttle = new ValueThrottle(appended::get);

  @BeforeEach
  void start() {
    throttle.start();
  }

  /** Appends as fast as it is let for a time, and says how much that was. */
  private long appendFor(long from, long nanos) {
    long before = appended.get();
    for (long now = from; now < from + nanos; ) {
      long delay = throttle.delay(now);
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
    assertEquals(0, throttle.delay(1));
    throttle.checkpointed(0, ROOM, SECOND);
    appended.set(10 * ROOM);
    assertFalse(throttle.isAhead());
    assertEquals(0, throttle.delay(2));
  }

  @Test
  void nobodyWaitsWhereNoThreadEmptiesExtents() {
    ValueThrottle idle = new ValueThrottle(appended::get);
    idle.checkpointed(2 * ROOM, ROOM, SECOND);
    appended.set(ROOM);
    assertFalse(idle.isAhead());
  }

  @Test
  void whatOneCheckpointMayAppendIsAppendedWithoutWaiting() {
    throttle.checkpointed(1, ROOM, SECOND);
    for (int i = 0; i < ROOM / VALUE; i++) {
      assertEquals(0, throttle.delay(i));
      appended.addAndGet(VALUE);
    }
    assertTrue(throttle.isAhead());
  }

  @Test
  void committersComeToTheEndEverMoreSlowlyAndNeverStop() {
    throttle.checkpointed(ROOM, ROOM, SECOND); // as much as may be appended is there already
    long first = appendFor(0, SECOND);
    assertTrue(first > MARGIN / 2, "in the first second: " + first);
    long second = appendFor(SECOND, SECOND);
    assertTrue(second > VALUE && second < first, "in the second second: " + second);
    appended.set(2 * ROOM); // far behind the end
    for (int i = 2; i < 100; i++) { // the first waits for what was set, half a second at most
      long more = appendFor(i * SECOND, SECOND);
      assertTrue(more >= VALUE && more < MARGIN, "in second " + i + ": " + more);
    }
  }

  @Test
  void aCheckpointThatHasFreedTheSpaceEndsTheWait() {
    throttle.checkpointed(2 * ROOM, ROOM, SECOND);
    appendFor(0, SECOND);
    appended.addAndGet(ROOM);
    assertTrue(throttle.delay(SECOND) > 0);
    throttle.checkpointed(0, ROOM, SECOND);
    assertEquals(0, throttle.delay(SECOND));
  }

  @Test
  void aThreadThatIsQuickAtEmptyingSlowsCommittersLess() {
    throttle.checkpointed(ROOM, ROOM, 10 * SECOND);
    long slow = appendFor(0, 100 * MILLI);
    throttle.checkpointed(ROOM, ROOM, SECOND / 10);
    long quick = appendFor(SECOND, 100 * MILLI);
    assertTrue(quick > 5 * slow, "quick=" + quick + ", slow=" + slow);
  }
}
