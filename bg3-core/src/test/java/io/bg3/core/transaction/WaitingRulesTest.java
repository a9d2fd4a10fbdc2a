package io.bg3.core.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.KeySpace;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.lock.HeldLocks;
import io.bg3.core.lock.LockSet;
import io.bg3.core.lock.Locks;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import io.bg3.storage.Waiting;
import io.bg3.storage.WouldWaitException;
import io.bg3.testing.Together;
import org.junit.jupiter.api.Test;

/** Commits of a thread that may not wait: they happen at once, or nothing of them does. */
class WaitingRulesTest {
  private static final int MANY = 10_000;
  private static final byte[] ONE = {1};
  private static final byte[] TWO = {2};
  private static final byte[] VALUE = {9};

  private static Transaction writing(TestStore store, byte[]... keys) {
    Transaction transaction = store.begin();
    for (byte[] key : keys) {
      transaction.put(TreeIds.VERTICES, key, VALUE);
    }
    return transaction;
  }

  /** Whether a commit of a thread that may not wait has happened. */
  private static boolean commitsAtOnce(Transaction transaction) {
    Waiting.forbid();
    try {
      transaction.commit();
      return true;
    } catch (WouldWaitException e) {
      assertFalse(transaction.isCommitted());
      return false;
    } finally {
      Waiting.allow();
      transaction.rollback();
    }
  }

  private static boolean isThere(TestStore store, byte[] key) {
    try (Transaction transaction = store.read()) {
      return transaction.get(TreeIds.VERTICES, key) != null;
    }
  }

  /** The earlier commit has its timestamp, and its writes go into the pages only then. */
  @RuleTest(
      rule = 58,
      sites =
          @Site(
              name = "has its timestamp",
              in = "io.bg3.core.commit.CommitPipeline",
              method = "issueAndApply",
              before = "WriteSet.issued"),
      twins =
          @Twin(
              name = "a commit that may not wait begins behind one that is not in the pages",
              in = "io.bg3.core.commit.Sequencer",
              method = "issueBehind",
              without = "Sequencer.isNewest",
              result = 1))
  void noCommitThatMayNotWaitBeginsBehindOneThatIsNotInThePages() throws Exception {
    try (TestStore store = TestStore.create()) {
      Transaction large = writing(store, ONE);
      Transaction small = writing(store, TWO);
      boolean[] committed = new boolean[1];
      Sites.Other other =
          Sites.meanwhile("has its timestamp", () -> committed[0] = commitsAtOnce(small));
      large.commit();
      Sites.requirePassed("has its timestamp");
      other.join();
      assertFalse(committed[0]);
      assertTrue(isThere(store, ONE));
      assertFalse(isThere(store, TWO));
      assertTrue(commitsAtOnce(writing(store, TWO)));
      assertTrue(isThere(store, TWO));
    }
  }

  /** All stripes but those of the second key are free. */
  @RuleTest(
      rule = 58,
      twins =
          @Twin(
              name = "a commit that is given up keeps the locks that it has",
              in = "io.bg3.core.lock.Locks",
              method = "acquire",
              without = "Locks.giveBack"))
  void oneThatWouldWaitForALockHasNone() throws Exception {
    TestStore store = TestStore.create(); // with locks that are held it could not be closed
    Locks locks = store.manager.committer().locks();
    int refused = 0;
    for (int key = 1; key < 20; key++) {
      byte[] taken = {(byte) key};
      HeldLocks held = new HeldLocks(locks, stripe(locks, taken));
      if (!commitsAtOnce(writing(store, new byte[] {100}, taken, new byte[] {101}))) {
        refused++;
      }
      held.release();
      assertTrue(locks.isIdle(), "locks are held");
    }
    assertEquals(19, refused);
    assertFalse(isThere(store, new byte[] {100}));
    assertTrue(commitsAtOnce(writing(store, ONE, TWO)));
    store.close();
  }

  /**
   * A commit that fails behind its timestamp does not count as one of which nothing has happened.
   */
  @RuleTest(
      rule = 58,
      sites =
          @Site(
              name = "locks are released",
              in = "io.bg3.core.transaction.Committer",
              method =
                  "commit(Lio/bg3/core/transaction/TransactionContents;Lio/bg3/core/lock/LockSet;"
                      + "Ljava/nio/ByteBuffer;)Lio/bg3/core/commit/PendingCommit;",
              after = "HeldLocks.release"),
      twins =
          @Twin(
              name = "a commit that fails behind its timestamp looks like one that has none",
              in = "io.bg3.core.transaction.Transaction",
              method = "hasTimestamp",
              without = "WriteSet.stamp"))
  void oneThatFailsBehindItsTimestampSaysSo() throws Exception {
    try (TestStore store = TestStore.create()) {
      Transaction transaction = writing(store, ONE);
      Sites.at(
          "locks are released",
          () -> {
            throw new IllegalStateException("planted");
          });
      assertThrows(IllegalStateException.class, transaction::commit);
      Sites.requirePassed("locks are released");
      assertFalse(transaction.isCommitted());
      assertTrue(transaction.hasTimestamp());
      assertTrue(isThere(store, ONE));
    }
  }

  private static LockSet stripe(Locks locks, byte[] key) {
    int space = KeySpace.ofTree(TreeIds.VERTICES);
    LockSet set = new LockSet();
    set.add(locks.stripeOf(KeySpace.stripeHash(space, key)), true);
    return set.seal();
  }

  @Test
  void oneWaitsForNoGate() throws Exception {
    try (TestStore store = TestStore.create()) {
      HeldLocks all = new HeldLocks(store.manager.committer().locks(), LockSet.all());
      boolean[] committed = new boolean[1];
      Together.run(1, thread -> committed[0] = commitsAtOnce(writing(store, ONE)));
      all.release();
      assertFalse(committed[0]);
      assertFalse(isThere(store, ONE));
      assertTrue(commitsAtOnce(writing(store, ONE)));
    }
  }

  @Test
  void oneMakesNoCodeAndTakesNoBlockOfIds() throws Exception {
    try (TestStore store = TestStore.create()) {
      Waiting.forbid();
      try (Transaction transaction = store.begin()) {
        assertThrows(
            WouldWaitException.class, () -> transaction.code(Dictionary.Kind.PROPERTY_KEY, "name"));
        assertThrows(WouldWaitException.class, () -> store.manager.allocateIds(0, 1));
      } finally {
        Waiting.allow();
      }
      assertEquals(0, store.manager.dictionary().find(Dictionary.Kind.PROPERTY_KEY, "name"));
      assertEquals(1, store.manager.allocateIds(0, 1));
      Waiting.forbid();
      try {
        assertEquals(2, store.manager.allocateIds(0, 1));
      } finally {
        Waiting.allow();
      }
    }
  }

  @Test
  void oneWithALargeValueOrManyWritesIsGivenUp() throws Exception {
    try (TestStore store = TestStore.create()) {
      Transaction large = store.begin();
      large.put(TreeIds.VERTICES, ONE, new byte[100_000]);
      assertFalse(commitsAtOnce(large));
      byte[][] keys = new byte[1_000][];
      for (int i = 0; i < keys.length; i++) {
        keys[i] = new byte[] {(byte) (i >> 8), (byte) i};
      }
      assertFalse(commitsAtOnce(writing(store, keys)));
      assertFalse(isThere(store, ONE));
      assertFalse(isThere(store, keys[0]));
      assertEquals(0, store.extents.liveBytes());
    }
  }

  /**
   * A thread that may wait finds the conflict, and tells of it when what it rests on is visible.
   */
  @Test
  void oneTellsOfNoConflict() throws Exception {
    try (TestStore store = TestStore.create()) {
      Transaction second = writing(store, ONE);
      writing(store, ONE).commit();
      assertFalse(commitsAtOnce(second));
      assertEquals(0, store.manager.committer().conflicts());
    }
  }

  /** Leaves are split and emptied by such commits alone, as long as nothing is to be waited for. */
  @Test
  void manyFillTheStoreAndEmptyIt() throws Exception {
    try (TestStore store = TestStore.create()) {
      for (boolean isAdding : new boolean[] {true, false}) {
        for (int i = 0; i < MANY; i++) {
          byte[] key = {1, (byte) (i >> 8), (byte) i};
          while (!commitsAtOnce(isAdding ? writing(store, key) : deleting(store, key))) {
            writing(store, ONE).commit(); // may wait, and makes a segment of the log
          }
        }
        assertEquals(isAdding ? MANY : 0, count(store));
      }
      assertNull(store.manager.failure());
    }
  }

  private static Transaction deleting(TestStore store, byte[] key) {
    Transaction transaction = store.begin();
    transaction.delete(TreeIds.VERTICES, key);
    return transaction;
  }

  private static int count(TestStore store) {
    int count = 0;
    try (Transaction transaction = store.read();
        ByteCursor all =
            transaction.scan(TreeIds.VERTICES, new byte[] {1, 0}, null, ScanOrder.FORWARD)) {
      while (all.next()) {
        count++;
      }
    }
    return count;
  }
}
