package io.bg3.core.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.testing.Seeds;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares lock sets with sorted maps from stripe to mode. */
class LockSetTest {
  static java.util.stream.LongStream seeds() {
    return Seeds.of(50);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void holdsEachStripeOnceInTheStrongerMode(long seed) {
    Random random = new Random(seed);
    Map<Integer, Boolean> a = model(random);
    Map<Integer, Boolean> b = model(random);
    LockSet footprintA = lockSet(a, random);
    LockSet footprintB = lockSet(b, random);
    assertSame(a, footprintA, seed);
    boolean covers =
        b.entrySet().stream()
            .allMatch(e -> a.containsKey(e.getKey()) && (a.get(e.getKey()) || !e.getValue()));
    assertEquals(covers, footprintA.covers(footprintB), Seeds.say(seed));
    TreeMap<Integer, Boolean> union = new TreeMap<>(a);
    b.forEach((stripe, exclusive) -> union.merge(stripe, exclusive, Boolean::logicalOr));
    LockSet joined = footprintA.union(footprintB);
    assertSame(union, joined, seed);
    assertTrue(joined.covers(footprintA) && joined.covers(footprintB), Seeds.say(seed));
  }

  private static Map<Integer, Boolean> model(Random random) {
    TreeMap<Integer, Boolean> model = new TreeMap<>();
    for (int i = random.nextInt(12); i > 0; i--) {
      model.put(random.nextInt(8), random.nextBoolean());
    }
    return model;
  }

  private static LockSet lockSet(Map<Integer, Boolean> model, Random random) {
    LockSet lockSet = new LockSet();
    for (int round = 0; round < 2; round++) {
      for (Map.Entry<Integer, Boolean> entry : model.entrySet()) {
        lockSet.add(entry.getKey(), entry.getValue() && (round == 1 || random.nextBoolean()));
      }
    }
    return lockSet.seal();
  }

  private static void assertSame(Map<Integer, Boolean> model, LockSet lockSet, long seed) {
    assertEquals(model.size(), lockSet.count(), Seeds.say(seed));
    int i = 0;
    for (Map.Entry<Integer, Boolean> entry : model.entrySet()) {
      assertEquals(entry.getKey(), lockSet.stripe(i), Seeds.say(seed));
      assertEquals(entry.getValue(), lockSet.isExclusive(i++), Seeds.say(seed));
    }
  }

  @Test
  void moreThanAThousandSharedStripesAreTheWholeGate() {
    LockSet lockSet = new LockSet();
    for (int stripe = 0; stripe <= LockSet.MOST_SHARED; stripe++) {
      assertFalse(lockSet.isGate());
      lockSet.add(stripe, false);
    }
    assertTrue(lockSet.seal().isGate());
  }
}
