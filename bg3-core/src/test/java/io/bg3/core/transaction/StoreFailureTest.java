package io.bg3.core.transaction;

import static io.bg3.core.forest.TreeIds.EXTERNAL_IDS;
import static io.bg3.core.forest.TreeIds.VERTICES;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.commit.CommitSettings;
import io.bg3.core.commit.OutcomeUnknownException;
import io.bg3.core.commit.StoreFailedException;
import io.bg3.core.entry.EdgeKey;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.file.MemoryDisk;
import io.bg3.storage.memory.MemoryExceededException;
import io.bg3.testing.Seeds;
import io.bg3.testing.Together;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The outcome of commits when memory, disk, threads or the store itself end under them. */
class StoreFailureTest {
  private static final byte[] NONE = {};

  private static byte[] id(long id) {
    return EdgeKey.prefix(id);
  }

  @Test
  void aBudgetThatDoesNotSufficeRefusesTheCommitAndLosesNothing() throws IOException {
    try (TestStore store =
        TestStore.open(new MemoryDisk(), TestStore.QUICK, new ComponentFactory(), 1 << 21)) {
      Transaction small = store.begin();
      small.put(VERTICES, id(-1), NONE);
      small.commit();
      Transaction large = store.begin();
      for (int i = 0; i < 3_000; i++) {
        large.put(VERTICES, id(i), new byte[200]);
      }
      MemoryExceededException e = assertThrows(MemoryExceededException.class, large::commit);
      assertTrue(e.getMessage().contains("setting=bg3.memory.budget"), e.getMessage());
      assertTrue(large.isOpen());
      assertNotNull(large.get(VERTICES, id(1)));
      large.rollback();
      try (Transaction reader = store.read()) {
        assertTrue(reader.exists(VERTICES, id(-1)));
        assertFalse(reader.exists(VERTICES, id(1)));
      }
      int added = 0;
      try {
        for (; added < 100_000; added++) {
          Transaction one = store.begin();
          try {
            one.put(VERTICES, id(added), new byte[200]);
            one.commit();
          } finally {
            one.rollback();
          }
        }
      } catch (MemoryExceededException full) {
        assertTrue(added > 500, "added=" + added);
      }
      try (Transaction reader = store.read()) {
        assertTrue(reader.exists(VERTICES, id(added - 1L)));
        assertFalse(reader.exists(VERTICES, id(added)));
      }
    }
  }

  @Test
  void idsThatWereHandedOutAreNotHandedOutAgainAfterAPowerCut() throws IOException {
    Random random = new Random(1);
    long highest = 0;
    CrashingDisk disk = new CrashingDisk();
    for (int round = 0; round < 5; round++) {
      TestStore store = TestStore.open(disk);
      for (int i = 0; i < 3_000; i++) {
        long id = store.manager.allocateIds(1);
        assertTrue(id > highest, "id=" + id + ", highest=" + highest);
        highest = id;
      }
      CrashingDisk rest = disk.crash(random);
      store.kill();
      disk = rest;
    }
  }

  @Test
  void aFailedLogStopsWritingForGoodAndReadingGoesOn() throws IOException {
    CrashingDisk disk = new CrashingDisk();
    TestStore store = TestStore.open(disk);
    Transaction first = store.begin();
    first.put(VERTICES, id(1), NONE);
    first.commit();
    Transaction inFlight = store.begin();
    inFlight.put(VERTICES, id(2), NONE);
    Transaction later = store.begin();
    later.put(VERTICES, id(3), NONE);
    disk.failAt(1, CrashingDisk.Fault.EIO, true);
    assertThrows(OutcomeUnknownException.class, inFlight::commit);
    assertFalse(inFlight.isOpen());
    StoreFailedException e = assertThrows(StoreFailedException.class, later::commit);
    assertNotNull(e.getCause());
    assertThrows(
        StoreFailedException.class,
        () -> store.manager.dictionary().code(Dictionary.Kind.EDGE_LABEL, "x"));
    disk.heal();
    Transaction healed = store.begin();
    healed.put(VERTICES, id(3), NONE);
    assertThrows(StoreFailedException.class, healed::commit);
    try (Transaction reader = store.read()) {
      assertTrue(reader.exists(VERTICES, id(1)));
      assertFalse(reader.exists(VERTICES, id(2)), "not known to be durable, so not shown");
    }
    store.close();
  }

  @Test
  void acknowledgedCommitsSurviveAPowerCut() throws Exception {
    long seed = Seeds.of(1).findFirst().getAsLong();
    Random random = new Random(seed);
    for (int round = 0; round < 10; round++) {
      CrashingDisk disk = new CrashingDisk();
      TestStore store = TestStore.open(disk);
      long acknowledged = 0;
      disk.cutAtWrite(1 + random.nextInt(60));
      long begun = 0;
      try {
        for (; begun < 200; begun++) {
          Transaction transaction = store.begin();
          try {
            transaction.put(VERTICES, id(begun), id(begun));
            transaction.put(EXTERNAL_IDS, id(begun), id(begun));
            transaction.commit();
          } finally {
            transaction.rollback();
          }
          acknowledged = begun + 1;
        }
      } catch (OutcomeUnknownException | StoreFailedException e) {
        begun++;
      }
      CrashingDisk rest = disk.crash(random);
      store.kill();
      try (TestStore reopened = TestStore.open(rest);
          Transaction reader = reopened.read()) {
        String at = Seeds.say(seed) + ", round " + round;
        for (long i = 0; i < begun; i++) {
          boolean vertex = reader.exists(VERTICES, id(i));
          assertEquals(vertex, reader.exists(EXTERNAL_IDS, id(i)), at + ": half of commit " + i);
          assertTrue(vertex || i >= acknowledged, at + ": lost commit " + i);
        }
      }
    }
  }

  @Test
  void anInterruptDoesNotEndACommitAndTheFlagStays() throws IOException {
    try (TestStore store = TestStore.create(CommitSettings.DEFAULT)) {
      for (int i = 0; i < 50; i++) {
        Transaction transaction = store.begin();
        transaction.put(VERTICES, id(i), NONE);
        Thread.currentThread().interrupt();
        transaction.commit();
        assertTrue(Thread.interrupted());
      }
      try (Transaction reader = store.read()) {
        assertTrue(reader.exists(VERTICES, id(49)));
      }
    }
  }

  @Test
  void whatWasAcknowledgedWhileTheStoreWasClosedIsThere() throws Exception {
    MemoryDisk disk = new MemoryDisk();
    TestStore store = TestStore.open(disk, TestStore.QUICK, new ComponentFactory());
    int threads = 4;
    long[] acknowledged = new long[threads];
    Together.run(
        threads + 1,
        thread -> {
          if (thread == threads) {
            Thread.sleep(30);
            store.manager.close();
            return;
          }
          try {
            for (long i = 0; ; i++) {
              try (Transaction transaction = store.begin()) {
                transaction.put(VERTICES, id(thread * 1_000_000L + i), NONE);
                transaction.commit();
              }
              acknowledged[thread] = i + 1;
            }
          } catch (IllegalStateException | StoreFailedException e) {
            assertTrue(e.toString().contains("the store is closed"), e.toString());
          }
        });
    store.close();
    try (TestStore reopened = TestStore.open(disk, TestStore.QUICK, new ComponentFactory());
        Transaction reader = reopened.read()) {
      for (int thread = 0; thread < threads; thread++) {
        for (long i = 0; i < acknowledged[thread]; i++) {
          assertTrue(reader.exists(VERTICES, id(thread * 1_000_000L + i)));
        }
      }
    }
  }

  @Test
  void aClosedStoreBeginsNothing() throws IOException {
    TestStore store = TestStore.create();
    Transaction open = store.begin();
    open.put(VERTICES, id(1), NONE);
    store.manager.close();
    assertThrows(IllegalStateException.class, store::begin);
    assertThrows(StoreFailedException.class, open::commit);
    store.close();
  }
}
