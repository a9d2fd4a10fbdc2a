package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.transaction.ConflictException;
import io.bg3.core.transaction.EdgeCursor;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.OwnerMover;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.tree.FamilyOwner;
import io.bg3.core.tree.FamilySettings;
import io.bg3.core.tree.Tree;
import io.bg3.core.tree.TreeShape;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Twin;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Vertices that move out of the tree of a family, and back (R54). */
class FamilyMoveRulesTest {
  private static final int OWNERS = 12;
  private static final int EDGES = 40; // half of them of the family
  private static final int ENTRIES = 8;
  private static final long OWNER = 5;
  private static final FamilyOwner IN_FAMILY = new FamilyOwner(OWNER, 1);
  private static final FamilyOwner PLAIN = FamilyOwner.plain(OWNER);
  private static final FamilySettings SPLITTING = new FamilySettings(0, 0, 0, ENTRIES, null);

  private static final String FOREST = "io.bg3.core.forest.Forest";
  private static final String TREES = "io.bg3.core.forest.FamilyTrees";

  /** A store of some vertices with as many edges of a family as of none. */
  private static final class Store extends ModelledStore {
    Store() throws IOException {
      super(new EdgeModel(EdgeModel.TAG_LABEL, EdgeModel.OF_FAMILY), 1);
    }

    void fill() {
      opened.defineFamily(1, SPLITTING);
      for (long owner = 0; owner < OWNERS; owner++) {
        fill(owner, EDGES);
      }
    }

    /** Removes the edges of the vertex that are of the family, or the others. */
    void empty(int family) {
      opened.commit(
          transaction -> {
            for (int other = family; other < EDGES; other += 2) {
              model.remove(transaction, OWNER, other);
            }
          });
    }

    void move(FamilyOwner owner) {
      assertTrue(opened.moveOut(owner, ENTRIES), owner::toString);
    }
  }

  private static Store filled() throws IOException {
    Store store = new Store();
    store.fill();
    return store;
  }

  static TreeShape notOfTheFamily(TreeShape shape) {
    return new TreeShape();
  }

  @RuleTest(
      rule = 54,
      twins = {
        @Twin(
            name = "a vertex with a tree in a family has none at an opening",
            in = FOREST,
            method = "publish",
            without = "Tree.apply"),
        @Twin(
            name = "a scan of all edges leaves out the trees of vertices in families",
            in = TREES,
            method = "isOf",
            without = "DirectoryKey.family"),
        @Twin(
            name = "the leaves of a vertex's tree in a family are none of the family",
            in = TREES,
            method = "stripe",
            without = "TreeShape.ofDedicatedTrees",
            instead = "notOfTheFamily")
      })
  void aVertexLeavesTheTreeOfAFamilyForThatFamilyAlone() throws Exception {
    try (Store store = filled()) {
      for (long owner = 0; owner < OWNERS; owner += 2) {
        store.move(new FamilyOwner(owner, 1));
      }
      store.move(FamilyOwner.plain(3));
      store.move(FamilyOwner.plain(4));
      assertFalse(store.forest().isDedicated(OWNER));
      assertFalse(store.forest().isDedicated(new FamilyOwner(3, 1)));
      assertEquals(OWNERS / 2, store.forest().dedicatedTrees(1));
      assertEquals(2, store.forest().dedicatedTrees(0));
      store.compare();
      store.opened.checkpoint();
      store.crash();
      store.compare();
      assertEquals(OWNERS / 2, store.forest().dedicatedTrees(1));
      assertEquals(ENTRIES, store.forest().splitOut(1));
    }
  }

  /** The trees that the twin below names in place of those of now. */
  private static volatile List<Tree> before;

  static List<Tree> treesFromBefore(Collection<Tree> now) {
    return before == null ? List.copyOf(now) : before;
  }

  @RuleTest(
      rule = 54,
      twins =
          @Twin(
              name = "a checkpoint learns which trees there are before no vertex can move",
              in = FOREST,
              method = "note",
              without = "List.copyOf",
              instead = "treesFromBefore"))
  void aManifestThatNamesAVertexInAFamilyNamesTheFamily() throws Exception {
    try (Store store = new Store()) {
      before = List.copyOf(store.forest().trees()); // for the twin
      store.fill();
      store.move(IN_FAMILY);
      store.opened.checkpoint();
      store.crash();
      store.compare();
    }
  }

  static byte[] behindTheVertex(FamilyOwner owner) {
    return EdgeKey.after(EdgeKey.prefix(owner.owner()));
  }

  @RuleTest(
      rule = 54,
      twins =
          @Twin(
              name = "a vertex that loses its tree without a family loses that of a family too",
              in = "io.bg3.core.forest.TreeRemoval",
              method = "run",
              without = "DirectoryKey.after",
              instead = "behindTheVertex"))
  void aVertexLosesItsTreeForAFamilyAlone() throws Exception {
    try (Store store = filled()) {
      store.move(IN_FAMILY);
      store.move(PLAIN);
      store.empty(1);
      store.empty(0);
      assertTrue(store.opened.moveOut(PLAIN, 10 * EDGES));
      assertFalse(store.forest().isDedicated(PLAIN));
      store.opened.commit(transaction -> store.model.put(transaction, OWNER, 1, new byte[9]));
      assertTrue(store.forest().isDedicated(IN_FAMILY));
      store.compare();
      store.opened.checkpoint();
      store.crash();
      assertTrue(store.forest().isDedicated(IN_FAMILY));
      store.compare();
    }
  }

  @RuleTest(
      rule = 54,
      twins = {
        @Twin(
            name = "nobody learns that a tree of a family may be empty",
            in = "io.bg3.core.tree.PageFlush",
            method = "noteIfEmptied",
            without = "TreeShape.noteEmptied"),
        @Twin(
            name = "nobody looks again at a tree that a snapshot reads",
            in = "io.bg3.core.transaction.OwnerMover",
            method = "lookAgain",
            without = "Forest.noteEmptied")
      })
  void anEmptyTreeOfAFamilyGoesWhenNobodyReadsIt() throws Exception {
    try (Store store = filled()) {
      store.move(IN_FAMILY);
      OwnerMover mover = new OwnerMover(store.opened.transactions(), store.forest(), ENTRIES);
      Transaction old = store.reader();
      store.empty(1);
      store.opened.checkpoint();
      mover.sweep();
      assertTrue(store.forest().isDedicated(IN_FAMILY));
      try (EdgeCursor edges = old.allEdges(Transaction.ANY_TAG, false)) {
        for (int i = 0; i < OWNERS * EDGES; i++) {
          assertTrue(edges.next());
        }
      }
      old.close();
      mover.sweep();
      assertFalse(store.forest().isDedicated(IN_FAMILY));
      assertEquals(0, store.forest().dedicatedTrees());
      store.compare();
      store.crash(); // the last manifest has the tree
      store.compare();
      store.opened.checkpoint();
      new OwnerMover(store.opened.transactions(), store.forest(), ENTRIES).sweep();
      assertFalse(store.forest().isDedicated(IN_FAMILY));
      store.opened.commit(transaction -> store.model.put(transaction, OWNER, 1, new byte[9]));
      store.compare();
    }
  }

  @RuleTest(
      rule = 54,
      twins =
          @Twin(
              name = "a commit that read everything passes over trees of families",
              in = "io.bg3.core.keyspace.Trees",
              method = "anyOwnerChangedAfter",
              without = "Forest.dedicatedTrees"))
  void aCommitThatReadEverythingConflictsWithAVertexInAFamily() throws Exception {
    try (Store store = filled()) {
      store.move(IN_FAMILY);
      try (Transaction reader = store.opened.transactions().begin(Isolation.STRICT, false)) {
        store.model.compare(reader, "");
        reader.putEdge(3, EdgeModel.TAG_LABEL, 1_000, 0, new byte[0]);
        store.opened.commit(other -> store.model.put(other, OWNER, 1_001, new byte[0]));
        assertThrows(ConflictException.class, reader::commit);
      }
      store.compare();
    }
  }

  @RuleTest(
      rule = 54,
      twins =
          @Twin(
              name = "nobody notices a vertex with many entries in a family",
              in = "io.bg3.core.tree.HeavyOwners",
              method = "most",
              without = "TreeShape.splitOut"))
  void aVertexWithManyEntriesInAFamilyIsNoticed() throws Exception {
    try (Store store = new Store()) {
      store.forest().heavyOwners().noticeInFamilies();
      store.opened.defineFamily(1, SPLITTING);
      store.fill(OWNER, EDGES);
      FamilyOwner noticed = store.forest().heavyOwners().poll();
      assertNotNull(noticed);
      assertEquals(IN_FAMILY, noticed);
      assertNull(store.forest().heavyOwners().poll());
    }
  }

  @Test
  void aVertexMayHaveATreeInEachFamily() throws Exception {
    int families = 150; // more than are looked at in the directory together
    try (Store store = new Store()) {
      store.fill();
      for (int family = 2; family <= families; family++) {
        store.opened.defineFamily(family, SPLITTING);
        int label = EdgeKey.tagLabel(EdgeKey.OUT, EdgeKey.lastingLabel(family, family));
        store.opened.commit(
            transaction -> {
              for (int other = 0; other <= ENTRIES; other++) {
                transaction.putEdge(OWNER, label, other, 0, new byte[1]);
              }
            });
        store.move(new FamilyOwner(OWNER, family));
      }
      store.move(new FamilyOwner(OWNER + 1, 1));
      int edges = OWNERS * EDGES + (families - 1) * (ENTRIES + 1);
      for (int i = 0; i < 2; i++) {
        try (Transaction reader = store.reader();
            EdgeCursor all = reader.allEdges(Transaction.ANY_TAG, false)) {
          int found = 0;
          while (all.next()) {
            found++;
          }
          assertEquals(edges, found);
        }
        assertEquals(List.of(), store.opened.check());
        store.opened.checkpoint();
        store.crash();
      }
      assertEquals(families, store.forest().dedicatedTrees());
    }
  }
}
