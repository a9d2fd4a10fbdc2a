package io.bg3.core.transaction;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.DegreeKey;
import io.bg3.core.entry.EdgeKey;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Twin;

/** Counters of vertices in commits that meet, and what is remembered of them. */
class CountRulesTest {
  private static final int OUT = EdgeKey.tagLabel(EdgeKey.OUT, 1);
  private static final int OTHER_LABEL = EdgeKey.tagLabel(EdgeKey.OUT, 2);
  private static final long OWNER = 7;

  @RuleTest(
      rule = 16,
      twins =
          @Twin(
              name = "a counter that another commit has added to is a conflict",
              in = "io.bg3.core.tree.LeafWrites",
              method = "newer",
              without = "Entries.isCounter"))
  void incrementsDoNotConflict() throws Exception {
    try (TestStore store = TestStore.create();
        Transaction one = store.begin();
        Transaction other = store.begin()) {
      one.addCount(OWNER, 1, 2);
      one.putEdge(OWNER, OUT, 1, 0, new byte[0]);
      other.addCount(OWNER, 1, 3);
      other.putEdge(OWNER, OUT, 2, 0, new byte[0]);
      one.commit();
      assertDoesNotThrow(other::commit);
      assertEquals(5, count(store));
    }
  }

  /** The counter would fall below zero: because the edge has gone already. */
  @RuleTest(
      rule = 16,
      twins =
          @Twin(
              name = "a counter that would fall below zero is reported in place of a conflict",
              in = "io.bg3.core.transaction.Committer",
              method = "conflictOfCounts",
              without = "Committer.newer"))
  void ofTwoCommitsThatRemoveTheOnlyEdgeOneConflicts() throws Exception {
    try (TestStore store = TestStore.create()) {
      try (Transaction first = store.begin()) {
        first.putEdge(OWNER, OUT, 1, 0, new byte[0]);
        first.addCount(OWNER, 1, 1);
        first.commit();
      }
      try (Transaction one = store.begin();
          Transaction other = store.begin()) {
        for (Transaction each : new Transaction[] {one, other}) {
          each.deleteEdge(OWNER, OUT, 1, 0);
          each.addCount(OWNER, 1, -1);
        }
        one.commit();
        assertThrows(ConflictException.class, other::commit);
      }
      assertEquals(0, count(store));
    }
  }

  @RuleTest(
      rule = 43,
      twins =
          @Twin(
              name = "what is remembered of a vertex is taken for another's",
              in = "io.bg3.core.transaction.AppliedCounts",
              method = "of",
              without = "Remembered.isOf",
              result = 1))
  void whatIsRememberedBelongsToOneVertex() {
    AppliedCounts applied = new AppliedCounts(new InTree());
    long other = OWNER + 1;
    while (AppliedCounts.slot(other) != AppliedCounts.slot(OWNER)) {
      other++;
    }
    applied.remember(OWNER, DegreeKey.of(OWNER, OTHER_LABEL), 1);
    assertTrue(applied.remembers(OWNER));
    assertEquals(OWNER, applied.newest(DegreeKey.of(OWNER, OUT)));
    assertFalse(applied.remembers(other));
    assertEquals(other, applied.newest(DegreeKey.of(other, OUT)));
    applied.forget(other);
    assertTrue(applied.remembers(OWNER));
    applied.remember(other, DegreeKey.of(other, OTHER_LABEL), 1);
    assertFalse(applied.remembers(OWNER));
    assertEquals(OWNER, applied.newest(DegreeKey.of(OWNER, OUT)));
  }

  /** Has an owner's number as each of its counts. */
  private static final class InTree extends Validation {
    InTree() {
      super(null, null, null);
    }

    @Override
    byte[] newest(int space, byte[] key) {
      return CounterIncrements.encode(EdgeKey.owner(key));
    }
  }

  private static long count(TestStore store) {
    try (Transaction reader = store.read()) {
      return reader.count(OWNER, 1);
    }
  }
}
