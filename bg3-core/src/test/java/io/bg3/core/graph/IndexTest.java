package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.StoreOnDisk;
import io.bg3.core.commit.StoreFailedException;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.limit.Limit;
import io.bg3.core.limit.LimitExceededException;
import io.bg3.core.record.IndexForm;
import io.bg3.core.record.IndexKey;
import io.bg3.core.record.IndexValue;
import io.bg3.core.transaction.ByteCursor;
import io.bg3.core.transaction.ConflictException;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.testing.Seeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Property indexes: what they find, and how they come and go beside writers and power cuts. */
class IndexTest {
  private static final int STEP = Integer.getInteger("bg3.index.step", 7);

  private static final IndexedKeys X = IndexedKeys.ofVertices(null, "x");
  private static final List<Condition> CODE =
      List.of(new Condition("code", Sought.anyOf(List.of("LHR"))));

  @TempDir Path directory;

  private static void add(GraphStore graph, long vertex, Object code) {
    graph.retry(
        in -> {
          in.addVertex(vertex, "airport");
          in.setProperty(vertex, Cardinality.SINGLE, "code", code, null);
          return null;
        });
  }

  private static List<Long> find(GraphStore graph, Object... codes) {
    try (GraphTransaction in = graph.beginReadOnly()) {
      return Indexes.find(in, "code", codes);
    }
  }

  @Test
  void anIndexFindsOldAndNewVerticesOfItsLabel() throws Exception {
    try (Bg3 store = Bg3.open(Settings.defaults())) {
      GraphStore graph = store.graph();
      add(graph, 1, "LHR");
      assertNull(find(graph, "LHR"));
      assertEquals("airport.code", graph.createIndex("airport", "code").of().toString());
      Indexes.await(graph);
      graph.createIndex("airport", "code"); // does nothing
      assertEquals(1, graph.indexes().size());
      add(graph, 2, "LHR");
      add(graph, 3, "SZG");
      assertNull(find(graph, "LHR"), "not for all labels");
      try (GraphTransaction in = graph.begin();
          VertexLookup lookup = in.lookUp("code", List.of("LHR"), "airport")) {
        assertTrue(lookup.next());
        assertEquals(1, lookup.vertex());
        assertTrue(lookup.next());
        assertEquals(2, lookup.vertex());
        assertFalse(lookup.next());
        assertEquals(2, lookup.passed());
      }
      assertEquals(
          List.of("airport.code"), graph.indexesFor(ElementKind.VERTEX, CODE, List.of("airport")));
      assertTrue(graph.dropIndex("airport", "code"));
      assertFalse(graph.dropIndex("airport", "code"));
      Indexes.await(graph);
      assertEquals(List.of(), graph.indexes());
      assertEquals(List.of(), graph.indexesFor(ElementKind.VERTEX, CODE, List.of("airport")));
    }
  }

  /** Of two transactions that look for a value and then give it to a vertex, one conflicts. */
  @Test
  void aValueThatWasLookedForAndNotFoundIsRead() throws Exception {
    try (Bg3 store = Bg3.open(Settings.defaults())) {
      GraphStore graph = store.graph();
      graph.createIndex(null, "code");
      Indexes.await(graph);
      try (GraphTransaction one = graph.begin();
          GraphTransaction other = graph.begin()) {
        for (GraphTransaction each : List.of(one, other)) {
          assertEquals(List.of(), Indexes.find(each, "code", "LHR"));
          long vertex = each.addVertex(null, "airport");
          each.setProperty(vertex, Cardinality.SINGLE, "code", "LHR", null);
          assertEquals(List.of(vertex), Indexes.find(each, "code", "LHR"));
        }
        one.commit();
        assertThrows(ConflictException.class, other::commit);
      }
      try (GraphTransaction one = graph.begin();
          GraphTransaction other = graph.begin()) {
        assertEquals(List.of(), Indexes.find(one, "code", "SZG"));
        assertEquals(List.of(), Indexes.find(other, "code", "VIE"));
        one.setProperty(one.addVertex(8L, "a"), Cardinality.SINGLE, "code", "SZG", null);
        other.setProperty(other.addVertex(9L, "a"), Cardinality.SINGLE, "code", "VIE", null);
        one.commit();
        other.commit(); // another value
      }
    }
  }

  /** Writers change values all the time, while indexes are built and dropped beside them. */
  @Test
  void indexesAreBuiltBesideWriters() throws Exception {
    long seed = Seeds.one();
    try (Bg3 store = Bg3.open(Settings.defaults().with("bg3.memory.budget", "64m"))) {
      GraphStore graph = store.graph();
      graph.retry(
          in -> {
            for (long vertex = 0; vertex < 3_000; vertex++) {
              in.addVertex(vertex, "airport");
              in.setProperty(vertex, Cardinality.SINGLE, "code", vertex % 10, null);
            }
            return null;
          });
      AtomicBoolean ended = new AtomicBoolean();
      AtomicLong commits = new AtomicLong();
      ExecutorService threads = Executors.newFixedThreadPool(2);
      try {
        List<Future<?>> writers = new ArrayList<>();
        for (int writer = 0; writer < 2; writer++) {
          Random random = new Random(seed + writer);
          writers.add(
              threads.submit(
                  () -> {
                    while (!ended.get()) {
                      change(graph, random);
                      commits.incrementAndGet();
                    }
                  }));
        }
        for (int i = 0; i < 5; i++) {
          graph.createIndex(i % 2 == 0 ? null : "airport", "code");
          Indexes.await(graph);
          assertEquals(List.of(), store.check(looked -> {}), "-Dbg3.seed=" + seed);
          graph.dropIndex(null, "code");
        }
        ended.set(true);
        for (Future<?> writer : writers) {
          writer.get();
        }
      } finally {
        ended.set(true);
        threads.shutdown();
      }
      Indexes.await(graph);
      assertTrue(commits.get() > 0);
      assertEquals(List.of(), store.check(looked -> {}), "-Dbg3.seed=" + seed);
    }
  }

  private static void change(GraphStore graph, Random random) {
    long vertex = random.nextInt(3_000);
    if (random.nextBoolean()) {
      graph.update(vertex, in -> change(in, vertex, random.nextInt(10)));
    } else {
      graph.retry(in -> change(in, vertex, random.nextInt(10)));
    }
  }

  private static Void change(GraphTransaction in, long vertex, long code) {
    if (code == 0 && in.vertexExists(vertex)) {
      in.removeVertex(vertex);
    } else {
      if (!in.vertexExists(vertex)) {
        in.addVertex(vertex, "airport");
      }
      in.setProperty(vertex, Cardinality.SINGLE, "code", code, null);
    }
    return null;
  }

  /** The builder adds the entry that the writer removes, and is no reason for a conflict. */
  @Test
  void aWriterDoesNotConflictWithTheBuilder() throws Exception {
    try (Bg3 store = Bg3.open(Settings.defaults())) {
      GraphStore graph = store.graph();
      add(graph, 1, "LHR");
      try (GraphTransaction in = graph.begin()) {
        in.setProperty(1, Cardinality.SINGLE, "code", "SZG", null);
        graph.createIndex(null, "code");
        Indexes.await(graph);
        in.commit();
      }
      assertEquals(List.of(), find(graph, "LHR"));
      assertEquals(List.of(1L), find(graph, "SZG"));
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  @Test
  void theListDoesNotWaitForAnIndexThatIsRegistered() throws Exception {
    try (Bg3 store = Bg3.open(Settings.defaults())) {
      GraphStore graph = store.graph();
      graph.makePropertyKey("code");
      Thread creator = new Thread(() -> graph.createIndex(null, "code"));
      graph.update(
          1,
          in -> {
            creator.start();
            while (creator.getState() == Thread.State.NEW
                || creator.getState() == Thread.State.RUNNABLE) {
              Thread.onSpinWait();
            }
            assertEquals(List.of(), graph.indexes()); // the creator waits for this update
            return null;
          });
      creator.join();
      assertEquals(1, graph.indexes().size());
    }
  }

  @Test
  void aCheckFindsEntriesOfNoIndex() throws Exception {
    try (Bg3 store = Bg3.open(Settings.defaults())) {
      GraphStore graph = store.graph();
      add(graph, 1, "LHR");
      graph.createIndex(null, "code");
      Indexes.await(graph);
      assertEquals(List.of(), store.check(looked -> {}));
      graph.retry(
          in -> {
            in.transaction().putEntry(IndexKey.untold(77).low());
            return null;
          });
      assertTrue(store.check(looked -> {}).get(0).startsWith("C9"));
    }
  }

  @Test
  void anIndexWithFaultsIsBuiltAnew() throws Exception {
    try (Bg3 store = Bg3.open(Settings.defaults())) {
      GraphStore graph = store.graph();
      add(graph, 1, "LHR");
      add(graph, 2, List.of("untold"));
      graph.createIndex(null, "code");
      Indexes.await(graph);
      assertEquals(List.of(), graph.checkIndex(IndexedKeys.ofVertices(null, "code"), looked -> {}));
      graph.retry(
          in -> {
            in.transaction().putEntry(IndexKey.untold(1).low());
            in.transaction().deleteEntry(entry(in, "LHR"));
            return null;
          });
      assertEquals(2, graph.checkIndex(IndexedKeys.ofVertices(null, "code"), looked -> {}).size());
      assertEquals(List.of(2L), find(graph, "LHR"));
      graph.rebuildIndex(IndexedKeys.ofVertices(null, "code"));
      Indexes.await(graph);
      assertEquals(List.of(), graph.checkIndex(IndexedKeys.ofVertices(null, "code"), looked -> {}));
      assertEquals(List.of(1L, 2L), find(graph, "LHR"));
      assertEquals(List.of(), store.check(looked -> {}));
      assertThrows(
          IllegalArgumentException.class,
          () -> graph.rebuildIndex(IndexedKeys.ofVertices("airport", "code")));
      assertThrows(
          IllegalArgumentException.class,
          () -> graph.checkIndex(IndexedKeys.ofVertices("airport", "code"), looked -> {}));
    }
  }

  /** The first entry of a value. */
  private static byte[] entry(GraphTransaction in, Object value) {
    IndexValue.Interval interval = IndexValue.equal(value, new IndexForm(false, true)).get(0);
    IndexKey.Range range = IndexKey.range(IndexKey.beginning(1), interval, true, false);
    try (ByteCursor cursor =
        in.transaction()
            .scan(TreeIds.INDEX_ENTRIES, range.low(), range.high(), ScanOrder.FORWARD)) {
      assertTrue(cursor.next());
      return cursor.key();
    }
  }

  @Test
  void thereIsALimit() throws Exception {
    try (Bg3 store = Bg3.open(Settings.defaults())) {
      for (int i = 0; i < Limit.INDEXES.most(); i++) {
        store.graph().createIndex(null, "key" + i);
      }
      LimitExceededException e =
          assertThrows(LimitExceededException.class, () -> store.graph().createIndex(null, "more"));
      assertEquals(Limit.INDEXES, e.limit());
      assertThrows(IllegalArgumentException.class, () -> store.graph().createIndex("", "key"));
      String[] keys = {"a", "b", "c", "d", "e"};
      e = assertThrows(LimitExceededException.class, () -> store.graph().createIndex(null, keys));
      assertEquals(Limit.INDEX_KEYS, e.limit());
    }
  }

  @Test
  void aStoreThatIsOpenToReadOnlyUsesIndexesAndKeepsThem() throws Exception {
    Settings settings = Settings.defaults().with(Setting.DIRECTORY, directory.toString());
    try (Bg3 store = Bg3.open(settings)) {
      store.graph().createIndex(null, "code");
      add(store.graph(), 1, "LHR");
      Indexes.await(store.graph());
    }
    try (Bg3 store = Bg3.open(settings.with(Setting.READ_ONLY, "true"))) {
      GraphStore graph = store.graph();
      assertEquals(List.of(1L), find(graph, "LHR"));
      assertThrows(StoreFailedException.class, () -> graph.createIndex(null, "other"));
      assertThrows(StoreFailedException.class, () -> graph.dropIndex(null, "code"));
      assertEquals(List.of(1L), find(graph, "LHR"));
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  /**
   * Cuts the power at every few writes ({@code -Dbg3.index.step=1}: at each) while indexes come and
   * go, and lets the next opening finish.
   */
  @Test
  void aPowerCutLosesNoEntryAndLeavesNoIndexHalfMade() throws Exception {
    long seed = Seeds.one();
    Random random = new Random(seed);
    boolean cut = true;
    int made = 0;
    for (int writes = 1; cut; writes += 1 + random.nextInt(STEP)) {
      CrashingDisk disk = new CrashingDisk();
      disk.cutAtWrite(writes);
      AtomicBoolean created = new AtomicBoolean();
      try (StoreOnDisk store = StoreOnDisk.open(settings(), disk)) {
        comeAndGo(store, created);
      } catch (Exception | Error e) {
        assertTrue(disk.isCut(), () -> "-Dbg3.seed=" + seed + ": " + e);
      }
      cut = disk.isCut();
      String at = "-Dbg3.seed=" + seed + ", writes=" + writes;
      try (StoreOnDisk store = StoreOnDisk.open(settings(), disk.crash(random))) {
        Indexes.await(store.graph());
        assertEquals(List.of(), store.checkGraph(), at);
        made += store.graph().indexes().size();
        boolean has = store.graph().indexes().stream().anyMatch(index -> index.of().equals(X));
        assertTrue(has || !created.get(), at);
        long vertices;
        try (GraphTransaction in = store.graph().beginReadOnly()) {
          vertices = in.vertexCount();
        }
        for (IndexStatus index : store.graph().indexes()) {
          try (GraphTransaction in = store.graph().beginReadOnly()) {
            if (index.of().equals(X)) {
              assertEquals(vertices, Indexes.find(in, "x", 0, 1, 2).size(), at);
            }
          }
        }
      }
    }
    assertTrue(made > 0, "-Dbg3.seed=" + seed);
  }

  private static Settings settings() {
    return Settings.defaults()
        .with("bg3.page.capacity", "512")
        .with("bg3.log.segment.min", "64k")
        .with("bg3.log.segment.max", "64k")
        .with("bg3.memory.budget", "16m");
  }

  private static void comeAndGo(StoreOnDisk store, AtomicBoolean created) throws Exception {
    GraphStore graph = store.graph();
    for (int commit = 0; commit < 3; commit++) {
      addSome(graph, commit);
      graph.createIndex(null, commit == 1 ? "y" : "x");
      graph.createIndex(IndexedKeys.ofEdges(null, "w"), false);
      created.set(true); // x is there from now on
      store.checkpoint();
    }
    graph.createUniqueIndex(null, "z");
    graph.createIndex("v", "y", "x");
    graph.createUniqueIndex(null, "x", "z");
    Indexes.await(graph);
    graph.dropIndex(null, "y");
    addSome(graph, 3);
    store.checkpoint();
    Indexes.await(graph);
    graph.createIndex(null, "y");
    graph.rebuildIndex(X);
    graph.dropIndex("v", "y", "x");
    addSome(graph, 4);
    Indexes.await(graph);
  }

  private static void addSome(GraphStore graph, int commit) {
    graph.retry(
        in -> {
          for (int i = 0; i < 20; i++) {
            long vertex = in.addVertex(100L * commit + i, "v");
            in.setProperty(vertex, Cardinality.SINGLE, "x", i % 3, null);
            in.setProperty(vertex, Cardinality.LIST, "y", "t".repeat(i), null);
            in.setProperty(vertex, Cardinality.SINGLE, "z", vertex, null);
            in.addEdge(vertex, "e", 100L * commit, null, Map.of("w", i % 3));
          }
          return null;
        });
  }
}
