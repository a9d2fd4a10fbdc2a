package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.core.transaction.ConflictException;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import java.util.List;

/** A value of a unique index has one vertex. */
class UniqueRulesTest {
  private static final String KEY = "code";

  private static Bg3 open(String isolation) throws Exception {
    return Bg3.open(
        Settings.defaults().with("bg3.memory.budget", "16m").with(Setting.ISOLATION, isolation));
  }

  private static void createAndAwait(GraphStore graph) throws InterruptedException {
    graph.createUniqueIndex(null, KEY);
    Indexes.await(graph);
  }

  private static void set(GraphTransaction in, long vertex, Object value) {
    if (!in.vertexExists(vertex)) {
      in.addVertex(vertex, "v");
    }
    in.setProperty(vertex, Cardinality.SINGLE, KEY, value, null);
  }

  private static void set(GraphStore graph, long vertex, Object value) {
    graph.retry(
        in -> {
          set(in, vertex, value);
          return null;
        });
  }

  private static void requireNoProblem(Bg3 store) {
    assertEquals(List.of(), store.check(looked -> {}));
  }

  @RuleTest(
      rule = 33,
      twins = {
        @Twin(
            name = "a commit does not validate that nobody else gives its values",
            in = "io.bg3.core.transaction.Transaction",
            method = "guardEntries",
            without = "ReadSet.addRange"),
        @Twin(
            name = "a commit does not look whether its values have a vertex",
            in = "io.bg3.core.graph.GraphTransaction",
            method = "flush",
            without = "IndexEntries.requireUnique")
      })
  void ofTwoTransactionsThatGiveAValueOneIsRefused() throws Exception {
    try (Bg3 store = open("snapshot")) {
      GraphStore graph = store.graph();
      createAndAwait(graph);
      try (GraphTransaction one = graph.begin();
          GraphTransaction other = graph.begin()) {
        set(one, 1, "A");
        set(other, 2, "A");
        one.commit();
        assertThrows(ConflictException.class, other::commit);
      }
      assertThrows(DuplicateValueException.class, () -> set(graph, 2, "A"));
      requireNoProblem(store);
    }
  }

  @RuleTest(
      rule = 33,
      sites =
          @Site(
              name = "the value is free",
              in = "io.bg3.core.transaction.LockedUpdates",
              method = "once",
              before = "Transaction.apply"),
      twins =
          @Twin(
              name = "an update looks at its values without their stripes",
              in = "io.bg3.core.transaction.Committer",
              method = "requireEntryLocks",
              without = "LockSet.covers",
              result = 1))
  void anUpdateKeepsItsValuesFromOthers() throws Exception {
    try (Bg3 store = open("strict")) {
      GraphStore graph = store.graph();
      set(graph, 1, "none");
      createAndAwait(graph);
      Sites.Other other =
          Sites.meanwhile(
              "the value is free",
              () -> assertThrows(DuplicateValueException.class, () -> set(graph, 2, "A")));
      graph.update(
          1,
          in -> {
            set(in, 1, "A");
            return null;
          });
      Sites.requirePassed("the value is free");
      other.join();
      requireNoProblem(store);
    }
  }

  /** The writer made its entries while nobody looked for duplicates. */
  @RuleTest(
      rule = 33,
      sites =
          @Site(
              name = "entries are made",
              in = "io.bg3.core.graph.GraphTransaction",
              method = "tryCommit",
              before = "Transaction.commit"),
      twins =
          @Twin(
              name = "a commit does not see that an index was verified after its entries",
              in = "io.bg3.core.graph.GraphIndexes",
              method = "enforce",
              without = "SchemaVersion.enforced"))
  void aCommitThatBeganBeforeTheVerificationIsRefused() throws Exception {
    try (Bg3 store = open("strict")) {
      GraphStore graph = store.graph();
      set(graph, 1, "A");
      set(graph, 2, "A");
      graph.createUniqueIndex(null, KEY);
      while (graph.indexes().get(0).problem() == null) {
        Thread.sleep(1);
      }
      set(graph, 2, "B");
      try (GraphTransaction in = graph.begin()) {
        set(in, 3, "A");
        Sites.at(
            "entries are made",
            () -> {
              graph.createUniqueIndex(null, KEY);
              while (graph.indexes().get(0).state() != IndexState.READY) {
                Thread.onSpinWait();
              }
            });
        assertThrows(DuplicateValueException.class, in::commit);
        Sites.requirePassed("entries are made");
      }
      requireNoProblem(store);
    }
  }

  @RuleTest(
      rule = 33,
      twins =
          @Twin(
              name = "an index is unique though nobody has looked at the values from before",
              in = "io.bg3.core.graph.IndexWorker",
              method = "finish",
              without = "IndexWorker.verify",
              result = 1))
  void valuesFromBeforeAreVerified() throws Exception {
    try (Bg3 store = open("strict")) {
      GraphStore graph = store.graph();
      set(graph, 1, "A");
      set(graph, 2, "A");
      graph.createUniqueIndex(null, KEY);
      while (graph.indexes().get(0).state() != IndexState.READY
          && graph.indexes().get(0).problem() == null) {
        Thread.sleep(1);
      }
      assertNotEquals(IndexState.READY, graph.indexes().get(0).state());
      requireNoProblem(store);
    }
  }
}
