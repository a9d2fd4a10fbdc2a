package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.core.record.PropertyId;
import io.bg3.core.record.PropertyRecord;
import io.bg3.core.transaction.ConflictException;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** An index that queries use has the entries of all vertices, and no others. */
class IndexRulesTest {
  private static final String KEY = "code";

  private static void set(GraphTransaction graph, long vertex, Object value) {
    graph.setProperty(vertex, Cardinality.SINGLE, KEY, value, null);
  }

  private static void add(GraphStore graph, long vertex, Object value) {
    try (GraphTransaction in = graph.begin()) {
      in.addVertex(vertex, "v");
      set(in, vertex, value);
      in.commit();
    }
  }

  private static void createAndAwait(GraphStore graph) throws InterruptedException {
    graph.createIndex(null, KEY);
    Indexes.await(graph);
  }

  private static List<Long> find(GraphStore graph, Object value) {
    try (GraphTransaction in = graph.beginReadOnly()) {
      return Indexes.find(in, KEY, value);
    }
  }

  private static Bg3 open() throws Exception {
    return Bg3.open(Settings.defaults().with("bg3.memory.budget", "16m"));
  }

  @RuleTest(
      rule = 27,
      sites =
          @Site(
              name = "entries are made",
              in = "io.bg3.core.graph.GraphTransaction",
              method = "tryCommit",
              before = "Transaction.commit"),
      twins =
          @Twin(
              name = "a commit does not look whether an index has come since it made its entries",
              in = "io.bg3.core.transaction.Committer",
              method = "requireEntries",
              without = "SchemaMarks.hasOldEntries"))
  void aCommitMakesItsEntriesAgainWhenAnIndexHasCome() throws Exception {
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      add(graph, 1, "A");
      Sites.Other creator = Sites.meanwhile("entries are made", () -> createAndAwait(graph));
      add(graph, 2, "A");
      Sites.requirePassed("entries are made");
      creator.join();
      Indexes.await(graph);
      assertEquals(List.of(1L, 2L), find(graph, "A"));
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  @RuleTest(
      rule = 27,
      sites =
          @Site(
              name = "entries are looked at",
              in = "io.bg3.core.transaction.Committer",
              method = "runUnlessCodeFound",
              before = "CommitPipeline.run"),
      twins =
          @Twin(
              name = "an index is registered while commits are under way",
              in = "io.bg3.core.transaction.TransactionManager",
              method = "commitExclusively",
              without = "LockSet.addGate"))
  void anIndexIsRegisteredBetweenCommits() throws Exception {
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      add(graph, 1, "A");
      graph.makePropertyKey(KEY);
      Sites.Other creator = Sites.meanwhile("entries are looked at", () -> createAndAwait(graph));
      add(graph, 2, "A");
      Sites.requirePassed("entries are looked at");
      creator.join();
      Indexes.await(graph);
      assertEquals(List.of(1L, 2L), find(graph, "A"));
    }
  }

  @RuleTest(
      rule = 27,
      twins =
          @Twin(
              name = "a snapshot from before an index was complete reads from it",
              in = "io.bg3.core.graph.IndexCatalogue",
              method = "find",
              without = "GraphIndex.readySince"))
  void aSnapshotFromBeforeAnIndexWasCompleteDoesNotUseIt() throws Exception {
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      add(graph, 1, "A");
      try (GraphTransaction old = graph.begin()) {
        createAndAwait(graph);
        List<Long> found = Indexes.find(old, KEY, "A");
        assertTrue(found == null || found.equals(List.of(1L)), () -> "found: " + found);
      }
      assertEquals(List.of(1L), find(graph, "A"));
    }
  }

  @RuleTest(
      rule = 27,
      twins =
          @Twin(
              name = "a commit does not look whether an index that it has read from was dropped",
              in = "io.bg3.core.transaction.Committer",
              method = "changedRead",
              without = "SchemaMarks.hasLostIndexes"))
  void aCommitThatReadFromADroppedIndexConflicts() throws Exception {
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      createAndAwait(graph);
      try (GraphTransaction reader = graph.begin()) {
        assertEquals(List.of(), Indexes.find(reader, KEY, "A"));
        graph.dropIndex(null, KEY);
        add(graph, 1, "A"); // without an entry
        reader.addVertex(2, "none has A");
        assertThrows(ConflictException.class, reader::commit);
      }
    }
  }

  @RuleTest(
      rule = 28,
      twins = {
        @Twin(
            name = "an entry is removed with one of two equal values",
            in = "io.bg3.core.graph.IndexEntries",
            method = "write",
            without = "Set.removeIf"),
        @Twin(
            name = "what has become wrong of the entries of a transaction is not taken back",
            in = "io.bg3.core.graph.IndexEntries",
            method = "write",
            without = "Transaction.takeBackEntries"),
        @Twin(
            name = "a transaction does not write its entries before it looks into an index",
            in = "io.bg3.core.graph.IndexLookUps",
            method = "plan",
            without = "IndexEntries.flush")
      })
  void entriesAreTheDifferenceOfTwoRecords() throws Exception {
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      createAndAwait(graph);
      try (GraphTransaction in = graph.begin()) {
        in.addVertex(1, "v");
        set(in, 1, "A");
        assertEquals(List.of(1L), Indexes.find(in, KEY, "A"));
        set(in, 1, "B");
        in.setProperty(1, Cardinality.LIST, KEY, "B", null);
        assertEquals(List.of(), Indexes.find(in, KEY, "A"));
        assertEquals(List.of(1L), Indexes.find(in, KEY, "B"));
        in.commit();
      }
      assertEquals(List.of(), store.check(looked -> {}));
      try (GraphTransaction in = graph.begin()) {
        in.removeProperty(new PropertyId(1, in.vertex(1).properties().get(0).number()));
        in.commit();
      }
      assertEquals(List.of(1L), find(graph, "B"));
      assertEquals(List.of(), find(graph, "A"));
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  /** The answer to a reader that begins when an update has given a vertex the value. */
  private static final class Seen {
    boolean value;
    boolean other;
  }

  /**
   * The commit that found no vertex with the value is before the update that gives one to a vertex,
   * so no reader may see the latter and not the former.
   */
  @RuleTest(
      rule = 28,
      sites =
          @Site(
              name = "reads are valid",
              in = "io.bg3.core.transaction.Committer",
              method = "runUnlessCodeFound",
              before = "CommitPipeline.run"),
      twins =
          @Twin(
              name = "an update writes entries without their stripes",
              in = "io.bg3.core.transaction.Committer",
              method = "requireEntryLocks",
              without = "LockSet.covers",
              result = 1))
  void anUpdateGivesNoValueUnderACommitThatHasLookedForIt() throws Exception {
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      add(graph, 1, "none");
      createAndAwait(graph);
      Seen seen = new Seen();
      Sites.Other updater;
      try (GraphTransaction in = graph.begin()) {
        assertEquals(List.of(), Indexes.find(in, KEY, "A"));
        in.addVertex(2, "v");
        updater = Sites.meanwhile("reads are valid", () -> update(graph, seen));
        in.commit();
      }
      Sites.requirePassed("reads are valid");
      updater.join();
      assertTrue(seen.value);
      assertTrue(seen.other, "a reader sees the value and not the commit that missed it");
    }
  }

  private static void update(GraphStore graph, Seen seen) {
    graph.update(
        1,
        in -> {
          set(in, 1, "A");
          return null;
        });
    try (GraphTransaction in = graph.beginReadOnly()) {
      seen.value = Indexes.find(in, KEY, "A").equals(List.of(1L));
      seen.other = in.vertexExists(2);
    }
  }

  /** The entries after a flush that forgot its vertices before their entries were written. */
  static Collection<Long> taken(Vertices vertices) {
    Collection<Long> taken = List.copyOf(vertices.unindexed());
    vertices.indexed();
    return taken;
  }

  @RuleTest(
      rule = 28,
      sites =
          @Site(
              name = "a record is read",
              in = "io.bg3.core.graph.IndexEntries",
              method = "write",
              before = "Transaction.before"),
      twins =
          @Twin(
              name = "vertices are forgotten whose entries could not be written",
              in = "io.bg3.core.graph.IndexEntries",
              method = "flush",
              without = "Vertices.unindexed",
              instead = "taken"))
  void entriesAreWrittenThoughARecordCouldNotBeReadAtFirst() throws Exception {
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      createAndAwait(graph);
      try (GraphTransaction in = graph.begin()) {
        in.addVertex(1L, "v");
        set(in, 1, "A");
        AtomicBoolean fails = new AtomicBoolean(true);
        Sites.at(
            "a record is read",
            () -> {
              if (fails.getAndSet(false)) {
                throw new IllegalStateException("no memory");
              }
            });
        assertThrows(IllegalStateException.class, () -> Indexes.find(in, KEY, "A"));
        assertEquals(List.of(1L), Indexes.find(in, KEY, "A"));
        in.commit();
      }
      assertEquals(List.of(1L), find(graph, "A"));
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  @RuleTest(
      rule = 27,
      sites =
          @Site(
              name = "some entries are added",
              in = "io.bg3.core.graph.IndexWorker",
              method = "add",
              before = "IndexWorker.retry"),
      twins = {
        @Twin(
            name = "the entries of a vertex are one commit, however many there are",
            in = "io.bg3.core.graph.IndexWorker",
            method = "isFull"),
        @Twin(
            name = "the builder goes on with a vertex where its last commit has begun",
            in = "io.bg3.core.graph.IndexWorker",
            method = "addSome",
            without = "NavigableSet.tailSet",
            instead = "headOf")
      })
  void theEntriesOfAVertexAreAddedInPartsBesideWriters() throws Exception {
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      graph.retry(
          in -> {
            in.addVertex(1L, "v");
            for (int i = 0; i < 6_000; i++) {
              in.setProperty(1, Cardinality.LIST, KEY, i, null);
            }
            return null;
          });
      AtomicInteger commits = new AtomicInteger();
      Sites.always(
          "some entries are added",
          () -> {
            if (commits.incrementAndGet() == 2) {
              graph.retry(in -> changeFirstAndLast(in));
            }
          });
      createAndAwait(graph);
      assertEquals(2, commits.get());
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  private static Void changeFirstAndLast(GraphTransaction in) {
    for (PropertyRecord property : List.copyOf(in.vertex(1).properties())) {
      int value = (int) property.value();
      if (value < 10 || value > 5_990) {
        in.removeProperty(new PropertyId(1, property.number()));
      }
    }
    in.setProperty(1, Cardinality.LIST, KEY, -1, null);
    in.setProperty(1, Cardinality.LIST, KEY, 7_000, null);
    return null;
  }

  /** The part of the entries that has been committed instead of the rest. */
  static NavigableSet<byte[]> headOf(NavigableSet<byte[]> entries, Object last, boolean inclusive) {
    return entries.headSet((byte[]) last, inclusive);
  }

  /** A look-up that takes the indexes of now for its entries. */
  static void flushNow(IndexEntries entries, IndexCatalogue indexes) {
    entries.flush();
  }

  @RuleTest(
      rule = 28,
      sites =
          @Site(
              name = "the index is found",
              in = "io.bg3.core.graph.IndexLookUps",
              method = "plan",
              before = "IndexEntries.flush"),
      twins =
          @Twin(
              name = "a look-up does not write its entries for the index that it reads",
              in = "io.bg3.core.graph.IndexLookUps",
              method = "plan",
              without = "IndexEntries.flush",
              instead = "flushNow"))
  void aLookUpFindsItsOwnChangesThoughTheIndexIsDroppedMeanwhile() throws Exception {
    try (Bg3 store =
        Bg3.open(
            Settings.defaults()
                .with("bg3.memory.budget", "16m")
                .with(Setting.ISOLATION, "snapshot"))) {
      GraphStore graph = store.graph();
      add(graph, 1, "A");
      createAndAwait(graph);
      try (GraphTransaction in = graph.begin()) {
        in.addVertex(2, "v");
        set(in, 2, "A");
        Sites.Other dropper =
            Sites.meanwhile("the index is found", () -> graph.dropIndex(null, KEY));
        assertEquals(List.of(1L, 2L), Indexes.find(in, KEY, "A"));
        Sites.requirePassed("the index is found");
        dropper.join();
        in.commit();
      }
      Indexes.await(graph);
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }
}
