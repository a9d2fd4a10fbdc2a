package io.bg3.core.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Expiry;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.Op;
import io.bg3.core.page.PageRead;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;

/**
 * Owners that move to another tree while a reader is on its way: the reader stands before its
 * epoch, and when it goes on its owner has moved and the first tree has forgotten it.
 */
class RouteRulesTest {
  private static final int TAG_LABEL = EdgeKey.tagLabel(EdgeKey.OUT, 1);
  private static final int OTHERS = 100; // some leaves
  private static final long WRITTEN = 3;
  private static final long ERASED = 4;
  private static final long AFTER_THE_MOVE = 6;

  /** The tree that a route named before the reader's epoch; for the twins. */
  private static Tree before;

  static Tree remembered(TreeRoute route, long owner) {
    return before;
  }

  /** One owner's edges in the first of two trees. */
  private static final class Moving implements AutoCloseable {
    static final long OWNER = 7;

    final TreeHarness harness = new TreeHarness(TreeKind.EDGES, 512, 4);
    final Tree first = harness.tree;
    final Tree second = Tree.create(harness.space, 8, TreeKind.EDGES);
    final byte[] low = EdgeKey.prefix(OWNER, TAG_LABEL);
    final byte[] high = EdgeKey.after(low);
    Tree now = first;
    final RoutedReads reads = new RoutedReads(harness.space, owner -> now);

    Moving() {
      write(first, Op.PUT, WRITTEN);
    }

    void write(Tree tree, byte op, long stamp) {
      EdgeEntries entries = new EdgeEntries();
      for (int other = 0; other < OTHERS; other++) {
        byte[] value = op == Op.PUT ? new byte[20] : null;
        entries.append(EdgeKey.encode(OWNER, TAG_LABEL, other, 0), op, stamp, value);
      }
      PendingMaintenance due = new PendingMaintenance();
      tree.apply(entries, 0, OTHERS, due);
      due.settle(Horizon.at(0));
    }

    void move() {
      write(second, Op.PUT, WRITTEN);
      now = second;
      harness.epochs.awaitQuiescence(); // the reader is in none
      write(first, Op.TOMBSTONE, ERASED);
      EdgeEntries more = new EdgeEntries();
      byte[] key = EdgeKey.encode(OWNER, TAG_LABEL, OTHERS, 0);
      more.append(key, Op.PUT, AFTER_THE_MOVE, new byte[20]);
      second.apply(more, 0, 1, new PendingMaintenance());
    }

    @Override
    public void close() {
      harness.close();
    }
  }

  private static Moving aMoveBeforeTheNextEpoch() {
    Moving moving = new Moving();
    before = moving.first;
    Sites.at("enters", moving::move);
    return moving;
  }

  @RuleTest(
      rule = 12,
      sites = @Site(name = "enters", in = "io.bg3.storage.memory.Epochs", method = "enter"),
      twins =
          @Twin(
              name = "a look-up goes to the tree that the route named before",
              in = "io.bg3.core.tree.RoutedReads",
              method = "lookUp",
              without = "TreeRoute.tree",
              instead = "remembered"))
  void aLookUpFindsAnOwnerThatMovesMeanwhile() {
    try (Moving moving = aMoveBeforeTheNextEpoch()) {
      PageRead read = new PageRead();
      byte[] key = EdgeKey.encode(Moving.OWNER, TAG_LABEL, 5, 0);
      boolean found = moving.reads.find(Moving.OWNER, key, Long.MAX_VALUE, read);
      Sites.requirePassed("enters");
      assertTrue(found && !read.version().isTombstone());
    }
  }

  @RuleTest(
      rule = 12,
      sites = @Site(name = "enters", in = "io.bg3.storage.memory.Epochs", method = "enter"),
      twins =
          @Twin(
              name = "a scan goes on in the tree that the route named before",
              in = "io.bg3.core.tree.RoutedReads",
              method = "copyForward",
              without = "TreeRoute.tree",
              instead = "remembered"))
  void aScanGoesOnWhereItsOwnerIs() {
    try (Moving moving = new Moving()) {
      before = moving.first;
      LeafSource leaves = moving.reads.leaves(Moving.OWNER);
      EdgeEntries into = new EdgeEntries();
      byte[] next = leaves.copyForward(moving.low, moving.high, WRITTEN, true, 1, into);
      Sites.at("enters", moving::move); // between two leaves
      while (next != null) {
        next = leaves.copyForward(next, moving.high, Long.MAX_VALUE, true, 1_000, into);
      }
      Sites.requirePassed("enters");
      assertEquals(OTHERS + 1, into.count());
    }
  }

  @RuleTest(
      rule = 12,
      sites = @Site(name = "enters", in = "io.bg3.storage.memory.Epochs", method = "enter"),
      twins =
          @Twin(
              name = "a number is reserved by the tree that the route named before",
              in = "io.bg3.core.tree.RoutedReads",
              method = "copyBackward",
              without = "TreeRoute.tree",
              instead = "remembered"))
  void theLastEdgeOfAnOwnerIsTheOneThatItHasNow() {
    try (Moving moving = aMoveBeforeTheNextEpoch()) {
      EdgeEntries into = new EdgeEntries();
      moving.reads.copyBackward(
          Moving.OWNER, moving.low, moving.high, Long.MAX_VALUE, false, 1, into);
      Sites.requirePassed("enters");
      assertTrue(into.count() > 0, "the owner has no edge");
      assertEquals(OTHERS, into.other(into.count() - 1));
    }
  }

  @RuleTest(
      rule = 12,
      sites = @Site(name = "enters", in = "io.bg3.storage.memory.Epochs", method = "enter"),
      twins =
          @Twin(
              name = "changes are looked for in the tree that the route named before",
              in = "io.bg3.core.tree.ChangeSearch",
              method = "find",
              without = "TreeRoute.tree",
              instead = "remembered"))
  void aChangeIsFoundInTheTreeThatAnOwnerHasMovedTo() {
    try (Moving moving = aMoveBeforeTheNextEpoch()) {
      boolean changed = moving.reads.changedAfter(Moving.OWNER, moving.low, moving.high, ERASED);
      Sites.requirePassed("enters");
      assertTrue(changed);
    }
  }

  @RuleTest(
      rule = 12,
      sites = @Site(name = "enters", in = "io.bg3.storage.memory.Epochs", method = "enter"),
      twins =
          @Twin(
              name = "neighbours are read from the tree that the route named before",
              in = "io.bg3.core.tree.NeighbourReader",
              method = "readGroup",
              without = "TreeRoute.tree",
              instead = "remembered"))
  void neighboursAreReadWhereTheirOwnerIs() {
    try (Moving moving = aMoveBeforeTheNextEpoch()) {
      NeighbourReader reader = new NeighbourReader(moving.harness.space);
      Neighbours neighbours = new Neighbours();
      long[] asked = {Moving.OWNER, Moving.OWNER};
      reader.read(
          owner -> moving.now,
          asked,
          0,
          2,
          TAG_LABEL,
          Long.MAX_VALUE,
          Expiry.NEVER,
          1_000,
          neighbours);
      Sites.requirePassed("enters");
      assertEquals(2 * (OTHERS + 1), neighbours.size());
    }
  }
}
