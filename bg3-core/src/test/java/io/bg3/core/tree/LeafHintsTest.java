package io.bg3.core.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.storage.memory.MemoryBudget;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A table of hints is asked about owners that it was told of, and about others. */
class LeafHintsTest {
  @Test
  void anOwnerIsFoundWhereItWasNotedLastOrNotAtAll() {
    LeafHints hints = new LeafHints(new MemoryBudget(1 << 20, "test"));
    Map<Long, Integer> noted = new HashMap<>();
    Random random = new Random(5);
    int found = 0;
    for (int i = 1; i < 20_000; i++) {
      long owner = random.nextInt(400) - 200L + (random.nextInt(3) == 0 ? 1L << 40 : 0);
      hints.put(owner, i, 64L * i);
      noted.put(owner, i);
      long other = random.nextInt(400) - 200L;
      int page = hints.page(other);
      assertTrue(page == 0 || page == noted.get(other), "owner=" + other + ", page=" + page);
      found += page == 0 ? 0 : 1;
      assertEquals(i, hints.page(owner));
      assertEquals(64L * i, hints.lines(owner));
    }
    assertTrue(found > 0);
  }

  @Test
  void itTakesASmallPartOfTheBudgetAndIsChargedToIt() {
    MemoryBudget budget = new MemoryBudget(256 << 20, "test");
    new LeafHints(budget).put(1, 2, 3);
    assertTrue(budget.used() > 0 && budget.used() <= (256 << 20) / 128, budget.toString());
  }
}
