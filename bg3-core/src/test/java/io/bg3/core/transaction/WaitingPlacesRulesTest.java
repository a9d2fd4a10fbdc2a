package io.bg3.core.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.forest.TreeIds;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import io.bg3.storage.Waiting;
import io.bg3.storage.WouldWaitException;
import io.bg3.storage.file.MemoryDisk;
import io.bg3.storage.log.LogSettings;
import io.bg3.storage.log.WriteAheadLog;
import org.junit.jupiter.api.AfterEach;

/** The places in which a commit may have to wait, each by itself, for a thread that may not. */
class WaitingPlacesRulesTest {
  private static final Dictionary.Kind KIND = Dictionary.Kind.VERTEX_LABEL;
  private static final byte[] KEY = {1};

  /** Ends the wait of a twin. */
  private static Runnable end = () -> {};

  @AfterEach
  void forget() {
    end = () -> {};
  }

  /** Stands in a twin for the question whether the thread may wait. */
  static void waits(String what) {
    end.run();
  }

  private static Transaction writing(TestStore store) {
    Transaction transaction = store.begin();
    transaction.put(TreeIds.VERTICES, KEY, KEY);
    return transaction;
  }

  /** Whether a commit of a thread that may not wait has happened. */
  private static boolean commitsAtOnce(TestStore store, Transaction transaction) {
    Waiting.forbid();
    try {
      transaction.commit();
    } catch (WouldWaitException e) {
      assertFalse(transaction.hasTimestamp());
      assertTrue(store.manager.committer().locks().isIdle(), "locks are held");
    } catch (RuntimeException e) {
      throw new AssertionError("it has not said that it would have to wait", e);
    } finally {
      Waiting.allow();
      transaction.rollback();
    }
    return transaction.isCommitted();
  }

  private static boolean isThere(TestStore store) {
    try (Transaction transaction = store.read()) {
      return transaction.get(TreeIds.VERTICES, KEY) != null;
    }
  }

  @RuleTest(
      rule = 58,
      twins =
          @Twin(
              name = "a commit that may not wait keeps to the pace of commits",
              in = "io.bg3.core.commit.CommitThrottle$Queue",
              method = "await",
              without = "Waiting.require",
              instead = "waits"))
  void oneWaitsForNoPace() throws Exception {
    try (TestStore store = TestStore.create()) {
      writing(store).commit();
      end = () -> store.manager.throttle().log().limit(0, 1, Long.MAX_VALUE);
      store.manager.throttle().log().limit(0, 1, 2);
      boolean committed = commitsAtOnce(store, writing(store));
      end.run();
      assertFalse(committed);
    }
  }

  @RuleTest(
      rule = 58,
      twins =
          @Twin(
              name = "a commit that may not wait requests memory and waits for it",
              in = "io.bg3.core.commit.AdmittedCommit",
              method = "isRequested",
              without = "Waiting.isForbidden"))
  void oneWaitsForNoMemory() throws Exception {
    try (TestStore store = TestStore.create()) {
      store.budget.setPatience(1);
      Transaction transaction = writing(store);
      long rest = store.budget.limit() - store.budget.used();
      store.budget.reserve(rest);
      try {
        assertFalse(commitsAtOnce(store, transaction));
      } finally {
        store.budget.release(rest);
        store.budget.resetPatience();
      }
      assertFalse(isThere(store));
      assertTrue(commitsAtOnce(store, writing(store)));
      assertTrue(isThere(store));
    }
  }

  /** Another thread makes a code, which the commit has found missing. */
  @RuleTest(
      rule = 58,
      sites =
          @Site(
              name = "a code is made",
              in = "io.bg3.core.transaction.Dictionary",
              method = "make",
              before = "Committer.commitAlone"),
      twins =
          @Twin(
              name = "a commit that may not wait goes on while a code is made",
              in = "io.bg3.core.transaction.Committer",
              method = "runUnlessCodeFound",
              without = "Lock.tryLock",
              result = 1))
  void oneWaitsForNoCode() throws Exception {
    try (TestStore store = TestStore.create()) {
      Transaction missing = writing(store);
      assertEquals(0, missing.findCode(KIND, "a"));
      boolean[] committed = new boolean[1];
      Sites.Other other =
          Sites.meanwhile("a code is made", () -> committed[0] = commitsAtOnce(store, missing));
      try (Transaction maker = store.begin()) {
        maker.code(KIND, "a");
      }
      Sites.requirePassed("a code is made");
      other.join();
      assertFalse(committed[0]);
      assertFalse(isThere(store));
    }
  }

  @RuleTest(
      rule = 58,
      twins =
          @Twin(
              name = "a thread that may not wait waits for the log to be written",
              in = "io.bg3.storage.log.WriteAheadLog",
              method = "admit",
              without = "Waiting.require",
              instead = "waits"))
  void oneReservesNoLogThatIsBehind() throws Exception {
    LogSettings settings = new LogSettings(7, 1 << 16, 1 << 20, 100, 1 << 16);
    WriteAheadLog log = WriteAheadLog.create(new MemoryDisk(), settings, 0);
    log.reserve(200);
    end = () -> log.release(200);
    Waiting.forbid();
    try {
      assertThrows(WouldWaitException.class, () -> log.reserve(10));
      end.run();
      log.reserve(10); // what was refused is not promised
      log.release(10);
    } finally {
      Waiting.allow();
    }
    log.close();
  }
}
