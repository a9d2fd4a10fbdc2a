package io.bg3.core.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.block.RunPrefetch;
import io.bg3.core.block.ValuePrefetch;
import io.bg3.storage.memory.BlockMemory;
import io.bg3.storage.memory.MemoryBudget;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A table of hints is asked about owners that it was told of, and about others. */
class LeafHintsTest {
  private static final int BUDGET = 64 << 20;
  private static final int SLOTS = BUDGET / 64 / 32;

  @Test
  void anOwnerIsFoundWhereItWasNotedLastOrNotAtAll() {
    LeafHints hints = new LeafHints(new MemoryBudget(1 << 20, "test"));
    Map<Long, Integer> noted = new HashMap<>();
    Random random = new Random(5);
    int found = 0;
    for (int i = 1; i < 20_000; i++) {
      long owner = random.nextInt(400) - 200L + (random.nextInt(3) == 0 ? 1L << 38 : 0);
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
  void whereValuesAreIsKnownUntilTheOwnerIsFoundSomewhereElse() {
    LeafHints hints = new LeafHints(new MemoryBudget(1 << 20, "test"));
    hints.put(7, 1, 64);
    assertFalse(hints.knows(7, 1, 64));
    hints.put(7, 1, 64, 128, 3);
    hints.put(7, 1, 64);
    assertTrue(hints.knows(7, 1, 64));
    assertEquals(128, hints.values(7));
    assertEquals(3, hints.span(7));
    hints.put(7, 1, 192);
    assertFalse(hints.knows(7, 1, 192));
    assertEquals(0, hints.values(7));
  }

  @Test
  void anotherRunOfTheSameBlockIsToBeNotedNowAndThenOneOfAnotherBlockAlways() {
    LeafHints hints = new LeafHints(new MemoryBudget(1 << 20, "test"));
    long block = 5L << 32 | 640;
    hints.put(7, 1, RunPrefetch.ofHeader(block) | 3, ValuePrefetch.NONE, 0);
    int known = 0;
    for (int i = 0; i < 1000; i++) {
      known += hints.knows(7, 1, RunPrefetch.ofHeader(block) | 5) ? 1 : 0;
      assertTrue(hints.knows(7, 1, RunPrefetch.ofHeader(block) | 3));
      assertFalse(hints.knows(7, 2, RunPrefetch.ofHeader(block) | 3));
      assertFalse(hints.knows(7, 1, RunPrefetch.ofHeader(block + 64) | 3));
    }
    assertTrue(known > 0 && known < 1000, "known=" + known);
  }

  @Test
  void thatThereIsNothingToAskForIsKnownToo() {
    MemoryBudget budget = new MemoryBudget(1 << 20, "test");
    LeafHints hints = new LeafHints(budget);
    hints.put(7, 1, 64, ValuePrefetch.NONE, 0);
    assertTrue(hints.knows(7, 1, 64));
    BlockMemory memory = new BlockMemory(budget);
    assertEquals(0, ValuePrefetch.fetch(memory, 64, hints.values(7), 0));
    assertEquals(0, ValuePrefetch.fetch(memory, 64, ValuePrefetch.UNKNOWN, 0));
  }

  @Test
  void asManyOwnersAsThereAreSlotsAreAllFoundIfTheyAreDense() {
    assertEquals(SLOTS, found(0, 1, SLOTS));
    assertEquals(SLOTS, found(-SLOTS, 1, SLOTS));
    assertEquals(SLOTS, found(1L << 40, 1, SLOTS));
  }

  @Test
  void ownersInStepsOfAnySizeShareFewSlots() {
    for (int shift = 1; shift < 56; shift++) {
      int owners = Math.min(SLOTS, 1 << Math.min(30, 62 - shift));
      int found = found(1, 1L << shift, owners / 2);
      assertTrue(
          found > owners / 4, "found=" + found + ", owners=" + owners / 2 + ", shift=" + shift);
    }
    assertTrue(found(1, 999_983, SLOTS / 2) > SLOTS / 2 / 2);
  }

  /** How many of so many owners in equal steps are found when all have been noted. */
  private static int found(long first, long step, int count) {
    LeafHints hints = new LeafHints(new MemoryBudget(BUDGET, "test"));
    for (int i = 0; i < count; i++) {
      hints.put(first + i * step, i + 1, 64);
    }
    int found = 0;
    for (int i = 0; i < count; i++) {
      found += hints.page(first + i * step) == i + 1 ? 1 : 0;
    }
    return found;
  }

  @Test
  void itTakesASmallPartOfTheBudgetAndIsChargedToIt() {
    MemoryBudget budget = new MemoryBudget(256 << 20, "test");
    new LeafHints(budget).put(1, 2, 3);
    assertTrue(budget.used() > 0 && budget.used() <= (256 << 20) / 64, budget.toString());
  }
}
