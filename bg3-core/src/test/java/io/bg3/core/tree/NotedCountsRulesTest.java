package io.bg3.core.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Expiry;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.Lifetimes;
import io.bg3.core.entry.Op;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;

/**
 * Counts of edges that a thread has noted, when the leaf has changed since, is read at an older
 * snapshot, or is not the only one with edges of the owner.
 */
class NotedCountsRulesTest {
  private static final int TAG_LABEL = EdgeKey.tagLabel(EdgeKey.OUT, 1);
  private static final long OWNER = 7;
  private static final int FEW = 5; // in one leaf
  private static final int MANY = 100; // in some leaves
  private static final long FIRST = 3;
  private static final long SECOND = 6;

  /** Trees of one space, of which one has the edges of the owner. */
  private static final class Counted implements AutoCloseable {
    final TreeHarness harness = new TreeHarness(TreeKind.EDGES, 1024, 4);
    final Tree first = harness.tree;
    final Tree second = Tree.create(harness.space, 8, TreeKind.EDGES);
    final NeighbourReader reader = new NeighbourReader(harness.space);
    Tree now = first;

    /** Adds edges, from a neighbour on. */
    void write(Tree tree, int tagLabel, int from, int count, long stamp) {
      EdgeEntries entries = new EdgeEntries();
      for (int other = from; other < from + count; other++) {
        entries.append(EdgeKey.encode(OWNER, tagLabel, other, 0), Op.PUT, stamp, new byte[20]);
      }
      PendingMaintenance due = new PendingMaintenance();
      tree.apply(entries, 0, count, due);
      due.settle(Horizon.at(0));
    }

    int count(long snapshot) {
      return count(TAG_LABEL, snapshot, Expiry.NEVER);
    }

    int count(int tagLabel, long snapshot, Expiry expiry) {
      return count(reader, tagLabel, snapshot, expiry, 1_000);
    }

    /** Counts no more than one. */
    int firstOnes(long snapshot) {
      return count(reader, TAG_LABEL, snapshot, Expiry.NEVER, 1);
    }

    /** Counts in another thread than the others. */
    void countAnew(long snapshot) {
      var unused = count(new NeighbourReader(harness.space), TAG_LABEL, snapshot, Expiry.NEVER, 1);
    }

    private int count(NeighbourReader by, int tagLabel, long snapshot, Expiry expiry, int limit) {
      Neighbours counted = new Neighbours();
      counted.countOnly(true);
      long[] asked = {OWNER};
      by.read(owner -> now, asked, 0, 1, tagLabel, snapshot, expiry, limit, counted);
      assertEquals(1, counted.count());
      return counted.size();
    }

    @Override
    public void close() {
      harness.close();
    }
  }

  @RuleTest(
      rule = 60,
      twins = {
        @Twin(
            name = "a noted count is used though its leaf has changed",
            in = "io.bg3.core.tree.NotedCounts",
            method = "count",
            without = "NotedCounts.isPublished",
            result = 1),
        @Twin(
            name = "it is not counted that a block is published",
            in = "io.bg3.core.table.PageTable",
            method = "setState",
            without = "PageTable.countPublication")
      })
  void aCountIsNotUsedWhenItsLeafHasChanged() {
    try (Counted counted = new Counted()) {
      counted.write(counted.first, TAG_LABEL, 0, FEW, FIRST);
      assertEquals(FEW, counted.count(SECOND));
      counted.write(counted.first, TAG_LABEL, FEW, 1, SECOND);
      assertEquals(FEW + 1, counted.count(SECOND));
    }
  }

  @RuleTest(
      rule = 60,
      twins =
          @Twin(
              name = "an older snapshot uses a noted count",
              in = "io.bg3.core.tree.NotedCounts",
              method = "count",
              without = "NotedCounts.isSeen",
              result = 1))
  void anOlderSnapshotCountsByItself() {
    try (Counted counted = new Counted()) {
      counted.write(counted.first, TAG_LABEL, 0, FEW, FIRST);
      counted.write(counted.first, TAG_LABEL, FEW, 1, SECOND);
      assertEquals(FEW + 1, counted.count(SECOND));
      assertEquals(FEW, counted.count(FIRST));
      assertEquals(FEW + 1, counted.count(SECOND));
    }
  }

  @RuleTest(
      rule = 60,
      twins =
          @Twin(
              name = "a noted count of another tree is used",
              in = "io.bg3.core.tree.NotedCounts",
              method = "count",
              without = "NotedCounts.isOf",
              result = 1))
  void aCountIsUsedForItsTreeAlone() {
    try (Counted counted = new Counted()) {
      counted.write(counted.first, TAG_LABEL, 0, FEW, FIRST);
      counted.write(counted.second, TAG_LABEL, 0, FEW + 1, FIRST);
      assertEquals(FEW, counted.count(SECOND));
      counted.now = counted.second; // the first has not forgotten the owner
      assertEquals(FEW + 1, counted.count(SECOND));
    }
  }

  @RuleTest(
      rule = 60,
      twins =
          @Twin(
              name = "a count is noted of a leaf that has not all edges of the owner",
              in = "io.bg3.core.tree.NeighbourReader",
              method = "copy",
              without = "RunReader.goesOn",
              nth = 2))
  void aCountOfTheFirstEdgesIsNotNoted() {
    try (Counted counted = new Counted()) {
      counted.write(counted.first, TAG_LABEL, 0, MANY, FIRST);
      assertEquals(1, counted.firstOnes(SECOND));
      assertEquals(MANY, counted.count(SECOND));
    }
  }

  @RuleTest(
      rule = 60,
      twins =
          @Twin(
              name = "a count of two leaves is used though the second has changed",
              in = "io.bg3.core.tree.NotedCounts",
              method = "count",
              without = "NotedCounts.isPublished",
              nth = 2,
              result = 1))
  void aCountOfTwoLeavesIsNotUsedWhenTheSecondHasChanged() {
    countThenAddOne();
  }

  @RuleTest(
      rule = 60,
      twins =
          @Twin(
              name = "a count of three leaves is noted with two",
              in = "io.bg3.core.tree.NotedCounts",
              method = "note",
              without = "CountedPages.areAll",
              result = 1))
  void aCountOfThreeLeavesIsNotNoted() {
    countThenAddOne();
  }

  @RuleTest(
      rule = 60,
      twins =
          @Twin(
              name = "a count is noted at a snapshot that does not see the whole leaf",
              in = "io.bg3.core.tree.NotedCounts",
              method = "note",
              without = "CountedPages.newest"))
  void aCountIsNotedByASnapshotThatSeesTheWholeLeaf() {
    try (Counted counted = new Counted()) {
      counted.write(counted.first, TAG_LABEL, 0, FEW, FIRST);
      counted.write(counted.first, TAG_LABEL, FEW, 1, SECOND);
      assertEquals(FEW, counted.count(FIRST));
      assertEquals(FEW + 1, counted.count(SECOND));
    }
  }

  @RuleTest(
      rule = 60,
      twins =
          @Twin(
              name = "the count of edges that may expire is noted",
              in = "io.bg3.core.tree.NotedCounts",
              method = "note",
              without = "NotedCounts.mayExpire"))
  void aCountOfEdgesThatExpireIsNotNoted() {
    int label = EdgeKey.ttlLabel(0, 1);
    int tagLabel = EdgeKey.tagLabel(EdgeKey.OUT, label);
    Lifetimes lifetimes = new Lifetimes();
    lifetimes.put(label, 10);
    long stamp = 5L << Expiry.STAMP_SHIFT;
    try (Counted counted = new Counted()) {
      counted.write(counted.first, tagLabel, 0, FEW, stamp);
      assertEquals(FEW, counted.count(tagLabel, stamp, new Expiry(lifetimes, 14)));
      assertEquals(0, counted.count(tagLabel, stamp, new Expiry(lifetimes, 15)));
    }
  }

  @RuleTest(
      rule = 60,
      sites = @Site(name = "reads", in = "io.bg3.core.tree.NotedCounts", method = "place"),
      twins =
          @Twin(
              name = "a count is used with the place of the next note",
              in = "io.bg3.core.tree.NotedCounts",
              method = "count",
              without = "NotedCounts.isOneNote",
              result = 1))
  void aCountIsNotUsedWithThePlaceOfAnother() {
    try (Counted counted = new Counted()) {
      counted.write(counted.first, TAG_LABEL, 0, FEW, FIRST);
      assertEquals(FEW, counted.count(SECOND));
      Sites.at("reads", () -> addAndNote(counted));
      assertEquals(FEW + 1, counted.count(SECOND));
      Sites.requirePassed("reads");
    }
  }

  /** Counts the edges of owners with one leaf and with several, before the last leaf changes. */
  private static void countThenAddOne() {
    for (int edges = FEW; edges <= MANY; edges += FEW) {
      try (Counted counted = new Counted()) {
        counted.write(counted.first, TAG_LABEL, 0, edges, FIRST);
        assertEquals(edges, counted.count(SECOND));
        counted.write(counted.first, TAG_LABEL, edges, 1, SECOND);
        assertEquals(edges + 1, counted.count(SECOND), "edges=" + edges);
      }
    }
  }

  /** Another thread adds an edge, and notes the new count. */
  private static void addAndNote(Counted counted) {
    Thread other =
        new Thread(
            () -> {
              counted.write(counted.first, TAG_LABEL, FEW, 1, SECOND);
              counted.countAnew(SECOND);
            });
    other.start();
    try {
      other.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
