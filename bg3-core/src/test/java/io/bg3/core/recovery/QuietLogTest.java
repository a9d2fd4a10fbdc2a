package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class QuietLogTest {
  private final AtomicLong end = new AtomicLong(77);
  private final AtomicLong clock = new AtomicLong(-5);
  private final QuietLog log = new QuietLog(end::get, clock::get);

  @Test
  void aStoreRestsWhenItsLogHasNotGrownForSomeTime() {
    assertFalse(log.isQuiet());
    clock.addAndGet(QuietLog.QUIET_NANOS - 1);
    assertFalse(log.isQuiet());
    clock.addAndGet(1);
    assertTrue(log.isQuiet());
  }

  @Test
  void aFewCommitsDoNotWakeItAndManyDo() {
    clock.addAndGet(QuietLog.QUIET_NANOS);
    end.addAndGet(QuietLog.LITTLE);
    assertTrue(log.isQuiet());
    end.addAndGet(1);
    assertFalse(log.isQuiet());
    clock.addAndGet(QuietLog.QUIET_NANOS);
    assertTrue(log.isQuiet());
  }
}
