package io.bg3.core.transaction;

import static io.bg3.core.forest.TreeIds.EXTERNAL_IDS;
import static io.bg3.core.forest.TreeIds.VERTICES;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.commit.CommitSettings;
import io.bg3.core.commit.Durability;
import io.bg3.core.commit.OutcomeUnknownException;
import io.bg3.core.commit.StoreFailedException;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.snapshot.SnapshotTooOldException;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.file.MemoryDisk;
import io.bg3.storage.memory.MemoryExceededException;
import io.bg3.testing.Together;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** The promises of an update under lock, and its refusals. */
class LockedUpdatesTest {
  private static final int OUT = EdgeKey.tagLabel(EdgeKey.OUT, 1);
  private static final byte[] NONE = {};

  private static byte[] id(long id) {
    return EdgeKey.prefix(id);
  }

  private static long[] owners(long... owners) {
    return owners;
  }

  private static byte[] number(long value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
  }

  private static long number(byte[] value) {
    return value == null ? 0 : ByteBuffer.wrap(value).getLong();
  }

  /** Adds to the number that stands in a vertex, and returns the new one. */
  private static long add(Transaction transaction, long vertex, long amount) {
    long sum = number(transaction.get(VERTICES, id(vertex))) + amount;
    transaction.put(VERTICES, id(vertex), number(sum));
    return sum;
  }

  private static long update(TestStore store, TransactionWork<Long> work) {
    return store.manager.update(owners(1), work);
  }

  private static long read(TestStore store, long vertex) {
    try (Transaction reader = store.read()) {
      return number(reader.get(VERTICES, id(vertex)));
    }
  }

  @Test
  void manyThreadsAddToOneKeyWithoutAConflictAndLoseNothing() throws Exception {
    int threads = 64;
    int each = 100;
    try (TestStore store = TestStore.create(CommitSettings.DEFAULT)) {
      Together.run(
          threads,
          thread -> {
            long last = 0;
            for (int i = 0; i < each; i++) {
              long now = store.manager.update(owners(1), t -> add(t, 1, 1));
              assertTrue(now > last, "it went back: " + last + ", " + now);
              last = now;
              assertTrue(read(store, 1) >= now, "it has answered before it is visible");
            }
          });
      assertEquals((long) threads * each, read(store, 1));
      assertEquals(0, store.manager.conflicts());
    }
  }

  @Test
  void updatesAndTransactionsMoveAmountsAboutAndTheSumStays() throws Exception {
    int vertices = 6;
    try (TestStore store = TestStore.create()) {
      Together.run(
          6,
          thread -> {
            Random random = new Random(thread);
            for (int i = 0; i < 500; i++) {
              long from = random.nextInt(vertices);
              long to = (from + 1 + random.nextInt(vertices - 1)) % vertices;
              int amount = random.nextInt(100);
              TransactionWork<Long> move =
                  t -> {
                    add(t, from, -amount);
                    return add(t, to, amount);
                  };
              if (thread % 2 == 0) {
                store.manager.update(owners(from, to), move);
              } else {
                store.manager.retry(Isolation.STRICT, move);
              }
              if (thread == 5) {
                try (Transaction reader = store.read()) {
                  long sum = 0;
                  for (long vertex = 0; vertex < vertices; vertex++) {
                    sum += number(reader.get(VERTICES, id(vertex)));
                  }
                  assertEquals(0, sum);
                }
              }
            }
          });
    }
  }

  @Test
  void itsEdgesScansAndLargeValuesAreThoseAppliedLast() throws IOException {
    byte[] large = new byte[5_000];
    ThreadLocalRandom.current().nextBytes(large);
    try (TestStore store = TestStore.create()) {
      store.manager.update(
          owners(1),
          t -> {
            int sequence = t.reserveSequence(1, OUT, 2);
            t.putEdge(1, OUT, 2, sequence, large);
            assertTrue(t.edgeExists(1, OUT, 2, sequence));
            t.addTotal(3, 1);
            return sequence;
          });
      int second =
          store.manager.update(
              owners(1),
              t -> {
                t.guardEdges(1, OUT, OUT);
                int sequence = t.reserveSequence(1, OUT, 2);
                t.putEdge(1, OUT, 2, sequence, NONE);
                t.deleteEdge(1, OUT, 2, 0);
                return sequence;
              });
      assertEquals(1, second);
      List<Integer> sequences = new ArrayList<>();
      boolean first =
          store.manager.update(
              owners(1),
              t -> {
                try (EdgeCursor cursor = t.edgesBetween(1, OUT, 2, false)) {
                  while (cursor.next()) {
                    sequences.add(cursor.sequence());
                  }
                }
                return t.edgeExists(1, OUT, 2, 0);
              });
      assertFalse(first);
      assertEquals(List.of(1), sequences);
      store.manager.update(
          owners(1),
          t -> {
            t.put(VERTICES, id(1), large);
            return null;
          });
      assertArrayEquals(large, store.manager.update(owners(1), t -> t.get(VERTICES, id(1))));
    }
  }

  private static void refused(TestStore store, TransactionWork<Object> work) {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> store.manager.update(owners(1, 2), work));
    assertTrue(e.getMessage().contains("locked=[1, 2]"), e.getMessage());
  }

  @Test
  void whatBelongsToOthersIsRefused() throws IOException {
    try (TestStore store = TestStore.create()) {
      refused(store, t -> t.get(VERTICES, id(3)));
      refused(store, t -> t.exists(VERTICES, id(3)));
      refused(store, t -> t.get(EXTERNAL_IDS, id(1)));
      refused(store, t -> t.edgeExists(3, OUT, 1, 0));
      refused(store, t -> t.edges(3, OUT, OUT, false, ScanOrder.FORWARD));
      refused(store, t -> t.edgesBetween(3, OUT, 1, false));
      refused(store, t -> t.allEdges(EdgeKey.OUT, false));
      refused(store, t -> t.scan(VERTICES, null, null, ScanOrder.FORWARD));
      refused(store, t -> t.scan(VERTICES, id(1), id(3), ScanOrder.FORWARD));
      refused(store, t -> t.total(1));
      refused(store, t -> t.count(3, 1));
      refused(store, t -> t.reserveSequence(3, OUT, 1));
      refused(store, t -> changing(() -> t.put(VERTICES, id(3), NONE)));
      refused(store, t -> changing(() -> t.deleteEdge(3, OUT, 1, 0)));
      refused(store, t -> changing(() -> t.addCount(3, 1, 1)));
      refused(store, t -> changing(() -> t.guardEdges(3, OUT, OUT)));
      assertThrows(IllegalArgumentException.class, () -> store.manager.update(owners(), t -> null));
    }
  }

  private static Object changing(Executable change) {
    try {
      change.execute();
      return null;
    } catch (RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void workThatThrowsLeavesNothingBehind() throws IOException {
    try (TestStore store = TestStore.create()) {
      IllegalStateException e =
          assertThrows(
              IllegalStateException.class,
              () ->
                  store.manager.update(
                      owners(1),
                      t -> {
                        add(t, 1, 5);
                        t.reserveSequence(1, OUT, 2);
                        throw new IllegalStateException("mine");
                      }));
      assertEquals("mine", e.getMessage());
      assertEquals(0, read(store, 1));
    }
  }

  @Test
  void workMustNotEndItsTransaction() throws IOException {
    try (TestStore store = TestStore.create()) {
      IllegalStateException commits =
          assertThrows(
              IllegalStateException.class,
              () ->
                  store.manager.update(
                      owners(1),
                      t -> {
                        add(t, 1, 5);
                        t.commit();
                        return null;
                      }));
      assertTrue(commits.getMessage().contains("an update commits when"), commits.getMessage());
      assertThrows(
          IllegalStateException.class,
          () ->
              store.manager.update(
                  owners(1),
                  t -> {
                    t.rollback();
                    return null;
                  }));
      assertEquals(0, read(store, 1));
    }
  }

  @Test
  void workThatMissedALabelIsDoneAgainWhenTheLabelHasComeMeanwhile() throws IOException {
    try (TestStore store = TestStore.create()) {
      AtomicInteger calls = new AtomicInteger();
      int code =
          store.manager.update(
              owners(1),
              t -> {
                int found = t.findCode(Dictionary.Kind.EDGE_LABEL, "a");
                if (calls.incrementAndGet() == 1) {
                  store.manager.dictionary().code(Dictionary.Kind.EDGE_LABEL, "a");
                }
                add(t, 1, 1);
                return found;
              });
      assertEquals(2, calls.get());
      assertEquals(1, code);
      assertEquals(1, read(store, 1));
    }
  }

  @Test
  void aBudgetThatDoesNotSufficeRefusesItAndLosesNothing() throws IOException {
    try (TestStore store =
        TestStore.open(new MemoryDisk(), TestStore.QUICK, new ComponentFactory(), 1 << 21)) {
      store.manager.update(owners(1), t -> add(t, 1, 5));
      assertThrows(
          MemoryExceededException.class,
          () ->
              store.manager.update(
                  owners(1),
                  t -> {
                    for (int i = 0; i < 4_000; i++) {
                      t.putEdge(1, OUT, i, 0, NONE);
                    }
                    t.addCount(1, 1, 1);
                    return add(t, 1, 5);
                  }));
      assertEquals(10, update(store, t -> add(t, 1, 5)));
      assertEquals(0, update(store, t -> t.count(1, 1)));
    }
  }

  @Test
  void aFailedLogLeavesTheOutcomeUnknownAndRefusesTheNext() throws IOException {
    CrashingDisk disk = new CrashingDisk();
    TestStore store = TestStore.open(disk);
    store.manager.update(owners(1), t -> add(t, 1, 5));
    disk.failAt(1, CrashingDisk.Fault.EIO, true);
    assertThrows(
        OutcomeUnknownException.class, () -> store.manager.update(owners(1), t -> add(t, 1, 5)));
    assertThrows(
        StoreFailedException.class, () -> store.manager.update(owners(1), t -> add(t, 1, 5)));
    // The value that it would read is in the pages and will perhaps never be durable.
    assertThrows(
        StoreFailedException.class,
        () -> store.manager.update(owners(1), t -> number(t.get(VERTICES, id(1)))));
    StoreFailedException e =
        assertThrows(
            StoreFailedException.class,
            () ->
                store.manager.update(
                    owners(1),
                    t -> {
                      throw new IllegalStateException("read " + number(t.get(VERTICES, id(1))));
                    }));
    assertEquals("read 10", e.getSuppressed()[0].getMessage());
    assertEquals(5, read(store, 1));
    store.close();
    assertThrows(
        IllegalStateException.class, () -> store.manager.update(owners(1), t -> add(t, 1, 5)));
  }

  @Test
  void updatesOfAGroupAreCommitsOfTheirOwnAndWaitTogether() throws IOException {
    try (TestStore store = TestStore.create(CommitSettings.DEFAULT)) {
      UpdateGroup group = store.manager.updates();
      for (int i = 1; i <= 20; i++) {
        assertEquals(i, (long) group.update(owners(1), t -> add(t, 1, 1)));
      }
      assertThrows(
          IllegalStateException.class,
          () ->
              group.update(
                  owners(2),
                  t -> {
                    add(t, 2, 1);
                    throw new IllegalStateException("not to be");
                  }));
      assertEquals(20, (long) group.update(owners(1), t -> number(t.get(VERTICES, id(1)))));
      group.await();
      assertEquals(20, read(store, 1));
      assertEquals(0, read(store, 2));
      assertEquals(20, store.manager.commits());
      group.update(owners(2), t -> add(t, 2, 7));
      group.await();
      assertEquals(7, read(store, 2));
    }
  }

  @Test
  void ofAGroupWhoseLogFailsNothingIsKnown() throws IOException {
    CrashingDisk disk = new CrashingDisk();
    TestStore store = TestStore.open(disk);
    store.manager.update(owners(1), t -> add(t, 1, 5));
    disk.failAt(1, CrashingDisk.Fault.EIO, true);
    UpdateGroup group = store.manager.updates();
    assertEquals(10, (long) group.update(owners(1), t -> add(t, 1, 5)));
    assertThrows(OutcomeUnknownException.class, group::await);
    assertEquals(5, read(store, 1));
    store.close();
  }

  @Test
  void anInterruptDoesNotEndItAndTheFlagStays() throws IOException {
    try (TestStore store = TestStore.create(CommitSettings.DEFAULT)) {
      for (long i = 1; i <= 50; i++) {
        Thread.currentThread().interrupt();
        assertEquals(i, update(store, t -> add(t, 1, 1)));
        assertTrue(Thread.interrupted());
      }
    }
  }

  @Test
  void closingWaitsForAnUpdateThatHasItsLocks() throws Exception {
    MemoryDisk disk = new MemoryDisk();
    TestStore store = TestStore.open(disk);
    CountDownLatch inside = new CountDownLatch(1);
    Together.run(
        2,
        thread -> {
          if (thread == 0) {
            inside.await();
            store.manager.close();
            return;
          }
          store.manager.update(
              owners(1),
              t -> {
                inside.countDown();
                return changing(() -> Thread.sleep(50));
              });
        });
    store.close();
  }

  @Test
  void anUpdateThatTakesTooLongIsGivenUp() throws IOException {
    CommitSettings impatient = new CommitSettings(Durability.NONE, 10, 1 << 10, 512, 1_000, 200);
    MemoryDisk disk = new MemoryDisk();
    try (TestStore store = TestStore.open(disk, impatient, new ComponentFactory())) {
      assertThrows(
          SnapshotTooOldException.class,
          () ->
              store.manager.update(
                  owners(1),
                  t -> {
                    add(t, 1, 5);
                    while (store.manager.openTransactions() > 0) {
                      Thread.onSpinWait(); // until its snapshot has been taken away
                    }
                    return add(t, 1, 5);
                  }));
    }
    try (TestStore store = TestStore.open(disk, TestStore.QUICK, new ComponentFactory())) {
      assertEquals(0, read(store, 1));
    }
  }
}
