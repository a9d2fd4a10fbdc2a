package io.bg3.core.commit;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Syncs of a clock that the test moves. */
class SyncTimesTest {
  private static final long LONG = TimeUnit.MILLISECONDS.toNanos(10);

  private long now = Long.MAX_VALUE - LONG; // it runs over, as that of the system may
  private final SyncTimes times = new SyncTimes(() -> now);

  private void sync(long nanos) {
    long begin = times.begin();
    now += nanos;
    times.end(begin);
  }

  @Test
  void noneIsShortBeforeTheFirst() {
    assertFalse(times.areShort());
    sync(SyncTimes.SHORT);
    assertTrue(times.areShort());
    sync(SyncTimes.SHORT + 1);
    assertFalse(times.areShort());
  }

  @Test
  void aLongOneCountsForManyTimesAsLong() {
    sync(1);
    sync(LONG);
    now += LONG * (SyncTimes.SHARE - 1);
    sync(1);
    assertFalse(times.areShort());
    now += LONG;
    assertTrue(times.areShort());
  }

  @Test
  void noneIsShortWhereTheLastOneWasLongHoweverLongAgo() {
    sync(LONG);
    now += 2 * LONG * SyncTimes.SHARE;
    assertFalse(times.areShort());
  }
}
