package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.DegreeKey;
import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.Entries;
import io.bg3.core.transaction.ConflictException;
import io.bg3.core.transaction.EdgeCursor;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import io.bg3.storage.file.CrashingDisk;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The degrees of vertices in trees of their own, beside commits, moves and power cuts. */
class DegreesRulesTest {
  private static final int EDGES = 40;
  private static final int ENTRIES = 8;
  private static final long OWNER = 5;

  private static final String DEGREES = "io.bg3.core.transaction.Degrees";
  private static final String FIRST = "io.bg3.core.transaction.FirstDegrees";

  /** A store of one vertex with some edges, and one without, stored in one manifest. */
  private static final class Store implements AutoCloseable {
    private CrashingDisk disk = new CrashingDisk();
    private CheckpointedStore opened = CheckpointedStore.open(disk);
    private final EdgeModel model = new EdgeModel();

    Store() throws IOException {
      opened.commit(
          transaction -> {
            for (int other = 0; other < EDGES; other++) {
              model.put(transaction, OWNER, other, new byte[] {(byte) other});
            }
          });
      opened.checkpoint();
    }

    void move() {
      assertTrue(opened.moveOut(OWNER, ENTRIES), "nothing was moved");
    }

    void put(long other) {
      opened.commit(transaction -> model.put(transaction, OWNER, other, new byte[3]));
    }

    void remove(long other) {
      opened.commit(transaction -> model.remove(transaction, OWNER, other));
    }

    void commit(Consumer<Transaction> work) {
      opened.commit(work);
    }

    Transaction reader() {
      return opened.transactions().begin(Isolation.STRICT, true);
    }

    long degree() {
      try (Transaction reader = reader()) {
        return DegreesRulesTest.degree(reader);
      }
    }

    void compare() {
      try (Transaction reader = reader()) {
        model.compare(reader, "");
      }
      assertEquals(List.of(), opened.check());
    }

    /** Opens what a power cut has left. */
    void crash() throws IOException {
      disk = disk.crash(new Random(3));
      opened.abandon();
      opened = CheckpointedStore.open(disk);
    }

    @Override
    public void close() {
      opened.abandon();
    }
  }

  private static long degree(Transaction transaction) {
    return transaction.degree(OWNER, EdgeModel.TAG_LABEL, EdgeModel.TAG_LABEL);
  }

  @RuleTest(
      rule = 36,
      twins = {
        @Twin(
            name = "a commit does not write what becomes of degrees",
            in = "io.bg3.core.transaction.Committer",
            method = "encodeWithCounts",
            without = "WriteSet.addAll"),
        @Twin(
            name = "a commit adds an entry to a degree that it writes over",
            in = DEGREES,
            method = "eachChange",
            without = "Degrees.exists")
      })
  void everyCommitKeepsTheDegreesOfAVertexInItsOwnTree() throws Exception {
    try (Store store = new Store()) {
      store.move();
      assertEquals(EDGES, store.degree());
      try (Transaction old = store.reader()) {
        store.put(1_000);
        store.put(1_001);
        store.put(1_000);
        store.remove(3);
        store.remove(2_000);
        assertEquals(EDGES, degree(old));
      }
      assertEquals(EDGES + 1, store.degree());
      store.compare();
      store.crash();
      store.compare();
    }
  }

  @RuleTest(
      rule = 36,
      twins =
          @Twin(
              name = "degrees are read though a crash has taken the tree back",
              in = DEGREES,
              method = "areKeptFor",
              without = "Trees.isDedicated",
              result = 1))
  void degreesThatACrashHasLeftInASharedTreeAreNotRead() throws Exception {
    try (Store store = new Store()) {
      store.move();
      store.crash();
      store.put(1_000);
      store.compare();
    }
  }

  @RuleTest(
      rule = 36,
      twins =
          @Twin(
              name = "a vertex takes along degrees that nobody has kept",
              in = "io.bg3.core.tree.OwnerMove",
              method = "copy",
              without = "OwnerMove.withoutLostDegrees",
              instead = "all"))
  void aVertexLeavesTheDegreesBehindThatNobodyHasKept() throws Exception {
    try (Store store = new Store()) {
      store.move();
      store.crash();
      store.put(1_000);
      store.move();
      assertEquals(EDGES + 1, store.degree());
      store.compare();
      store.opened.checkpoint();
      store.put(1_001);
      store.crash();
      assertEquals(EDGES + 2, store.degree());
      store.compare();
    }
  }

  static Entries all(EdgeEntries all) {
    return all;
  }

  /** So stale numbers in the log do not come back by a replay either. */
  @Test
  void aTreeWithoutMarkerStaysWithoutOneOverCheckpointsAndCrashes() throws Exception {
    for (boolean before : new boolean[] {false, true}) {
      try (Store store = new Store()) {
        if (before) { // a crash takes the tree back, and leaves the marker
          store.move();
          store.put(999);
          store.crash();
          store.remove(999);
        }
        store.put(1_000);
        assertTrue(store.opened.moveOutOnly(OWNER, ENTRIES));
        store.put(1_001);
        store.opened.checkpoint();
        store.put(1_002);
        store.remove(3);
        store.crash();
        assertEquals(-1, store.degree());
        store.put(1_003);
        assertEquals(-1, store.degree());
        store.opened.checkpoint();
        store.crash();
        assertEquals(-1, store.degree());
        store.compare();
        assertTrue(store.opened.keepDegrees(OWNER));
        assertEquals(EDGES + 3, store.degree());
        store.put(1_004);
        store.crash();
        assertEquals(EDGES + 4, store.degree());
        store.compare();
      }
    }
  }

  /** What a vertex takes along: its degrees, unless there is a marker. */
  static Entries withDegreesUnlessMarked(EdgeEntries all) {
    boolean marked = false;
    EdgeEntries rest = new EdgeEntries();
    for (int i = 0; i < all.count(); i++) {
      marked |= DegreeKey.isMarker(all.tagLabel(i), all.other(i));
      if (!DegreeKey.isOne(all.tagLabel(i))) {
        rest.append(all, i);
      }
    }
    return marked ? rest : all;
  }

  /** The log has degrees of a tree that a crash has taken back, and that a later one has gone. */
  @RuleTest(
      rule = 36,
      twins =
          @Twin(
              name = "a vertex takes along degrees that have lost their marker",
              in = "io.bg3.core.tree.OwnerMove",
              method = "copy",
              without = "OwnerMove.withoutLostDegrees",
              instead = "withDegreesUnlessMarked"))
  void aVertexLeavesTheDegreesBehindThatHaveLostTheirMarker() throws Exception {
    int of = EdgeModel.TAG_LABEL;
    try (ModelledStore store = new ModelledStore(new EdgeModel(of, of + 1), 3)) {
      store.fill(OWNER, 2 * EDGES);
      store.opened.checkpoint();
      assertTrue(store.opened.moveOut(OWNER, ENTRIES));
      long removed = 2L * EDGES; // of the first label
      store.opened.commit(change -> store.model.put(change, OWNER, removed, new byte[1]));
      store.crash();
      store.opened.commit(
          change -> {
            for (long other = 0; other <= removed; other += 2) {
              store.model.remove(change, OWNER, other);
            }
          });
      assertTrue(store.opened.moveOut(OWNER, ENTRIES));
      store.compare();
      store.opened.commit(change -> store.model.removeAll(change, OWNER));
      assertTrue(store.opened.moveOut(OWNER, ENTRIES));
      store.crash();
      store.opened.commit(
          change -> {
            for (long other = 1; other < 2 * EDGES; other += 2) {
              store.model.put(change, OWNER, other, new byte[1]);
            }
          });
      assertTrue(store.opened.moveOut(OWNER, ENTRIES));
      try (Transaction reader = store.reader()) {
        assertEquals(0, reader.degree(OWNER, of, of));
        assertEquals(EDGES, reader.degree(OWNER, of + 1, of + 1));
      }
      store.compare();
    }
  }

  @RuleTest(
      rule = 36,
      sites = @Site(name = "counted", in = DEGREES, method = "begin", after = "DegreeCount.result"),
      twins =
          @Twin(
              name = "a vertex is counted without its stripe",
              in = "io.bg3.core.transaction.LockScope",
              method = "lockSet",
              without = "LockSet.add"))
  void nothingIsCommittedBetweenTheCountAndTheMarker() throws Exception {
    try (Store store = new Store()) {
      Sites.Other writer = Sites.meanwhile("counted", () -> store.put(1_000));
      store.move();
      Sites.requirePassed("counted");
      writer.join();
      store.compare();
    }
  }

  @RuleTest(
      rule = 36,
      sites = {
        @Site(
            name = "moved",
            in = "io.bg3.core.transaction.OwnerMover",
            method = "moveTree",
            after = "OwnerMover.tryMoveOut"),
        @Site(name = "scanned", in = FIRST, method = "keep", after = "FirstDegrees.countAll"),
        @Site(name = "counted", in = DEGREES, method = "begin", after = "DegreeCount.result"),
        @Site(name = "marked", in = FIRST, method = "keep", after = "TransactionManager.update")
      },
      twins =
          @Twin(
              name = "a marker is written without the degrees",
              in = DEGREES,
              method = "begin",
              without = "CounterIncrements.encode"))
  void aPowerCutAtEachStepLosesNoDegree() throws Exception {
    for (String step : List.of("moved", "scanned", "counted", "marked")) {
      for (int cut = 0; cut < 8; cut++) {
        int which = cut;
        try (Store store = new Store()) {
          store.put(500);
          for (int again = 0; again < 2; again++) {
            if (store.opened.opened().forest().isDedicated(OWNER)) {
              continue; // the power cut has left the vertex there
            }
            Sites.Other other =
                Sites.meanwhile(
                    step,
                    () -> {
                      store.opened.flush(which % 2 == 0 ? 0 : 1_000);
                      if ((which & 2) > 0) {
                        store.opened.checkpoint();
                      }
                      if ((which & 4) > 0) {
                        store.put(501);
                      }
                    });
            store.move();
            Sites.requirePassed(step);
            other.join();
            store.compare();
            store.remove(7);
            store.crash();
            store.compare();
            store.put(1_000);
            store.compare();
          }
          store.opened.moveOut(OWNER, ENTRIES);
          assertEquals(EDGES + 1 + (cut >> 2), store.degree(), step + ", " + cut);
          store.compare();
        }
      }
    }
  }

  @RuleTest(
      rule = 43,
      twins =
          @Twin(
              name = "a commit does not note what it has made of counts",
              in = "io.bg3.core.transaction.Committer",
              method = "noteCounts",
              without = "AppliedCounts.applied"))
  void whatIsRememberedIsWhatWasAppliedLast() throws Exception {
    try (Store store = new Store()) {
      store.move();
      for (int other = 1_000; other < 1_005; other++) {
        store.put(other);
        store.commit(transaction -> transaction.addCount(OWNER, 7, 2));
      }
      store.remove(1_000);
      store.remove(3);
      assertEquals(EDGES + 3, store.degree());
      try (Transaction reader = store.reader()) {
        assertEquals(10, reader.count(OWNER, 7));
      }
      store.compare();
      store.crash();
      store.compare();
    }
  }

  @RuleTest(
      rule = 43,
      twins =
          @Twin(
              name = "a vertex is taken for one without degrees when they have begun to be kept",
              in = DEGREES,
              method = "forget",
              without = "Trees.forgetDegrees"))
  void aCommitKeepsDegreesFromTheMarkerOn() throws Exception {
    try (Store store = new Store()) {
      assertTrue(store.opened.moveOutOnly(OWNER, ENTRIES));
      store.put(1_000);
      assertEquals(-1, store.degree());
      assertTrue(store.opened.keepDegrees(OWNER));
      assertFalse(store.opened.keepDegrees(OWNER));
      assertEquals(EDGES + 1, store.degree());
      store.put(1_001);
      store.remove(3);
      store.remove(4);
      assertEquals(EDGES, store.degree());
      store.compare();
    }
  }

  @RuleTest(
      rule = 43,
      twins =
          @Twin(
              name = "degrees are remembered that are not kept any more",
              in = DEGREES,
              method = "forget",
              without = "AppliedCounts.forget"))
  void whatWasRememberedGoesWithTheMarker() throws Exception {
    try (Store store = new Store()) {
      store.move();
      store.put(1_000);
      store.commit(transaction -> store.model.removeAll(transaction, OWNER));
      assertTrue(store.opened.moveOut(OWNER, 10 * EDGES), "the tree has not gone");
      for (int other = 0; other < EDGES; other++) {
        store.put(other);
      }
      store.compare();
      store.move();
      store.put(1_001);
      assertEquals(EDGES + 1, store.degree());
      store.compare();
    }
  }

  @RuleTest(
      rule = 43,
      twins =
          @Twin(
              name = "a commit does not look whether an entry has come since its snapshot",
              in = "io.bg3.core.tree.LeafWrites",
              method = "newer",
              without = "LeafFormat.newest"))
  void anEntryThatHasComeMeanwhileIsNotTakenForNew() throws Exception {
    for (Isolation isolation : Isolation.values()) {
      try (Store store = new Store()) {
        store.move();
        try (Transaction late = store.opened.transactions().begin(isolation, false)) {
          late.putNewEdge(OWNER, EdgeModel.TAG_LABEL, 1_000, 0, new byte[0]);
          store.put(1_000);
          assertThrows(ConflictException.class, late::commit);
        }
        assertEquals(EDGES + 1, store.degree());
        store.compare();
      }
    }
  }

  @Test
  void anEntryThatIsNewInItsTransactionCountsOnceWhateverBecomesOfIt() throws Exception {
    try (Store store = new Store()) {
      store.move();
      store.commit(
          transaction -> {
            transaction.putNewEdge(OWNER, EdgeModel.TAG_LABEL, 1_000, 0, new byte[0]);
            store.model.put(transaction, OWNER, 1_000, new byte[1]);
            transaction.putNewEdge(OWNER, EdgeModel.TAG_LABEL, 1_001, 0, new byte[0]);
            transaction.deleteEdge(OWNER, EdgeModel.TAG_LABEL, 1_001, 0);
            transaction.deleteEdge(OWNER, EdgeModel.TAG_LABEL, 3, 0);
            transaction.putNewEdge(OWNER, EdgeModel.TAG_LABEL, 3, 0, new byte[0]);
            store.model.put(transaction, OWNER, 3, new byte[2]);
          });
      assertEquals(EDGES + 1, store.degree());
      store.compare();
    }
  }

  @Test
  void aTransactionCountsWhatItHasWritten() throws Exception {
    try (Store store = new Store()) {
      store.move();
      try (Transaction transaction = store.opened.transactions().begin(Isolation.STRICT, false)) {
        transaction.putEdge(OWNER, EdgeModel.TAG_LABEL, 2_000, 0, new byte[0]);
        transaction.putEdge(OWNER, EdgeModel.TAG_LABEL, 2_000, 1, new byte[0]);
        transaction.putEdge(OWNER, EdgeModel.TAG_LABEL, 1, 0, new byte[9]);
        transaction.deleteEdge(OWNER, EdgeModel.TAG_LABEL, 2, 0);
        transaction.deleteEdge(OWNER, EdgeModel.TAG_LABEL, 3_000, 0);
        transaction.putEdge(OWNER, EdgeModel.TAG_LABEL + 1, 1, 0, new byte[9]);
        assertEquals(EDGES + 1, degree(transaction));
        assertEquals(EDGES + 2, transaction.degree(OWNER, 0, 1 << 20));
        transaction.commit();
      }
      assertEquals(EDGES + 1, store.degree());
    }
  }

  @Test
  void aCommitThatReadEverythingDoesNotConflictWithACount() throws Exception {
    try (Store store = new Store();
        Transaction reader = store.opened.transactions().begin(Isolation.STRICT, false)) {
      try (EdgeCursor all = reader.allEdges(Transaction.ANY_TAG, false)) {
        for (int i = 0; i < EDGES; i++) {
          assertTrue(all.next());
        }
        assertFalse(all.next());
      }
      store.move();
      store.model.put(reader, OWNER + 1, 1_000, new byte[1]);
      reader.commit();
      store.compare();
    }
  }

  @Test
  void aDegreeThatWasReadConflictsWithAnEdgeAndNoTwoEdgesConflict() throws Exception {
    try (Store store = new Store()) {
      store.move();
      try (Transaction reader = store.opened.transactions().begin(Isolation.STRICT, false);
          Transaction one = store.opened.transactions().begin(Isolation.STRICT, false);
          Transaction other = store.opened.transactions().begin(Isolation.STRICT, false)) {
        assertEquals(EDGES, degree(reader));
        reader.putEdge(OWNER + 1, EdgeModel.TAG_LABEL, 1, 0, new byte[0]);
        store.model.put(one, OWNER, 1_000, new byte[1]);
        one.commit();
        store.model.put(other, OWNER, 1_001, new byte[1]);
        other.commit();
        assertThrows(ConflictException.class, reader::commit);
      }
      assertEquals(EDGES + 2, store.degree());
      store.compare();
    }
  }
}
