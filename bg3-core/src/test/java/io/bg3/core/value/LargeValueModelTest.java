package io.bg3.core.value;

import static io.bg3.core.value.CacheFixture.value;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Several threads read, keep, give back and move out values of random sizes, beside one that takes
 * and releases memory as pages do. A location tells its value, so each answer is either none or the
 * right one. At the end nothing is left of the memory. A failure prints its seed; repeat it with
 * {@code -Dbg3.seed=…}. The audit of blocks is on.
 */
class LargeValueModelTest {
  private static final int THREADS = 3;
  private static final int STEPS = 20_000;

  static LongStream seeds() {
    return Seeds.of(4);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void eachAnswerIsNoneOrTheRightOne(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    String at = Seeds.say(seed);
    long bytes = (16L << 20) << random.nextInt(3); // smaller ones have a span for few sizes only
    int locations = 200 << random.nextInt(6);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try (CacheFixture fixture = new CacheFixture(bytes)) {
      List<Future<?>> ends = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        SplittableRandom own = random.split();
        ends.add(threads.submit(() -> run(fixture, own, locations, at)));
      }
      for (Future<?> end : ends) {
        end.get();
      }
      assertTrue(fixture.cache.hits() > 0, at);
      fixture.cache.giveBack(Long.MAX_VALUE);
      fixture.epochs.reclaim();
      assertEquals(0, fixture.cache.count(), at);
      assertEquals(0, fixture.cache.bytes(), at);
      assertEquals(0, fixture.memory.used(), at);
      assertEquals(0, fixture.budget.used(), at);
    } finally {
      threads.shutdownNow();
    }
  }

  private static void run(CacheFixture fixture, SplittableRandom random, int all, String at) {
    long pages = 0;
    long limit = fixture.budget.limit();
    for (int step = 0; step < STEPS; step++) {
      long location = 1L + Math.min(random.nextInt(all), random.nextInt(all));
      switch (random.nextInt(64)) {
        case 0 -> fixture.cache.giveBack(random.nextLong(limit / 4));
        case 1 -> {
          fixture.memory.vacateAll();
          fixture.cache.leave();
          fixture.memory.vacate(0);
        }
        case 2 -> {
          fixture.budget.release(pages);
          pages = random.nextLong(limit / THREADS);
          fixture.budget.reserve(pages);
        }
        case 3 ->
            fixture.cache.keepWritten(
                location, CacheFixture.SPACE, CacheFixture.key(location), valueOf(location));
        default -> {
          byte[] found = fixture.get(location);
          if (found != null) {
            assertArrayEquals(valueOf(location), found, at);
          } else {
            fixture.keep(location, lengthOf(location));
          }
        }
      }
    }
    fixture.budget.release(pages);
  }

  private static int lengthOf(long location) {
    return 65 + (int) ((location * 2_654_435_761L) >>> 16 & (location % 50 == 0 ? 0xFFFF : 0xFFF));
  }

  private static byte[] valueOf(long location) {
    return value(location, lengthOf(location));
  }
}
