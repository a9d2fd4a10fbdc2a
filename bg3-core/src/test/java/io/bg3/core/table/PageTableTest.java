package io.bg3.core.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.storage.memory.MemoryBudget;
import org.junit.jupiter.api.Test;

class PageTableTest {
  private final MemoryBudget budget = new MemoryBudget(64 << 20, "bg3.memory.budget");
  private final PageTable table = new PageTable(budget);

  @Test
  void idsBeginAtOneAndChargeTheBudget() {
    assertEquals(1, table.allocate());
    assertEquals(2, table.allocate());
    assertEquals(3, table.end());
    assertTrue(budget.used() >= 2 * 32);
  }

  @Test
  void aNotedPageNamesTheNotedBlockUntilTheNoteEnds() {
    int page = table.allocate();
    table.latch(page);
    assertEquals(0, table.noted(page));
    table.publish(page, 64);
    table.note(page, 64);
    table.publish(page, 128);
    assertEquals(64, table.noted(page));
    table.unnote(page);
    assertEquals(0, table.noted(page));
    assertFalse(table.isNoted(page));
    table.unlatch(page);
  }

  @Test
  void aLatchThatIsTakenIsWaitedForAndCountedOnce() throws InterruptedException {
    int page = table.allocate();
    table.latch(page);
    assertFalse(table.tryLatch(page));
    assertEquals(0, table.latchWaits(), "nobody has waited");
    Thread other =
        new Thread(
            () -> {
              table.latch(page);
              table.unlatch(page);
            });
    other.start();
    while (table.latchWaits() == 0) {
      Thread.onSpinWait();
    }
    table.unlatch(page);
    other.join();
    assertFalse(table.isLatched(page));
    assertEquals(1, table.latchWaits());
  }

  /** Publishes the topology of a stored page without its values. */
  private int pageWithoutValues() {
    int page = table.allocate();
    table.open(page, 64, 0, 0);
    table.latch(page);
    table.publishTopology(page, 128);
    table.unlatch(page);
    return page;
  }

  private void assertVisits(int page, int most) {
    for (int i = 0; i < most; i++) {
      assertTrue(table.takeVisit(page), "visit " + i);
    }
    assertFalse(table.takeVisit(page));
    assertFalse(table.takeVisit(page), "it may have been pinned at the last visit");
  }

  @Test
  void topologyThatNobodyReadsIsSparedForSomeVisits() {
    int page = pageWithoutValues();
    assertTrue(table.takeVisit(page), "it has just been loaded");
    assertVisits(page, PageTable.MOST_VISITS);
    table.beginEvicting();
    table.touch(page);
    assertTrue(table.takeVisit(page));
    assertVisits(page, PageTable.MOST_VISITS);
  }

  @Test
  void visitsAreCountedAnewWhenTheValuesHaveGone() {
    int page = pageWithoutValues();
    assertTrue(table.takeVisit(page));
    assertVisits(page, PageTable.MOST_VISITS);
    table.latch(page);
    table.publishLoaded(page, 192);
    assertTrue(table.takeTouched(page));
    assertTrue(table.makeAbsent(page, 1));
    table.publishWithoutValues(page, 192);
    table.unlatch(page);
    assertVisits(page, PageTable.MOST_VISITS);
  }

  @Test
  void visitsAreCountedAnewWhenTheTopologyIsLoaded() {
    int page = pageWithoutValues();
    assertTrue(table.takeVisit(page));
    assertVisits(page, PageTable.MOST_VISITS);
    table.latch(page);
    assertTrue(table.makeAbsent(page, 1));
    table.dropTopology(page, 0);
    table.publishTopology(page, 128);
    table.unlatch(page);
    assertTrue(table.takeVisit(page));
    assertVisits(page, PageTable.MOST_VISITS);
  }

  @Test
  void aPageIsNewlyDirtyOnce() {
    int page = table.allocate();
    assertTrue(table.markDirty(page));
    assertFalse(table.markDirty(page));
    table.markClean(page);
    assertTrue(table.markDirty(page));
  }

  @Test
  void bytesOfDeltasAreRoundedUpAndBounded() {
    int page = table.allocate();
    table.latch(page);
    for (long[] example :
        new long[][] {{0, 0}, {1, 64}, {64, 64}, {65, 128}, {1L << 40, 1_048_512}}) {
      table.setDeltaBytes(page, example[0]);
      assertEquals(example[1], table.deltaBytes(page));
      assertTrue(table.isLatched(page));
    }
    table.unlatch(page);
    assertTrue(table.markDirty(page));
    assertEquals(1_048_512, table.deltaBytes(page));
  }

  @Test
  void aRemovedPageComesBackAsNew() {
    int page = table.allocate();
    table.publish(page, 64);
    table.store(page, 1, 2);
    table.markDirty(page);
    table.markRebase(page);
    table.latch(page);
    table.setDeltaBytes(page, 1_000);
    table.unlatch(page);
    table.publish(page, PageTable.DEAD);
    table.reuse(page);
    assertEquals(0, table.deltaBytes(page));
    assertEquals(page, table.allocate());
    assertEquals(0, table.block(page));
    assertEquals(0, table.base(page));
    assertFalse(table.isDirty(page));
  }

  @Test
  void openingPutsUnusedIdsOnTheFreeList() {
    table.grow(4);
    table.publish(2, 64);
    table.collectFree();
    assertEquals(1, table.allocate());
    assertEquals(3, table.allocate());
    assertEquals(4, table.allocate());
  }

  @Test
  void theLatchExcludes() throws InterruptedException {
    int page = table.allocate();
    int[] counter = new int[1];
    Thread[] threads = new Thread[4];
    for (int t = 0; t < threads.length; t++) {
      threads[t] =
          new Thread(
              () -> {
                for (int i = 0; i < 10_000; i++) {
                  table.latch(page);
                  counter[0]++;
                  table.unlatch(page);
                }
              });
      threads[t].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(40_000, counter[0]);
  }
}
