package io.bg3.core.transaction;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.commit.OutcomeUnknownException;
import io.bg3.core.forest.TreeIds;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;

/** The outcomes that a commit may report, before its timestamp and after it. */
class CommitRulesTest {
  private static final byte[] KEY = {1};
  private static final byte[] LARGE = new byte[100_000];

  /**
   * The heap is exhausted while the locks of a commit are released: the commit has its place in the
   * log, so it may not be reported as one that can be repeated, and its large value stays live.
   */
  @RuleTest(
      rule = 5,
      sites =
          @Site(
              name = "locks released",
              in = "io.bg3.core.transaction.Committer",
              method =
                  "commit(Lio/bg3/core/transaction/TransactionContents;Lio/bg3/core/lock/LockSet;"
                      + "Ljava/nio/ByteBuffer;)Lio/bg3/core/commit/PendingCommit;",
              after = "HeldLocks.release"),
      twins =
          @Twin(
              name = "an error behind the timestamp is reported as if nothing had happened",
              in = "io.bg3.core.commit.CommitPipeline",
              method = "issueAndApply",
              without = "WriteSet.issued"))
  void anErrorBehindTheTimestampNeverLooksLikeACommitThatDidNotHappen() throws Exception {
    try (TestStore store = TestStore.create()) {
      Transaction transaction = store.begin();
      transaction.put(TreeIds.VERTICES, KEY, LARGE);
      Sites.at(
          "locks released",
          () -> {
            throw new OutOfMemoryError("planted");
          });
      assertThrows(OutcomeUnknownException.class, transaction::commit);
      Sites.requirePassed("locks released");
      assertNotNull(store.manager.failure());
      assertTrue(store.extents.liveBytes() >= LARGE.length, "the value may be wanted");
    }
  }
}
