package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.forest.Forest;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.OwnerMover;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.tree.FamilyOwner;
import io.bg3.core.tree.SharedTreeSurvey;
import io.bg3.core.tree.Tree;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Twin;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.memory.MemoryBudget;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Vertices that move out of INIT trees which are too large. */
class InitLimitRulesTest {
  private static final int OWNERS = 60;

  /** Above what any vertex has; an eighth is what one needs to move out of a tree too large. */
  private static final int ENTRIES = 160;

  private static final int LEAST = ENTRIES / 8;

  private static final class Store implements AutoCloseable {
    final CheckpointedStore opened = CheckpointedStore.open(new CrashingDisk());
    final EdgeModel model = new EdgeModel();

    Store() throws IOException {
      for (long owner = 0; owner < OWNERS; owner++) {
        long each = owner;
        opened.commit(
            transaction -> {
              for (int other = 0; other < edges(each); other++) {
                model.put(transaction, each, other, new byte[] {1});
              }
            });
      }
    }

    Forest forest() {
      return opened.opened().forest();
    }

    long bytes(Tree tree) {
      return SharedTreeSurvey.of(tree, 1, 1).bytes();
    }

    /** Bytes of the larger one of the INIT trees. */
    long largest() {
      return forest().initTreesInOrder().stream().mapToLong(this::bytes).max().orElseThrow();
    }

    void relieve(long limit) {
      new OwnerMover(opened.transactions(), forest(), ENTRIES, limit).relieve();
    }

    void compare() {
      try (Transaction reader = opened.transactions().begin(Isolation.STRICT, true)) {
        model.compare(reader, "");
      }
      assertEquals(List.of(), opened.check());
    }

    @Override
    public void close() {
      opened.abandon();
    }
  }

  /** Many vertices with few edges, and some with more, none of which has as many as another. */
  private static Tree sharedTree(Store store, long owner) {
    return store.forest().sharedTree(FamilyOwner.plain(owner));
  }

  private static int edges(long owner) {
    return owner % 3 == 0 ? LEAST + 1 + (int) owner : 10;
  }

  @RuleTest(
      rule = 19,
      twins = {
        @Twin(
            name = "the size of an INIT tree is not looked at",
            in = "io.bg3.core.forest.InitLimit",
            method = "surplus",
            without = "SharedTreeSurvey.bytes"),
        @Twin(
            name = "owners with few entries move out of a large tree before those with many",
            in = "io.bg3.core.tree.SharedTreeSurvey",
            method = "largest",
            without = "List.sort")
      })
  void theLargestOwnersMoveOutOfATreeThatIsTooLarge() throws Exception {
    try (Store store = new Store()) {
      long limit = store.largest() * 3 / 4;
      for (int i = 0; i < 5; i++) {
        store.relieve(limit);
      }
      assertTrue(store.largest() <= limit, store.largest() + " > " + limit);
      assertTrue(store.forest().dedicatedTrees() < OWNERS / 3, "all that may move have moved");
      for (long one = 0; one < OWNERS; one++) {
        assertFalse(edges(one) <= LEAST && store.forest().isDedicated(one), "vertex " + one);
        for (long other = 0; other < OWNERS; other++) {
          boolean isLarger = edges(one) > edges(other);
          boolean inOneTree = sharedTree(store, one).equals(sharedTree(store, other));
          assertFalse(
              isLarger
                  && inOneTree
                  && store.forest().isDedicated(other)
                  && !store.forest().isDedicated(one),
              other + " has moved and not " + one);
        }
      }
      store.compare();
    }
  }

  /** In place of {@code StoredState.topology}. */
  static long state(long state) {
    return state;
  }

  @RuleTest(
      rule = 19,
      twins =
          @Twin(
              name = "leaves without their values do not count in the size of a tree",
              in = "io.bg3.core.tree.SharedTreeSurvey",
              method = "look",
              without = "StoredState.topology",
              instead = "state"))
  void leavesWithoutTheirValuesCountInTheSizeOfATree() throws Exception {
    try (Store store = new Store()) {
      long whole = store.largest();
      store.opened.checkpoint();
      assertTrue(store.opened.evictValues() > 0);
      long without = store.largest();
      assertTrue(without > whole / 4 && without < whole * 4, without + ", before: " + whole);
    }
  }

  @Test
  void nothingMovesOutOfATreeThatIsSmallEnough() throws Exception {
    try (Store store = new Store()) {
      store.relieve(store.largest());
      assertEquals(0, store.forest().dedicatedTrees());
    }
  }

  @Test
  void aTreeOfVerticesWithFewEdgesStaysLarge() throws Exception {
    try (Store store = new Store()) {
      for (int i = 0; i < 3; i++) {
        store.relieve(1);
      }
      assertEquals(OWNERS / 3, store.forest().dedicatedTrees());
      store.compare();
    }
  }

  @RuleTest(
      rule = 56,
      twins =
          @Twin(
              name = "a vertex of a large tree that could not be moved is forgotten",
              in = "io.bg3.core.transaction.OwnerMover",
              method = "retry",
              without = "InitLimit.least",
              result = ENTRIES))
  void aVertexThatCouldNotLeaveALargeTreeIsTriedAgain() throws Exception {
    try (Store store = new Store()) {
      var mover = new OwnerMover(store.opened.transactions(), store.forest(), ENTRIES, 1);
      MemoryBudget budget = store.opened.opened().space().memory().budget();
      long rest = budget.limit() - budget.used();
      budget.reserve(rest);
      mover.relieve();
      assertEquals(0, store.forest().dedicatedTrees());
      budget.release(rest);
      TimeUnit.MILLISECONDS.sleep(1_010);
      for (int i = 0; i < OWNERS; i++) {
        mover.retry();
      }
      assertTrue(store.forest().dedicatedTrees() > 0);
      store.compare();
    }
  }
}
