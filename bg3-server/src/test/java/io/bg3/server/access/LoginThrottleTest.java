package io.bg3.server.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Fails on a clock that stands still unless it is moved. */
class LoginThrottleTest {
  private final AtomicLong nanos = new AtomicLong();
  private final LoginThrottle throttle = new LoginThrottle(nanos::get);
  private final LoginKey ada = key("10.0.0.1", "ada");

  @Test
  void thePauseGrowsToTenSeconds() {
    List<Long> pauses = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      pauses.add(throttle.failed(ada));
    }
    assertEquals(
        List.of(0L, 0L, 0L, 1_000L, 2_000L, 4_000L, 8_000L, 10_000L, 10_000L, 10_000L), pauses);
    assertEquals(0, throttle.failed(key("10.0.0.2", "ada")), "from elsewhere");
    assertEquals(0, throttle.failed(key("10.0.0.1", "bob")), "another name");
  }

  @Test
  void guessesAtManyNamesArePausedToo() {
    for (int i = 0; i < 20; i++) {
      assertEquals(0, throttle.failed(key("10.0.0.1", "name" + i)));
    }
    assertEquals(1_000, throttle.failed(key("10.0.0.1", "another")));
    assertEquals(0, throttle.failed(key("10.0.0.2", "another")));
  }

  @Test
  void failuresAreForgottenTenMinutesAfterTheLast() {
    for (int i = 0; i < 10; i++) {
      throttle.failed(ada);
    }
    assertFalse(throttle.isClean(ada));
    nanos.addAndGet(TimeUnit.MINUTES.toNanos(10));
    assertTrue(throttle.isClean(ada));
    assertEquals(0, throttle.failed(ada));
  }

  @Test
  void manyFailuresOfAnAddressCountAgainstAllItsNames() {
    for (int i = 0; i < 20; i++) {
      throttle.failed(key("10.0.0.1", "name" + i));
    }
    assertTrue(throttle.isClean(ada));
    throttle.failed(key("10.0.0.1", "another"));
    assertFalse(throttle.isClean(ada));
    assertTrue(throttle.isClean(key("10.0.0.2", "ada")));
  }

  private static LoginKey key(String address, String name) {
    return new LoginKey("10.0.0.0/24", address, name);
  }
}
