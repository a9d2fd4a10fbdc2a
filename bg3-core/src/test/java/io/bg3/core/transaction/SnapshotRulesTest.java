package io.bg3.core.transaction;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.Horizon;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.snapshot.SnapshotSlots;
import io.bg3.core.snapshot.SnapshotTooOldException;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Versions that open snapshots read are kept, and a snapshot whose versions are gone gets no
 * answer.
 */
class SnapshotRulesTest {
  private static final byte[] KEY = {1};
  private static final byte[] OLD = {10};
  private static final byte[] NEW = {20};

  // ---- Slot and claim.

  /** How twins that change the order get at a slot's words: its snapshot, and its claim behind. */
  private static AtomicLongArray chunk(SnapshotSlots slots) {
    try {
      Field chunks = SnapshotSlots.class.getDeclaredField("chunks");
      chunks.setAccessible(true);
      return ((AtomicLongArray[]) ((AtomicReference<?>) chunks.get(slots)).get())[0];
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static int at(int slot) {
    return slot * 16;
  }

  static void releaseSlotFirst(SnapshotSlots slots, int slot, long claim) {
    AtomicLongArray chunk = chunk(slots);
    boolean kept = chunk.get(at(slot) + 1) == (claim | 1L << 62);
    slots.release(slot);
    Sites.pass("between claim and slot");
    if (kept) {
      chunk.setRelease(at(slot) + 1, -claim);
    } else {
      chunk.compareAndSet(at(slot) + 1, claim, -claim);
    }
  }

  @RuleTest(
      rule = 9,
      sites =
          @Site(
              name = "between claim and slot",
              in = "io.bg3.core.snapshot.SnapshotSlots",
              method = "release(IJ)V",
              before = "SnapshotSlots.release"),
      twins =
          @Twin(
              name = "a commit frees its slot before its claim",
              in = "io.bg3.core.snapshot.SnapshotSlots",
              method = "release(IJ)V",
              instead = "releaseSlotFirst"))
  void aSlotThatIsReleasedIsNotTakenFromWhoRegistersNext() {
    SnapshotSlots slots = new SnapshotSlots(() -> 10);
    int slot = slots.register();
    long claim = slots.claim(slot, 1);
    assertTrue(slots.keep(slot, claim));
    int[] nextSlot = new int[1];
    long[] nextClaim = new long[1];
    Sites.at( // by the same thread, which looks for a free slot where it found one before
        "between claim and slot",
        () -> {
          nextSlot[0] = slots.register();
          nextClaim[0] = slots.claim(nextSlot[0], 2);
        });
    slots.release(slot, claim);
    Sites.requirePassed("between claim and slot");
    assertTrue(slots.holds(nextSlot[0], nextClaim[0]), "the next claim was taken away");
    slots.release(nextSlot[0], nextClaim[0]);
    assertEquals(0, slots.count(), "a slot is never given back");
  }

  static int expireSlotFirst(SnapshotSlots slots, long before) {
    AtomicLongArray chunk = chunk(slots);
    int expired = 0;
    for (int slot = 0; slot < 64; slot++) {
      long claim = chunk.get(at(slot) + 1);
      if (claim > 0 && (claim & 1L << 62) == 0 && chunk.get(at(slot) + 2) < before) {
        slots.release(slot);
        Sites.pass("between claim and slot");
        chunk.compareAndSet(at(slot) + 1, claim, -claim);
        expired++;
      }
    }
    return expired;
  }

  @RuleTest(
      rule = 9,
      sites =
          @Site(
              name = "between claim and slot",
              in = "io.bg3.core.snapshot.SnapshotSlots",
              method = "expire",
              before = "SnapshotSlots.release"),
      twins =
          @Twin(
              name = "the slot of a transaction that is too old is freed before its claim",
              in = "io.bg3.core.snapshot.SnapshotSlots",
              method = "expire",
              instead = "expireSlotFirst"))
  void aSnapshotIsPrunedOnlyWhenItsReaderCanSeeThatItIsTooOld() {
    AtomicLong visible = new AtomicLong(10);
    SnapshotSlots slots = new SnapshotSlots(visible::get);
    int slot = slots.register();
    long claim = slots.claim(slot, 1);
    visible.set(20);
    boolean[] wrong = new boolean[1];
    Sites.at(
        "between claim and slot",
        () -> {
          Horizon horizon = slots.horizon();
          boolean kept = Arrays.binarySearch(horizon.snapshots(), 10) >= 0;
          wrong[0] = !kept && slots.holds(slot, claim);
        });
    assertEquals(1, slots.expire(5));
    Sites.requirePassed("between claim and slot");
    assertFalse(wrong[0], "its versions may go, and its reader believes that they are there");
    assertFalse(slots.holds(slot, claim));
    assertEquals(0, slots.count());
  }

  @RuleTest(
      rule = 9,
      twins =
          @Twin(
              name = "a snapshot is registered without a second look at the cut",
              in = "io.bg3.core.snapshot.SnapshotSlots",
              method = "mustTakeAnother"))
  void aSnapshotThatIsRegisteredLateIsNotBelowTheCut() {
    AtomicLong visible = new AtomicLong(50);
    SnapshotSlots[] slots = new SnapshotSlots[1];
    Horizon[] horizon = new Horizon[1];
    boolean[] late = new boolean[1];
    slots[0] =
        new SnapshotSlots(
            () -> {
              long seen = visible.get();
              if (late[0]) {
                late[0] = false;
                visible.set(90);
                horizon[0] = slots[0].horizon();
              }
              return seen;
            });
    late[0] = true;
    int slot = slots[0].register();
    assertTrue(slots[0].snapshot(slot) >= horizon[0].cut());
  }

  // ---- Readers of pages.

  /** Commits a value of a key. */
  private static void put(TestStore store, byte[] key, byte[] value) {
    try (Transaction transaction = store.begin()) {
      transaction.put(TreeIds.VERTICES, key, value);
      transaction.commit();
    }
  }

  private static void delete(TestStore store, byte[] key) {
    try (Transaction transaction = store.begin()) {
      transaction.delete(TreeIds.VERTICES, key);
      transaction.commit();
    }
  }

  /** Commits other keys until the leaf has been written anew, and its old versions are gone. */
  private static void prune(TestStore store, int bytes) {
    for (int i = 0; i < 20; i++) {
      put(store, new byte[] {2, (byte) i}, new byte[bytes]);
    }
  }

  /**
   * Asks for a key while its versions are pruned between snapshot and page. An older snapshot is
   * open, so the new version keeps its timestamp, and the one that is asked for is gone.
   */
  private static byte[] askWhilePruned(TestStore store, int bytes) {
    Transaction older = store.read();
    try {
      put(store, KEY, OLD);
      return askWhileOverwritten(store, bytes);
    } finally {
      older.rollback();
    }
  }

  private static byte[] askWhileOverwritten(TestStore store, int bytes) {
    NewestReader reader = store.manager.newestReader();
    boolean[] first = {true};
    return reader.ask(
        () -> {
          if (first[0]) {
            first[0] = false;
            put(store, KEY, NEW);
            prune(store, bytes);
          }
          return reader.get(TreeIds.VERTICES, KEY);
        });
  }

  @RuleTest(
      rule = 9,
      twins = {
        @Twin(
            name = "a reader without a slot does not look at the page's cut",
            in = "io.bg3.core.transaction.NewestReader",
            method = "check",
            without = "PageRead.cut"),
        @Twin(
            name = "a leaf that is consolidated does not say its cut",
            in = "io.bg3.core.tree.Tree",
            method = "consolidate",
            without = "Math.max"),
        @Twin(
            name = "a delta does not say the cut of the leaf before it",
            in = "io.bg3.core.page.LeafFormat",
            method = "rebuildDelta",
            without = "LeafBlock.cut")
      })
  void anAnswerWithoutASlotLacksNoVersionThatWasPruned() throws Exception {
    try (TestStore store = TestStore.create()) {
      assertArrayEquals(NEW, askWhilePruned(store, 1));
    }
  }

  @RuleTest(
      rule = 9,
      twins =
          @Twin(
              name = "pieces of a leaf that is split forget its cut",
              in = "io.bg3.core.tree.PageSplitter",
              method = {"splitInStructure", "addLatched"},
              without = "Math.max"))
  void anAnswerFromAPageThatWasSplitLacksNoVersion() throws Exception {
    try (TestStore store = TestStore.create()) {
      assertArrayEquals(NEW, askWhilePruned(store, 400));
    }
  }

  // ---- Commits.

  @RuleTest(
      rule = 9,
      sites =
          @Site(
              name = "commits",
              in = "io.bg3.core.transaction.Transaction",
              method = "apply",
              before = "Committer.commit"),
      twins =
          @Twin(
              name = "a commit does not keep its claim until it has validated",
              in = "io.bg3.core.transaction.Transaction",
              method = "apply",
              without = "SnapshotClaim.keep"))
  void aCommitValidatesAgainstVersionsThatAreStillThere() throws Exception {
    try (TestStore store = TestStore.create()) {
      put(store, KEY, OLD);
      Transaction transaction = store.begin();
      assertArrayEquals(OLD, transaction.get(TreeIds.VERTICES, KEY));
      transaction.put(TreeIds.VERTICES, new byte[] {9}, NEW);
      delete(store, KEY);
      Sites.at(
          "commits",
          () -> {
            store.manager.slots().expire(Long.MAX_VALUE);
            prune(store, 1); // without the snapshot, the tombstone that it would conflict with too
          });
      boolean committed = true;
      try {
        transaction.commit();
      } catch (ConflictException | SnapshotTooOldException e) {
        committed = false;
      }
      Sites.requirePassed("commits");
      assertFalse(committed, "what it read has been removed, and nobody has noticed");
    }
  }

  @RuleTest(
      rule = 9,
      twins =
          @Twin(
              name = "a reader does not look whether its snapshot was taken away",
              in = "io.bg3.core.snapshot.SnapshotClaim",
              method = "check"))
  void aReaderWhoseSnapshotWasTakenAwayIsTold() throws Exception {
    try (TestStore store = TestStore.create()) {
      put(store, KEY, OLD);
      try (Transaction reader = store.read()) {
        delete(store, KEY);
        store.manager.slots().expire(Long.MAX_VALUE);
        prune(store, 1);
        byte[] found = null;
        boolean told = false;
        try {
          found = reader.get(TreeIds.VERTICES, KEY);
        } catch (SnapshotTooOldException e) {
          told = true;
        }
        assertTrue(told, "it was answered " + Arrays.toString(found));
      }
    }
  }
}
