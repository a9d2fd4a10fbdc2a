package io.bg3.core.transaction;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.commit.CommitSettings;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.snapshot.SnapshotTooOldException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * Leaves transactions open for longer than the store allows.
 *
 * <p>Takes about 2 s, because transactions have to grow older than the limit: it proves that no
 * reader sees pruned versions.
 */
class AgeLimitTest {
  private static final int TREE = TreeIds.VERTICES;

  @Test
  void aTransactionThatIsTooOldFailsAndHoldsBackNothing() throws Exception {
    try (TestStore store = TestStore.create(limit(60_000), new ComponentFactory())) {
      put(store, 1, "first");
      Transaction old = store.manager.begin(Isolation.STRICT, false);
      assertArrayEquals(bytes("first"), old.get(TREE, key(1)));
      ByteCursor cursor = old.scan(TREE, null, null, ScanOrder.FORWARD);
      assertTrue(cursor.next());
      old.put(TREE, key(2), bytes("own"));
      put(store, 1, "second");
      long snapshot = old.snapshot();
      assertTrue(store.manager.horizon().floor() <= snapshot);

      Expiry.expireAll(store.manager);

      assertTrue(store.manager.horizon().floor() > snapshot);
      SnapshotTooOldException late =
          assertThrows(SnapshotTooOldException.class, () -> old.get(TREE, key(1)));
      assertEquals(
          "the transaction was open for too long and can only be rolled back: snapshot="
              + snapshot
              + ", setting=bg3.transaction.age",
          late.getMessage());
      assertThrows(SnapshotTooOldException.class, () -> old.exists(TREE, key(1)));
      assertThrows(SnapshotTooOldException.class, () -> old.total(1));
      assertThrows(SnapshotTooOldException.class, old::commit);
      assertFalse(old.isOpen());
      old.rollback();
      Transaction next = store.manager.begin(Isolation.STRICT, true);
      assertNull(next.get(TREE, key(2)));
      next.rollback();
    }
  }

  @Test
  void anOldOneCanBeRolledBackAndItsSlotIsNotTakenFromTheNext() throws Exception {
    try (TestStore store = TestStore.create(limit(60_000), new ComponentFactory())) {
      Transaction old = store.manager.begin(Isolation.STRICT, false);
      Expiry.expireAll(store.manager);
      Transaction next = store.manager.begin(Isolation.STRICT, true);
      old.rollback();
      assertEquals(1, store.manager.openTransactions());
      next.rollback();
      assertEquals(0, store.manager.openTransactions());
    }
  }

  @Test
  void withoutALimitNothingIsTooOld() throws Exception {
    try (TestStore store = TestStore.create(limit(0), new ComponentFactory())) {
      Transaction old = store.manager.begin(Isolation.STRICT, true);
      Thread.sleep(300);
      assertNull(old.get(TREE, key(1)));
      old.rollback();
    }
  }

  @Test
  void whoReadsWhileItIsGivenUpGetsTheTruthOrAnError() throws Exception {
    try (TestStore store = TestStore.create(limit(100), new ComponentFactory())) {
      AtomicBoolean stop = new AtomicBoolean();
      AtomicInteger givenUp = new AtomicInteger();
      AtomicReference<Throwable> wrong = new AtomicReference<>();
      List<Thread> threads = new ArrayList<>();
      for (int reader = 0; reader < 2; reader++) {
        threads.add(new Thread(() -> read(store, stop, givenUp, wrong)));
      }
      threads.forEach(Thread::start);
      long end = System.nanoTime() + 2_000_000_000L;
      for (int round = 0; System.nanoTime() < end || givenUp.get() == 0; round++) {
        Transaction writer = store.manager.begin(Isolation.STRICT, false);
        try {
          for (int i = 0; i < 20; i++) { // all have the same value, always
            writer.put(TREE, key(i), bytes("round " + round));
          }
          writer.commit();
        } catch (SnapshotTooOldException stalled) { // by a machine that stood still
          writer.rollback();
        }
      }
      stop.set(true);
      for (Thread thread : threads) {
        thread.join();
      }
      assertNull(wrong.get(), () -> wrong.get().toString());
    }
  }

  private static void read(
      TestStore store,
      AtomicBoolean stop,
      AtomicInteger givenUp,
      AtomicReference<Throwable> wrong) {
    while (!stop.get()) {
      Transaction reader = store.manager.begin(Isolation.STRICT, true);
      try {
        byte[] first = reader.get(TREE, key(0));
        while (!stop.get()) {
          for (int i = 0; i < 20; i++) {
            assertArrayEquals(first, reader.get(TREE, key(i)));
          }
        }
      } catch (SnapshotTooOldException e) {
        givenUp.incrementAndGet();
      } catch (Throwable e) {
        wrong.set(e);
        return;
      } finally {
        reader.rollback();
      }
    }
  }

  private static CommitSettings limit(long millis) {
    CommitSettings quick = TestStore.QUICK;
    return new CommitSettings(
        quick.durability(),
        quick.intervalMillis(),
        quick.stripes(),
        quick.valueThreshold(),
        quick.patienceMillis(),
        millis);
  }

  private static void put(TestStore store, int key, String value) {
    Transaction writer = store.manager.begin(Isolation.STRICT, false);
    writer.put(TREE, key(key), bytes(value));
    writer.commit();
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
  }
}
