package io.bg3.core.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.commit.CommitSettings;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;

/**
 * The locks that commits and retries hold while they validate, and those that they wait for before.
 */
class LockRulesTest {
  private static final byte[] ONE = EdgeKey.prefix(1); // of one vertex, hence of one stripe
  private static final byte[] TWO = EdgeKey.prefix(2);

  private static boolean commits(Transaction transaction) {
    try {
      transaction.commit();
      return true;
    } catch (ConflictException e) {
      return false;
    }
  }

  private static Transaction readAndWrite(TestStore store, byte[] read, byte[] write) {
    Transaction transaction = store.begin();
    transaction.get(TreeIds.VERTICES, read);
    transaction.put(TreeIds.VERTICES, write, new byte[] {1});
    return transaction;
  }

  /** Each reads what the other writes: at most one may happen. */
  @RuleTest(
      rule = 14,
      sites =
          @Site(
              name = "validated",
              in = "io.bg3.core.transaction.Committer",
              method = "runUnlessCodeFound",
              before = "CommitPipeline.run"),
      twins = {
        @Twin(
            name = "commits hold no stripes",
            in = "io.bg3.core.lock.Locks",
            method = {"acquire", "release"},
            without = {"Stripes.lock", "Stripes.unlock"}),
        @Twin(
            name = "a commit does not lock what it has read",
            in = "io.bg3.core.transaction.Committer",
            method = "lockSet",
            without = "Committer.addReads")
      })
  void oneOfTwoCommitsThatReadWhatTheOtherWritesIsRefused() throws Exception {
    try (TestStore store = TestStore.create()) {
      Transaction first = readAndWrite(store, ONE, TWO);
      Transaction second = readAndWrite(store, TWO, ONE);
      boolean[] committed = new boolean[2];
      Sites.Other other = Sites.meanwhile("validated", () -> committed[1] = commits(second));
      committed[0] = commits(first);
      Sites.requirePassed("validated");
      other.join();
      assertTrue(committed[0] ^ committed[1], "write skew");
    }
  }

  /** Reads all vertices and adds one if there is none. */
  private static Transaction addIfNone(TestStore store, byte[] key) {
    Transaction transaction = store.begin();
    try (ByteCursor all = transaction.scan(TreeIds.VERTICES, null, null, ScanOrder.FORWARD)) {
      assertEquals(false, all.next());
    }
    transaction.put(TreeIds.VERTICES, key, new byte[] {1});
    return transaction;
  }

  @RuleTest(
      rule = 14,
      sites =
          @Site(
              name = "validated",
              in = "io.bg3.core.transaction.Committer",
              method = "runUnlessCodeFound",
              before = "CommitPipeline.run"),
      twins =
          @Twin(
              name = "a commit that read everything does not close the gate",
              in = "io.bg3.core.lock.Locks",
              method = {"acquire", "release"},
              without = {"Gate.enterExclusively", "Gate.leaveExclusively"}))
  void nothingComesIntoARangeBetweenItsValidationAndItsCommit() throws Exception {
    try (TestStore store = TestStore.create()) {
      Transaction first = addIfNone(store, ONE);
      Transaction second = addIfNone(store, TWO);
      boolean[] committed = new boolean[2];
      Sites.Other other = Sites.meanwhile("validated", () -> committed[1] = commits(second));
      committed[0] = commits(first);
      Sites.requirePassed("validated");
      other.join();
      assertTrue(committed[0] ^ committed[1], "a phantom");
    }
  }

  @RuleTest(
      rule = 14,
      sites =
          @Site(
              name = "looked before the gate",
              in = "io.bg3.core.transaction.Committer",
              method =
                  "commit(Lio/bg3/core/transaction/TransactionContents;Lio/bg3/core/lock/LockSet;"
                      + "Ljava/nio/ByteBuffer;)Lio/bg3/core/commit/PendingCommit;",
              before = "Committer.lock"),
      twins =
          @Twin(
              name = "a range is not looked at again inside the gate",
              in = "io.bg3.core.transaction.Committer",
              method = "changedRead",
              without = "Validation.changedRead"))
  void whatComesIntoARangeBeforeTheGateIsClosedIsFound() throws Exception {
    try (TestStore store = TestStore.create()) {
      Transaction first = addIfNone(store, ONE);
      Transaction second = addIfNone(store, TWO);
      boolean[] committed = new boolean[2];
      Sites.Other other =
          Sites.meanwhile("looked before the gate", () -> committed[1] = commits(second));
      committed[0] = commits(first);
      Sites.requirePassed("looked before the gate");
      other.join();
      assertTrue(committed[0] ^ committed[1], "a phantom");
    }
  }

  /**
   * Another one changes the key at each of the first attempts, and before the fourth takes its
   * locks, with a commit that is in the pages by then and not yet visible.
   */
  @RuleTest(
      rule = 17,
      sites =
          @Site(
              name = "locks",
              in = "io.bg3.core.transaction.Retry",
              method = "lock",
              before = "CommitThrottle.await"),
      twins =
          @Twin(
              name = "a retry does not wait for what was issued before its snapshot",
              in = "io.bg3.core.transaction.Retry$Attempt",
              method = "run",
              without = "Visibility.awaitVisible"))
  void anAttemptUnderLocksDoesNotConflict() throws Exception {
    try (TestStore store = TestStore.create(CommitSettings.DEFAULT)) {
      Sites.at("locks", () -> write(store).apply());
      int[] attempts = new int[1];
      store.manager.retry(
          Isolation.STRICT,
          transaction -> {
            transaction.get(TreeIds.VERTICES, ONE);
            transaction.put(TreeIds.VERTICES, ONE, new byte[] {9});
            if (++attempts[0] <= 3) {
              write(store).commit();
            }
            return null;
          });
      Sites.requirePassed("locks");
      assertEquals(4, attempts[0]);
    }
  }

  private static Transaction write(TestStore store) {
    Transaction transaction = store.begin();
    transaction.put(TreeIds.VERTICES, ONE, new byte[] {1});
    return transaction;
  }
}
