package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Setting;
import io.bg3.StoreOnDisk;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.tree.ReadCounts;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import io.bg3.storage.Waiting;
import io.bg3.storage.WouldWaitException;
import io.bg3.storage.file.MemoryDisk;
import java.util.List;
import org.junit.jupiter.api.function.Executable;

/** Commits of graph transactions in a thread that may not wait take little time. */
class ShortCommitRulesTest {
  private static final String KEY = "code";
  private static final int MANY = 300;

  /** A store with a unique index and two vertices, whose leaves are stored. */
  private static StoreOnDisk open() throws Exception {
    StoreOnDisk store =
        StoreOnDisk.open(
            SmallStores.settings()
                .with(Setting.DURABILITY, "none")
                .with(Setting.ISOLATION, "snapshot"),
            new MemoryDisk());
    store.graph().createUniqueIndex(null, KEY);
    Indexes.await(store.graph());
    SmallStores.addVertices(store.graph(), 2);
    set(store.graph(), 1, KEY, "A");
    set(store.graph(), 2, "name", "A");
    store.checkpoint();
    return store;
  }

  private static void set(GraphStore graph, long vertex, String key, Object value) {
    graph.retry(
        in -> {
          set(in, vertex, key, value);
          return null;
        });
  }

  private static void set(GraphTransaction in, long vertex, String key, Object value) {
    in.setProperty(vertex, Cardinality.SINGLE, key, value, null);
  }

  /** A commit reads nothing from the disk, and tells that it would have to. */
  private static void requireGivenUp(Executable commit) {
    ReadCounts before = ReadCounts.ofThread();
    Waiting.forbid();
    try {
      assertThrows(WouldWaitException.class, commit);
    } finally {
      Waiting.allow();
    }
    assertEquals(0, ReadCounts.ofThread().since(before).deviceReads());
  }

  /** Whether a value is free is looked up before the locks. */
  @RuleTest(
      rule = 58,
      twins =
          @Twin(
              name = "a commit that may not wait reads pages to hold its writes against the rules",
              in = "io.bg3.core.tree.PageLoader",
              method =
                  "load(ILio/bg3/core/tree/PageLoader$Part;"
                      + "Ljava/util/function/LongConsumer;)V",
              without = "Waiting.requireRead"))
  void oneLooksForNoValueOnTheDisk() throws Exception {
    try (StoreOnDisk store = open();
        GraphTransaction in = store.graph().begin()) {
      set(in, 1, KEY, "B");
      assertTrue(store.evict() > 0);
      requireGivenUp(in::commit);
      assertFalse(in.hasTimestamp());
      in.rollback();
      set(store.graph(), 1, KEY, "B");
      assertEquals(List.of(), store.checkGraph());
    }
  }

  @RuleTest(
      rule = 58,
      twins =
          @Twin(
              name = "a commit that may not wait reads the leaves that it changes",
              in = "io.bg3.core.tree.PageLoader",
              method =
                  "tryLoad(ILio/bg3/core/tree/PageLoader$Part;Ljava/util/function/LongPredicate;)Z",
              without = "Waiting.mayRead",
              result = 1))
  void oneLoadsNoLeafThatItChanges() throws Exception {
    try (StoreOnDisk store = open();
        Transaction in = store.transactions().begin(Isolation.SNAPSHOT, false)) {
      byte[] key = GraphKeys.vertex(2);
      in.put(TreeIds.VERTICES, key, in.get(TreeIds.VERTICES, key));
      assertTrue(store.evict() > 0);
      requireGivenUp(in::commit);
      assertFalse(in.hasTimestamp());
      in.rollback();
      set(store.graph(), 2, "name", "B");
      assertEquals(List.of(), store.checkGraph());
    }
  }

  /** Records, index entries and rules take time for each write. */
  @RuleTest(
      rule = 58,
      sites =
          @Site(
              name = "records are made",
              in = "io.bg3.core.graph.GraphTransaction",
              method = "flush",
              before = "Vertices.flush"),
      twins =
          @Twin(
              name = "a large commit that may not wait is given up when its writes are prepared",
              in = "io.bg3.core.graph.GraphTransaction",
              method = "commit",
              without = "Transaction.requireShort"))
  void oneWithManyWritesIsGivenUpBeforeTheyArePrepared() throws Exception {
    try (StoreOnDisk store = open();
        GraphTransaction in = store.graph().begin()) {
      for (long vertex = 0; vertex < MANY; vertex++) {
        in.addVertex(1_000 + vertex, "v");
      }
      boolean[] prepared = new boolean[1];
      Sites.at("records are made", () -> prepared[0] = true);
      requireGivenUp(in::commit);
      assertFalse(in.hasTimestamp());
      assertFalse(prepared[0]);
      in.commit();
      assertTrue(prepared[0]);
      assertEquals(List.of(), store.checkGraph());
    }
  }
}
