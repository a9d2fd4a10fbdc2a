package io.bg3.core.value;

import static io.bg3.core.value.CacheFixture.SPACE;
import static io.bg3.core.value.CacheFixture.key;
import static io.bg3.core.value.CacheFixture.value;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import io.bg3.storage.memory.BlockMemory;
import io.bg3.storage.memory.Epochs;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Large values in memory; the audit of blocks is on. */
class LargeValueRulesTest {
  private static final String CACHE = "io.bg3.core.value.LargeValueCache";
  private static final String LOOKUP = "io.bg3.core.value.CacheLookup";
  private static final String TABLE = "io.bg3.core.value.CacheTable";
  private static final String DROPPED = "io.bg3.core.value.DroppedValues";
  private static final String SPARE = "io.bg3.core.value.SpareMemory";
  private static final int BUDGET = 8 << 20;
  private static final int LENGTH = 3_000;

  static void freeAtOnce(Epochs epochs, long address, BlockMemory memory) {
    memory.free(address);
  }

  @RuleTest(
      rule = 61,
      sites = @Site(name = "found", in = CACHE, method = "get", before = "CachedValue.value"),
      twins =
          @Twin(
              name = "the block of a value is given back under a reader",
              in = "io.bg3.core.value.DroppedValues",
              method = "retire",
              without = "Epochs.retire",
              instead = "freeAtOnce"))
  void aReaderCopiesAValueThatGoesMeanwhile() {
    try (CacheFixture fixture = new CacheFixture(BUDGET)) {
      fixture.keep(1, LENGTH);
      Sites.at(
          "found",
          () -> {
            fixture.cache.giveBack(Long.MAX_VALUE);
            fixture.epochs.reclaim();
            fixture.keep(2, LENGTH); // takes the block, if it is free
          });
      assertArrayEquals(value(1, LENGTH), fixture.get(1));
      Sites.requirePassed("found");
      assertNull(fixture.get(1));
    }
  }

  @RuleTest(
      rule = 61,
      twins =
          @Twin(
              name = "a value is taken for that of another location with the same tag",
              in = LOOKUP,
              method = "find",
              without = "CachedValue.isOf",
              result = 1))
  void aValueIsThatOfItsLocation() {
    try (CacheFixture fixture = new CacheFixture(BUDGET)) {
      Map<Long, Long> tags = new HashMap<>();
      long location = 1;
      Long same = null;
      while (same == null) {
        location += 97;
        int bits = Long.SIZE - CacheSlots.FEWEST_BITS - CacheSlots.TAG_BITS;
        same = tags.put(CacheSlots.hash(location) >>> bits, location);
      }
      byte[] key = key(0); // two versions of one key
      fixture.cache.keepRead(same, SPACE, key, value(same, LENGTH));
      assertNull(fixture.cache.get(location, SPACE, key));
      fixture.cache.keepRead(location, SPACE, key, value(location, LENGTH));
      assertArrayEquals(value(same, LENGTH), fixture.cache.get(same, SPACE, key));
      assertArrayEquals(value(location, LENGTH), fixture.cache.get(location, SPACE, key));
    }
  }

  @RuleTest(
      rule = 61,
      twins =
          @Twin(
              name = "an entry with a wrong location shows the value of another key",
              in = LOOKUP,
              method = "find",
              without = "CachedValue.hasKey",
              result = 1))
  void aValueIsThatOfItsKey() {
    try (CacheFixture fixture = new CacheFixture(BUDGET)) {
      fixture.keep(1, LENGTH);
      assertNull(fixture.cache.get(1, SPACE, key(2)));
      assertNull(fixture.cache.get(1, SPACE + 1, key(1)));
      assertArrayEquals(value(1, LENGTH), fixture.get(1));
    }
  }

  @RuleTest(
      rule = 61,
      twins = {
        @Twin(
            name = "values take memory that is not free",
            in = SPARE,
            method = {"isFree", "fits"},
            result = 1),
        @Twin(
            name = "the blocks of values that go are never given back",
            in = "io.bg3.core.value.DroppedValues",
            method = "retire",
            without = "Epochs.retire")
      })
  void valuesTakeNoMoreThanWhatIsFree() {
    try (CacheFixture fixture = new CacheFixture(BUDGET)) {
      long first = fill(fixture, 0);
      assertTrue(fixture.budget.used() > BUDGET / 8 * 7, "used " + fixture.budget.used());
      assertTrue(fixture.budget.used() <= BUDGET / 16 * 15, "used " + fixture.budget.used());
      fixture.cache.giveBack(Long.MAX_VALUE);
      fixture.epochs.reclaim();
      assertEquals(0, fixture.cache.count());
      assertEquals(0, fixture.cache.bytes());
      assertEquals(0, fixture.budget.used());
      fixture.budget.reserve(BUDGET / 8 * 7); // pages take it
      long few = fill(fixture, first);
      assertTrue(few - first < first, first + " values, then " + (few - first));
      assertTrue(fixture.budget.used() <= BUDGET / 16 * 15, "used " + fixture.budget.used());
      fixture.budget.release(BUDGET / 8 * 7);
    }
  }

  /** Reads values, each once, until one is not kept; says which is the next. */
  private static long fill(CacheFixture fixture, long from) {
    long location = from;
    boolean kept = true;
    while (kept && location - from < BUDGET / LENGTH * 2L) {
      location++;
      fixture.keep(location, LENGTH);
      kept = fixture.has(location);
    }
    return location + 1;
  }

  @RuleTest(
      rule = 61,
      twins = {
        @Twin(
            name = "a value that is read once takes the memory of others",
            in = CACHE,
            method = "tryToKeep",
            without = "LargeValueCache.wasRead",
            result = 1),
        @Twin(
            name = "a value that is read again and again is not kept",
            in = CACHE,
            method = "tryToKeep",
            without = "LargeValueCache.wasRead")
      })
  void aScanThrowsNoValueOut() {
    try (CacheFixture fixture = new CacheFixture(BUDGET)) {
      long next = fill(fixture, 0);
      int there = count(fixture, 1, next);
      for (long location = next; location < 3 * next; location++) {
        fixture.keep(location, LENGTH);
      }
      assertEquals(there, count(fixture, 1, next), "values that a scan has thrown out");
      fixture.keep(4 * next, LENGTH);
      fixture.keep(4 * next, LENGTH);
      assertTrue(fixture.has(4 * next), "a value that was read twice is not there");
      assertTrue(fixture.budget.used() <= BUDGET / 16 * 15, "used " + fixture.budget.used());
    }
  }

  private static int count(CacheFixture fixture, long from, long to) {
    int count = 0;
    for (long location = from; location < to; location++) {
      count += fixture.has(location) ? 1 : 0;
    }
    return count;
  }

  @RuleTest(
      rule = 61,
      twins = {
        @Twin(
            name = "values that are read go like those that are not",
            in = CACHE,
            method = "sweep",
            without = "CacheSlots.isRead"),
        @Twin(
            name = "a read is not noted in the slot",
            in = LOOKUP,
            method = "find",
            without = "CacheSlots.markRead")
      })
  void valuesThatAreReadGoLast() {
    try (CacheFixture fixture = new CacheFixture(BUDGET)) {
      int all = 400;
      for (long location = 0; location < all; location++) {
        fixture.keep(location, LENGTH);
      }
      fixture.cache.giveBack(1); // the hand stands somewhere
      int read = count(fixture, 0, all / 4);
      long half = fixture.cache.bytes() / 2;
      assertTrue(fixture.cache.giveBack(half) >= half);
      assertEquals(read, count(fixture, 0, all / 4), "values that were read and are gone");
    }
  }

  @RuleTest(
      rule = 61,
      twins =
          @Twin(
              name = "a value is in two slots",
              in = CACHE,
              method = "slotFor",
              without = "CachedValue.isOf"))
  void aValueThatTwoThreadsReadIsKeptOnce() {
    try (CacheFixture fixture = new CacheFixture(BUDGET)) {
      fixture.keep(1, LENGTH);
      long bytes = fixture.cache.bytes();
      fixture.keep(1, LENGTH);
      assertEquals(1, fixture.cache.count());
      assertEquals(bytes, fixture.cache.bytes());
      assertEquals(bytes, fixture.memory.used());
    }
  }

  @RuleTest(
      rule = 61,
      twins =
          @Twin(
              name = "values are looked for in a table that is twice as large where they were",
              in = "io.bg3.core.value.CacheSlots",
              method = "first",
              instead = "firstOfSmallest"))
  void valuesAreFoundWhenTheTableHasGrown() {
    try (CacheFixture fixture = new CacheFixture(64 << 20)) {
      int all = 40_000;
      for (long location = 1; location <= all; location++) {
        fixture.keep(location, 100);
      }
      assertEquals(fixture.cache.count(), count(fixture, 1, all + 1));
      assertTrue(fixture.cache.count() > all / 10L * 9, "values: " + fixture.cache.count());
    }
  }

  @RuleTest(
      rule = 61,
      twins =
          @Twin(
              name = "a reader changes the values of a store that has been closed",
              in = CACHE,
              method = "tryToKeep",
              without = {"Epochs.enter", "Epochs.exit"}))
  void aReaderThatIsStillThereWhenTheStoreIsClosedKeepsNoValue() {
    CacheFixture fixture = new CacheFixture(BUDGET);
    long next = fill(fixture, 0);
    fixture.keep(next, LENGTH); // has been read lately
    long count = fixture.cache.count();
    fixture.epochs.close();
    fixture.keep(next, LENGTH);
    assertEquals(count, fixture.cache.count());
    assertEquals(0, fixture.epochs.pending());
    fixture.memory.close();
  }

  /** As one is in an epoch that the system gives no processor. */
  @RuleTest(
      rule = 61,
      twins =
          @Twin(
              name = "values take what is kept free for pages while readers are slow",
              in = SPARE,
              method = "fits",
              result = 1))
  void valuesLeaveMemoryForPagesBesideAReaderThatDoesNotLeave() throws Exception {
    try (CacheFixture fixture = new CacheFixture(BUDGET)) {
      long next = fill(fixture, 0);
      CountDownLatch inside = new CountDownLatch(1);
      CountDownLatch end = new CountDownLatch(1);
      Thread reader =
          new Thread(
              () -> {
                int ticket = fixture.epochs.enter();
                inside.countDown();
                awaitForever(end);
                fixture.epochs.exit(ticket);
              });
      reader.start();
      inside.await();
      for (long location = next; location < 3 * next; location++) {
        fixture.keep(location, LENGTH);
        fixture.keep(location, LENGTH);
      }
      long used = fixture.budget.used();
      end.countDown();
      reader.join();
      assertTrue(used <= BUDGET / 16 * 15, "used " + used);
    }
  }

  /** A server ends when the heap is full, and each attempt collects garbage in vain. */
  @RuleTest(
      rule = 61,
      sites = @Site(name = "grows", in = TABLE, method = "grow", before = "CacheSlots.grown"),
      twins =
          @Twin(
              name = "each value tries to grow the table for which there was no heap",
              in = TABLE,
              method = "grow",
              without = "CacheTable.stopGrowing"))
  void aTableThatThereIsNoHeapForIsTriedOnce() {
    try (CacheFixture fixture = new CacheFixture(BUDGET)) {
      AtomicInteger attempts = new AtomicInteger();
      Sites.always(
          "grows",
          () -> {
            attempts.incrementAndGet();
            throw new OutOfMemoryError("planted");
          });
      int all = 2_000;
      for (long location = 1; location <= all; location++) {
        fixture.keep(location, 100);
        assertArrayEquals(value(location, 100), fixture.get(location));
      }
      Sites.never("grows");
      assertEquals(1, attempts.get(), "attempts");
      assertTrue(count(fixture, 1, all + 1) > all / 4);
    }
  }

  private static void noHeap() {
    throw new OutOfMemoryError("planted");
  }

  @RuleTest(
      rule = 61,
      sites = {
        @Site(name = "grows", in = DROPPED, method = "hasRoom", before = "Arrays.copyOf"),
        @Site(name = "inserts", in = CACHE, method = "keep", before = "LargeValueCache.insert"),
        @Site(name = "copies", in = "io.bg3.core.value.ValueGroup", method = "reserve")
      },
      twins = {
        @Twin(
            name = "values leave their slots though there is no heap to note that",
            in = DROPPED,
            method = "hasRoom",
            result = 1),
        @Twin(
            name = "the block of a value that there is no heap to keep is never given back",
            in = CACHE,
            method = "keep",
            without = "BlockMemory.free")
      })
  void valuesAreReadAndGivenBackThoughTheHeapIsShort() {
    try (CacheFixture fixture = new CacheFixture(BUDGET)) {
      int all = 200;
      for (long location = 1; location <= all; location++) {
        fixture.keep(location, LENGTH);
      }
      long used = fixture.memory.used();
      Sites.at("inserts", LargeValueRulesTest::noHeap);
      fixture.keep(all + 1, LENGTH);
      Sites.requirePassed("inserts");
      assertEquals(used, fixture.memory.used());
      ValueGroup group = new ValueGroup();
      group.add(key(1), 1);
      group.add(key(2), 2);
      Sites.at("copies", LargeValueRulesTest::noHeap);
      assertDoesNotThrow(() -> fixture.cache.copy(SPACE, group));
      Sites.requirePassed("copies");
      assertArrayEquals(value(1, LENGTH), fixture.get(1));
      Sites.always("grows", LargeValueRulesTest::noHeap);
      for (int i = 0; i < all && fixture.cache.count() > 0; i++) {
        assertDoesNotThrow(() -> fixture.cache.giveBack(Long.MAX_VALUE));
      }
      Sites.requirePassed("grows");
      Sites.never("grows");
      fixture.epochs.reclaim();
      assertEquals(0, fixture.cache.count());
      assertEquals(0, fixture.cache.bytes());
      assertEquals(0, fixture.memory.used());
      fixture.keep(1, LENGTH);
      assertArrayEquals(value(1, LENGTH), fixture.get(1));
    }
  }

  @RuleTest(
      rule = 61,
      twins = {
        @Twin(
            name = "a value that is read is dropped with its span",
            in = CACHE,
            method = "tryToCopy"),
        @Twin(
            name = "a value that has moved is read where it was",
            in = "io.bg3.core.value.CacheSlots",
            method = "move"),
        @Twin(
            name = "a value moves into memory that is kept free for pages",
            in = CACHE,
            method = "tryToCopy",
            without = "SpareMemory.fits",
            result = 1)
      })
  void aValueThatIsReadMovesOutOfASpanThatIsVacated() {
    try (CacheFixture fixture = new CacheFixture(BUDGET)) {
      int all = 800;
      for (long location = 0; location < all; location++) {
        fixture.keep(location, LENGTH);
      }
      long there = readRest(fixture, all);
      vacate(fixture);
      assertEquals(there, fixture.cache.count(), "values, of which some have gone");
      int count = 0;
      for (long location = 0; location < all; location++) {
        byte[] found = fixture.get(location);
        if (found != null) {
          assertArrayEquals(value(location, LENGTH), found);
          count++;
        }
      }
      assertEquals(there, count, "values that are found");
      readRest(fixture, all);
      long pages = BUDGET / 16 * 15 - fixture.budget.used();
      fixture.budget.reserve(pages);
      vacate(fixture);
      assertEquals(0, fixture.cache.count(), "values that there was no memory to move");
      fixture.budget.release(pages);
    }
  }

  /** Drops every other value, so that no span is full any more, and reads the rest. */
  private static long readRest(CacheFixture fixture, int all) {
    fixture.cache.giveBack(fixture.cache.bytes() / 2);
    fixture.epochs.reclaim();
    long there = fixture.cache.count();
    assertTrue(there > all / 8, "values: " + there);
    assertEquals(there, count(fixture, 0, all));
    return there;
  }

  private static void vacate(CacheFixture fixture) {
    long before = fixture.budget.used();
    fixture.memory.vacateAll();
    fixture.cache.leave();
    assertTrue(fixture.budget.used() <= Math.max(before, BUDGET / 16 * 15), "used");
    fixture.memory.vacate(0);
    fixture.epochs.reclaim();
  }

  @RuleTest(
      rule = 61,
      twins =
          @Twin(
              name = "values take the spans that pages need for blocks of other sizes",
              in = SPARE,
              method = "hasBlock",
              result = 1))
  void valuesOfManySizesLeaveSpansForPages() {
    int budget = 4 * BUDGET;
    try (CacheFixture fixture = new CacheFixture(budget)) {
      int all = 2_000;
      for (int round = 0; round < 4; round++) {
        for (long location = 1; location <= all; location++) {
          int length = 1_000 + (int) (location * 7_919 % 50_000);
          fixture.keep(location, length);
          fixture.keep(location, length);
          assertTrue(fixture.memory.occupied() <= budget / 32 * 31L, "round " + round);
        }
        assertTrue(fixture.cache.bytes() > budget / 2, "values " + fixture.cache.bytes());
      }
    }
  }

  private static void awaitForever(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  static int firstOfSmallest(CacheSlots slots, long hash) {
    return (int) (hash >>> (Long.SIZE - CacheSlots.FEWEST_BITS)) * CacheSlots.WAYS;
  }
}
