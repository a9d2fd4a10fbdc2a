package io.bg3.server.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Asks for lines at times that the test sets. */
class LineLimitTest {
  private long now;
  private final LineLimit limit = new LineLimit(() -> now);

  @Test
  void aFewLinesOfAKeyAreWrittenAndTheOthersCounted() {
    for (int i = 0; i < 5; i++) {
      assertTrue(limit.admits("a"));
    }
    for (int i = 0; i < 20; i++) {
      assertFalse(limit.admits("a"));
    }
    assertTrue(limit.admits("b"));
    assertEquals(List.of(), limit.ended());
    pass(10);
    assertEquals(List.of(new LineLimit.Suppressed("a", 20)), limit.ended());
    assertEquals(List.of(), limit.ended());
    assertTrue(limit.admits("a"));
  }

  @Test
  void thereIsALimitForAllKeysTogether() {
    int written = 0;
    for (int key = 0; key < 500; key++) {
      written += limit.admits("key" + key) ? 1 : 0;
    }
    assertEquals(100, written);
  }

  @Test
  void keysWithoutNumberTakeNoMemory() {
    for (int key = 0; key < 100_000; key++) {
      limit.admits("key" + key);
    }
    List<LineLimit.Suppressed> counts = limit.end();
    assertTrue(counts.size() <= 1_001, counts.size() + " keys");
    assertEquals(100_000 - 100, counts.stream().mapToLong(LineLimit.Suppressed::count).sum());
    assertEquals(LineLimit.OTHERS, counts.get(counts.size() - 1).key());
  }

  @Test
  void countsThatNobodyAsksForAreNotKeptForEver() {
    for (int window = 0; window < 10_000; window++) {
      for (int line = 0; line < 6; line++) {
        limit.admits("a");
      }
      pass(10);
    }
    assertTrue(limit.ended().size() < 2_000);
  }

  private void pass(long seconds) {
    now += TimeUnit.SECONDS.toNanos(seconds);
  }
}
