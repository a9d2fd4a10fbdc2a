package io.bg3;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.transaction.EdgeCursor;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.transaction.ValueView;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import io.bg3.storage.Waiting;
import io.bg3.storage.WouldWaitException;
import io.bg3.storage.file.MemoryDisk;
import io.bg3.storage.format.CorruptionException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Large values of one scan, and of one group of look-ups, that are read together (R61). */
class ScannedValuesRulesTest {
  private static final String VALUES = "io.bg3.core.keyspace.ValueStore";
  private static final int OWNER = 7;
  private static final int OUT = 1;
  private static final int DEGREE = 100;
  private static final int LENGTH = 2_000;

  /** Leaves are small, so that the scan copies several. */
  private static Bg3 open() throws Exception {
    return Bg3.open(
        Settings.defaults()
            .with(Setting.MEMORY_BUDGET, "32m")
            .with(Setting.PAGE_CAPACITY, "512")
            .with(Setting.DURABILITY, "none"),
        new MemoryDisk());
  }

  private static byte[] value(int number) {
    byte[] value = new byte[number % 5 == 0 ? 10 : LENGTH + number]; // some are in the leaf
    Arrays.fill(value, (byte) number);
    return value;
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(1_000_000 + number).array();
  }

  private static void write(Bg3 store) throws Exception {
    try (Transaction writer = store.transactions().begin(Isolation.STRICT, false)) {
      for (int i = 0; i < DEGREE; i++) {
        writer.putEdge(OWNER, OUT, i, 0, value(i));
        writer.put(TreeIds.META, key(i), value(i));
      }
      writer.commit();
    }
    store.checkpoint();
    store.evict();
  }

  private static void scan(Bg3 store, ScanOrder order) {
    try (Transaction reader = store.transactions().begin(Isolation.STRICT, true);
        EdgeCursor cursor = reader.edges(OWNER, OUT, OUT, true, order)) {
      ValueView view = new ValueView();
      int count = 0;
      while (cursor.next()) {
        int number = (int) cursor.other();
        assertEquals(order == ScanOrder.FORWARD ? count : DEGREE - 1 - count, number);
        cursor.value(view);
        assertArrayEquals(
            value(number),
            Arrays.copyOfRange(view.array(), view.start(), view.start() + view.length()));
        assertArrayEquals(value(number), cursor.value());
        count++;
      }
      assertEquals(DEGREE, count);
    }
  }

  @RuleTest(
      rule = 61,
      sites = @Site(name = "alone", in = VALUES, method = "read", before = "ValueStore.readStored"),
      twins =
          @Twin(
              name = "the values of a scan are read one after the other",
              in = "io.bg3.core.transaction.PointReads",
              method = "copied",
              without = "Trees.readTogether"))
  void valuesOfAScanAreReadTogether() throws Exception {
    try (Bg3 store = open()) {
      for (ScanOrder order : ScanOrder.values()) {
        write(store);
        AtomicInteger alone = new AtomicInteger();
        Sites.always("alone", alone::incrementAndGet);
        scan(store, order);
        Sites.never("alone");
        assertTrue(alone.get() < DEGREE / 3, "read alone: " + alone);
        scan(store, order); // from memory
      }
    }
  }

  /** Some distance is that from a place in one leaf to the place in the next. */
  @RuleTest(
      rule = 61,
      twins =
          @Twin(
              name = "the values of one leaf are taken for those of the next",
              in = "io.bg3.core.keyspace.LeafScan",
              method = "copyLeaf",
              without = "ScannedValues.clear"))
  void aValueIsThatOfItsLeaf() throws Exception {
    try (Bg3 store = open()) {
      write(store);
      for (int step = 2; step < DEGREE / 2; step++) {
        try (Transaction reader = store.transactions().begin(Isolation.STRICT, true);
            EdgeCursor cursor = reader.edges(OWNER, OUT, OUT, true, ScanOrder.FORWARD)) {
          for (int i = 0; cursor.next(); i++) {
            if (i % step == 0) {
              assertArrayEquals(value(i), cursor.value(), "step " + step);
            }
          }
        }
      }
    }
  }

  @RuleTest(
      rule = 61,
      sites = @Site(name = "alone", in = VALUES, method = "read", before = "ValueStore.readStored"),
      twins =
          @Twin(
              name = "the values of a group of look-ups are read one after the other",
              in = "io.bg3.core.keyspace.Trees",
              method = "readApart",
              without = "Trees.readTogether"))
  void valuesOfAGroupOfLookUpsAreReadTogether() throws Exception {
    try (Bg3 store = open()) {
      write(store);
      AtomicInteger alone = new AtomicInteger();
      byte[][] keys = new byte[DEGREE][];
      for (int i = 0; i < DEGREE; i++) {
        keys[i] = key(i);
      }
      try (Transaction reader = store.transactions().begin(Isolation.STRICT, true)) {
        byte[][] into = new byte[DEGREE][];
        for (int i = 0; i < DEGREE; i++) {
          assertTrue(reader.exists(TreeIds.META, keys[i])); // the leaves are in memory
        }
        Sites.always("alone", alone::incrementAndGet);
        reader.getAll(TreeIds.META, keys, DEGREE, into);
        Sites.never("alone");
        for (int i = 0; i < DEGREE; i++) {
          assertArrayEquals(value(i), into[i]);
        }
      }
      assertTrue(alone.get() < DEGREE / 10, "read alone: " + alone);
    }
  }

  @RuleTest(
      rule = 61,
      sites = @Site(name = "reads", in = VALUES, method = "readStored"),
      twins =
          @Twin(
              name = "a value that cannot be read fails the group",
              in = "io.bg3.core.tree.GroupReads$Group",
              method = "make",
              without = "GroupReads.isLeftToReader"))
  void aDamagedValueFailsItsReaderAndNotTheGroup() throws Exception {
    try (Bg3 store = open()) {
      write(store);
      AtomicInteger reads = new AtomicInteger();
      Sites.always(
          "reads",
          () -> {
            if (reads.incrementAndGet() == 4) {
              throw new CorruptionException("VALUE record", 0, "planted", "planted");
            }
          });
      try {
        scan(store, ScanOrder.FORWARD); // reads the value once more, alone
      } catch (CorruptionException e) {
        throw new AssertionError("the group has failed", e);
      } finally {
        Sites.never("reads");
      }
    }
  }

  @RuleTest(
      rule = 61,
      twins =
          @Twin(
              name = "a thread that may not wait is refused a value that is in memory",
              in = VALUES,
              method = "read",
              without = "LargeValueCache.get"))
  void aThreadThatMayNotWaitReadsWhatIsInMemory() throws Exception {
    try (Bg3 store = open()) {
      write(store);
      readOneAndWaitForNothing(store);
    } catch (WouldWaitException e) {
      throw new AssertionError("refused", e);
    }
  }

  private static void readOneAndWaitForNothing(Bg3 store) {
    try (Transaction reader = store.transactions().begin(Isolation.STRICT, true)) {
      assertArrayEquals(value(1), reader.edgeValue(OWNER, OUT, 1, 0));
      assertTrue(reader.edgeExists(OWNER, OUT, 2, 0));
      Waiting.forbid();
      Waiting.beginCommit();
      try {
        assertArrayEquals(value(1), reader.edgeValue(OWNER, OUT, 1, 0));
        assertThrows(WouldWaitException.class, () -> reader.edgeValue(OWNER, OUT, 2, 0));
      } finally {
        Waiting.endCommit();
        Waiting.allow();
      }
    }
  }

  @Test
  void aThreadThatWantsTheFirstValueReadsNoOther() throws Exception {
    try (Bg3 store = open()) {
      write(store);
      long before = store.stats().largeValues().reads();
      try (Transaction reader = store.transactions().begin(Isolation.STRICT, true);
          EdgeCursor cursor = reader.edges(OWNER, OUT, OUT, true, ScanOrder.FORWARD)) {
        assertTrue(cursor.next());
        assertTrue(cursor.next());
        assertArrayEquals(value(1), cursor.value());
      }
      assertEquals(before + 1, store.stats().largeValues().reads());
    }
  }
}
