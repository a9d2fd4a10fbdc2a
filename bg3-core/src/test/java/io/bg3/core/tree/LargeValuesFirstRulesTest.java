package io.bg3.core.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.value.LargeValueCache;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Twin;
import java.nio.ByteBuffer;

/** Large values in memory beside leaves. */
class LargeValuesFirstRulesTest {
  private static final int VALUES = 6_000;

  private static void keepValues(TreeHarness harness) {
    LargeValueCache cache = harness.space.largeValues();
    for (int i = 1; i <= VALUES; i++) {
      byte[] key = ByteBuffer.allocate(Long.BYTES).putLong(i).array();
      cache.keepRead(i, 1, key, new byte[1_000 + i % 2_000]);
    }
    assertTrue(cache.count() > VALUES / 2, "values: " + cache.count());
  }

  @RuleTest(
      rule = 61,
      twins =
          @Twin(
              name = "leaves are evicted while there are large values",
              in = "io.bg3.core.tree.PageEvictor",
              method = "giveBack",
              without = "LargeValueCache.giveBack"))
  void valuesGoBeforeLeaves() throws Exception {
    try (StoredTree stored = StoredTree.filled(500)) {
      TreeHarness harness = stored.harness;
      keepValues(harness);
      PageEvictor evictor = new PageEvictor(harness.space);
      LargeValueCache cache = harness.space.largeValues();
      long taken = harness.budget.limit() - harness.budget.used();
      harness.budget.reserve(taken); // by others
      long before = cache.bytes();
      evictor.relieve(cache.bytes() / 3);
      assertEquals(0, evictor.evictions(), "leaves that were evicted");
      assertTrue(cache.bytes() < before, "no value was given back");
      evictor.relieve(harness.budget.limit() / 2);
      assertEquals(0, cache.bytes());
      assertTrue(evictor.evictions() > 0, "no leaf was evicted");
      harness.budget.release(taken);
    }
  }

  @RuleTest(
      rule = 61,
      twins =
          @Twin(
              name = "values stay in spans that are being vacated",
              in = "io.bg3.core.tree.PageEvictor",
              method = "moveOut",
              without = "LargeValueCache.leave"))
  void valuesLeaveSpansThatAreVacated() throws Exception {
    try (StoredTree stored = StoredTree.filled(50)) {
      TreeHarness harness = stored.harness;
      keepValues(harness);
      LargeValueCache cache = harness.space.largeValues();
      cache.giveBack(cache.bytes() / 2); // no span is full any more
      harness.epochs.reclaim();
      long before = harness.memory.occupied();
      stored.move();
      harness.epochs.reclaim();
      assertTrue(
          harness.memory.occupied() < before / 2,
          before + " bytes before, " + harness.memory.occupied() + " behind");
    }
  }
}
