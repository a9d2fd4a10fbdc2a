package io.bg3.core.transaction;

import static io.bg3.core.forest.TreeIds.EXTERNAL_IDS;
import static io.bg3.core.forest.TreeIds.VERTICES;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.commit.CommitRecord;
import io.bg3.core.commit.CommitSettings;
import io.bg3.core.commit.Durability;
import io.bg3.core.commit.PendingCommit;
import io.bg3.core.commit.ReplayStart;
import io.bg3.core.commit.Sequencer;
import io.bg3.core.commit.Totals;
import io.bg3.core.commit.TotalsImage;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.keyspace.WriteSet;
import io.bg3.core.snapshot.StoreClock;
import io.bg3.storage.file.MemoryDisk;
import io.bg3.testing.Together;
import java.io.IOException;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Properties of many transactions together, also after reopening. */
class TransactionManagerTest {
  private static final int OUT = EdgeKey.tagLabel(EdgeKey.OUT, 1);
  private static final int IN = EdgeKey.tagLabel(EdgeKey.IN, 1);
  private static final byte[] NONE = {};

  private static byte[] id(long id) {
    return EdgeKey.prefix(id);
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void everythingIsThereAfterReopening(Durability durability) throws IOException {
    MemoryDisk disk = new MemoryDisk();
    CommitSettings settings = CommitSettings.DEFAULT.with(durability);
    byte[] large = new byte[5_000];
    new Random(1).nextBytes(large);
    long visible;
    try (TestStore store = TestStore.open(disk, settings, new ComponentFactory())) {
      assertEquals(1, store.manager.dictionary().code(Dictionary.Kind.EDGE_LABEL, "knows"));
      assertEquals(2, store.manager.dictionary().code(Dictionary.Kind.EDGE_LABEL, "made"));
      assertEquals(1, store.manager.allocateIds(10));
      for (int i = 0; i < 300; i++) {
        Transaction transaction = store.begin();
        transaction.put(VERTICES, id(i), i == 7 ? large : new byte[] {(byte) i});
        transaction.addTotal(1, 2);
        transaction.commit();
      }
      Transaction remover = store.begin();
      remover.delete(VERTICES, id(5));
      remover.addTotal(1, -2);
      remover.commit();
      visible = store.manager.visible();
    }
    try (TestStore store = TestStore.open(disk, settings, new ComponentFactory());
        Transaction reader = store.read()) {
      assertTrue(store.manager.visible() >= visible);
      assertEquals(2, store.manager.dictionary().find(Dictionary.Kind.EDGE_LABEL, "made"));
      assertEquals("knows", store.manager.dictionary().text(Dictionary.Kind.EDGE_LABEL, 1));
      assertEquals(11, store.manager.allocateIds(1), "closing skips no ids");
      assertEquals(598, reader.total(1));
      assertArrayEquals(large, reader.get(VERTICES, id(7)));
      assertNull(reader.get(VERTICES, id(5)));
      for (int i = 8; i < 300; i++) {
        assertArrayEquals(new byte[] {(byte) i}, reader.get(VERTICES, id(i)));
      }
    }
  }

  @Test
  void timestampsRiseAlthoughTheClockGoesBack() throws IOException {
    MemoryDisk disk = new MemoryDisk();
    long first;
    try (TestStore store = TestStore.open(disk, TestStore.QUICK, new ComponentFactory())) {
      store.manager.dictionary().code(Dictionary.Kind.EDGE_LABEL, "a");
      first = store.manager.issued();
      assertTrue(first >>> Sequencer.COUNTER_BITS > 1_600_000_000_000L);
    }
    PendingCommit origin = PendingCommit.origin(first, 0);
    try (TestStore store = TestStore.open(disk, TestStore.QUICK, new ComponentFactory())) {
      Sequencer sequencer = new Sequencer(store.log, new StoreClock(() -> 5, 0), origin);
      for (int i = 1; i < 10; i++) {
        var record = CommitRecord.encode(new WriteSet(), null);
        store.log.reserve(record.remaining());
        PendingCommit commit = new PendingCommit(null);
        assertTrue(sequencer.issue(commit, record, Long.MAX_VALUE));
        assertEquals(first + i, commit.stamp);
      }
    }
  }

  @Test
  void twoHundredAndFiftyThreadsAddVerticesAndEdgesAndAllCommit() throws Exception {
    try (TestStore store = TestStore.create(CommitSettings.DEFAULT)) {
      Set<Long> ids = ConcurrentHashMap.newKeySet();
      Together.run(
          250,
          thread -> {
            Transaction transaction = store.begin();
            long a = store.manager.allocateIds(1);
            long b = store.manager.allocateIds(1);
            assertTrue(ids.add(a) && ids.add(b));
            for (long vertex : new long[] {a, b}) {
              assertFalse(transaction.exists(VERTICES, id(vertex)));
              transaction.put(VERTICES, id(vertex), NONE);
            }
            int sequence = transaction.reserveSequence(a, OUT, b);
            transaction.putEdge(a, OUT, b, sequence, NONE);
            transaction.putEdge(b, IN, a, sequence, NONE);
            transaction.addTotal(1, 2);
            transaction.commit();
          });
      try (Transaction reader = store.read()) {
        assertEquals(500, reader.total(1));
        assertEquals(250, count(reader.allEdges(EdgeKey.OUT, false)));
        assertEquals(250, count(reader.allEdges(EdgeKey.IN, false)));
      }
    }
  }

  private static int count(EdgeCursor cursor) {
    int count = 0;
    try (cursor) {
      while (cursor.next()) {
        count++;
      }
    }
    return count;
  }

  @Test
  void parallelEdgesFromManyThreadsNeverConflictAndNeverCollide() throws Exception {
    try (TestStore store = TestStore.create()) {
      int threads = 6;
      int each = 200;
      Together.run(
          threads,
          thread -> {
            for (int i = 0; i < each; i++) {
              Transaction transaction = store.begin();
              int sequence = transaction.reserveSequence(1, OUT, 2);
              transaction.putEdge(1, OUT, 2, sequence, new byte[] {(byte) thread});
              transaction.commit();
            }
          });
      try (Transaction reader = store.read()) {
        assertEquals(threads * each, count(reader.edgesBetween(1, OUT, 2, false)));
      }
    }
  }

  @Test
  void retriesOfTransfersEndAndKeepTheSum() throws Exception {
    try (TestStore store = TestStore.create()) {
      int accounts = 3;
      store.manager.retry(
          Isolation.STRICT,
          transaction -> {
            for (int i = 0; i < accounts; i++) {
              transaction.put(VERTICES, id(i), new byte[] {100});
            }
            return null;
          });
      AtomicInteger attempts = new AtomicInteger();
      Together.run(
          6,
          thread -> {
            Random random = new Random(thread);
            for (int i = 0; i < 150; i++) {
              int from = random.nextInt(accounts);
              int to = random.nextInt(accounts);
              store.manager.retry(
                  Isolation.STRICT,
                  transaction -> {
                    attempts.incrementAndGet();
                    byte[] a = transaction.get(VERTICES, id(from));
                    transaction.put(VERTICES, id(from), new byte[] {(byte) (a[0] - 1)});
                    byte[] b = transaction.get(VERTICES, id(to));
                    transaction.put(VERTICES, id(to), new byte[] {(byte) (b[0] + 1)});
                    return null;
                  });
            }
          });
      int sum = 0;
      try (Transaction reader = store.read()) {
        for (int i = 0; i < accounts; i++) {
          sum += reader.get(VERTICES, id(i))[0];
        }
      }
      assertEquals((byte) (100 * accounts), (byte) sum);
      assertTrue(attempts.get() >= 900, () -> "attempts=" + attempts);
    }
  }

  @Test
  void aLongReaderWhoWritesIsNotStarvedByQuickWriters() throws Exception {
    try (TestStore store = TestStore.create()) {
      CountDownLatch done = new CountDownLatch(1);
      AtomicInteger attempts = new AtomicInteger();
      Together.run(
          3,
          thread -> {
            if (thread > 0) {
              for (int i = 0; done.getCount() > 0; i++) {
                long number = i;
                store.manager.retry(
                    Isolation.STRICT,
                    transaction -> {
                      transaction.put(EXTERNAL_IDS, id(number % 50), id(thread));
                      return null;
                    });
              }
              return;
            }
            Thread.sleep(20);
            store.manager.retry(
                Isolation.STRICT,
                transaction -> {
                  attempts.incrementAndGet();
                  int count = 0;
                  try (ByteCursor cursor =
                      transaction.scan(EXTERNAL_IDS, null, null, ScanOrder.FORWARD)) {
                    while (cursor.next()) {
                      count++;
                    }
                  }
                  pause();
                  transaction.put(VERTICES, id(1), new byte[] {(byte) count});
                  return count;
                });
            done.countDown();
          });
      assertTrue(attempts.get() <= 10, () -> "attempts=" + attempts);
    }
  }

  private static void pause() {
    try {
      Thread.sleep(5);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void locksOfARetryAreGivenBackWhenItsWorkTakesTooLong() throws Exception {
    CommitSettings hasty = new CommitSettings(Durability.NONE, 100, 16, 1 << 10, 20, 0);
    try (TestStore store = TestStore.create(hasty, new ComponentFactory())) {
      AtomicInteger attempts = new AtomicInteger();
      store.manager.retry(
          Isolation.STRICT,
          transaction -> {
            transaction.get(VERTICES, id(1));
            transaction.put(VERTICES, id(2), NONE);
            if (attempts.incrementAndGet()
                <= 4) { // the fourth holds the locks, and this waits for them
              Transaction other = store.begin();
              other.put(VERTICES, id(1), NONE);
              other.commit();
            }
            return null;
          });
      assertEquals(5, attempts.get());
    }
  }

  @Test
  void totalsOfACheckpointAreThoseOfTheirStamp() throws Exception {
    try (TestStore store = TestStore.create()) {
      AtomicInteger running = new AtomicInteger(2);
      Together.run(
          3,
          thread -> {
            if (thread == 2) {
              while (running.get() > 0) {
                ReplayStart start = store.manager.replayStart();
                TotalsImage image = store.manager.totals(start.stamp());
                assertTrue(image.stamp() >= start.stamp());
                Totals decoded = Totals.decode(image.bytes(), "test");
                assertEquals(image.stamp(), decoded.stamp());
                assertEquals(decoded.read(1, Long.MAX_VALUE), decoded.read(2, Long.MAX_VALUE));
              }
              return;
            }
            for (int i = 0; i < 2_000; i++) {
              Transaction transaction = store.begin();
              transaction.addTotal(1, thread + 1);
              transaction.addTotal(2, thread + 1);
              transaction.commit();
            }
            running.decrementAndGet();
          });
    }
  }
}
