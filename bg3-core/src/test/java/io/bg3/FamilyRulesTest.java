package io.bg3;

import static io.bg3.FamilyStores.change;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.forest.Forest;
import io.bg3.core.graph.EdgeDirection;
import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.EdgeScan;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.NeighbourBatch;
import io.bg3.core.keyspace.Trees;
import io.bg3.core.page.LeafFormat;
import io.bg3.core.record.EdgeId;
import io.bg3.core.snapshot.SnapshotSlots;
import io.bg3.core.transaction.ConflictException;
import io.bg3.core.tree.NotedPages;
import io.bg3.core.tree.Tree;
import io.bg3.core.tree.TreeRoute;
import io.bg3.rules.Patience;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import io.bg3.storage.extent.ExtentUsage;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.file.Disk;
import io.bg3.storage.file.MemoryDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Edges with a time to live, which have trees (R45) and extents (R46) of their own. */
class FamilyRulesTest {
  private static final long TTL = 1_000;
  private static final EdgeLabelForm PASSES = EdgeLabelForm.plain().withTtl(TTL);
  private static final EdgeLabelForm LASTS = EdgeLabelForm.plain().withTtl(100 * TTL);
  private static final String READS = "io.bg3.core.tree.RoutedReads";
  private static final String EXPIRY = "io.bg3.core.recovery.ExtentExpiry";
  private static final String MANIFEST = "io.bg3.storage.manifest.ManifestFile";
  private static final String LEAF = "io.bg3.core.tree.RenewedLeaf";

  private final AtomicLong clock = new AtomicLong(1_700_000_000_000L);

  private Bg3 open(Disk disk) throws IOException {
    Settings settings =
        Settings.defaults()
            .with("bg3.memory.budget", "16m")
            .with("bg3.extent.size", "64k")
            .with("bg3.page.capacity", "1k")
            .with("bg3.reclaim.max-space-amplification", "1.1")
            .with("bg3.page.consolidate", "2");
    return Bg3.open(settings, disk, clock::get);
  }

  /** Vertices 1 to 9; each label has an edge from 1 to 2, and those of 2 lead back. */
  private Bg3 open() throws IOException {
    Bg3 store = open(new MemoryDisk());
    fill(store);
    return store;
  }

  private static void fill(Bg3 store) {
    declare(store);
    change(
        store,
        graph -> {
          for (long vertex = 1; vertex < 10; vertex++) {
            graph.addVertex(vertex, "v");
          }
        });
    for (String label : List.of("lasts", "stays", "passes")) {
      change(
          store,
          graph -> {
            graph.addEdge(1, label, 2, null, Map.of());
            graph.addEdge(2, label, 1, null, Map.of());
          });
    }
  }

  private static void declare(Bg3 store) {
    store.graph().declareEdgeLabel("passes", PASSES);
    store.graph().declareEdgeLabel("lasts", LASTS);
  }

  private static int count(EdgeScan scan) {
    try (EdgeScan each = scan) {
      int count = 0;
      while (each.next()) {
        count++;
      }
      return count;
    }
  }

  private static int edges(Bg3 store, long vertex, EdgeDirection direction, String... labels) {
    try (GraphTransaction graph = store.graph().beginReadOnly()) {
      return count(graph.edges(vertex, direction, false, labels));
    }
  }

  private static EdgeId edge(GraphTransaction graph, long source, String label) {
    try (EdgeScan scan = graph.edges(source, EdgeDirection.OUT, false, label)) {
      assertTrue(scan.next(), label);
      return scan.edge();
    }
  }

  /** Waits for what a thread of the store does. */
  private static void await(Bg3 store, String what, Callable<Boolean> done) throws Exception {
    Patience.await(() -> what + ": " + store.stats().families(), done);
  }

  // ---- Trees.

  static TreeRoute sameRoute(TreeRoute route, int tagLabel) {
    return route;
  }

  static List<Tree> noFamilies(Forest forest) {
    return List.of();
  }

  @RuleTest(
      rule = 45,
      twins = {
        @Twin(
            name = "a scan of a vertex ends where the first family begins",
            in = READS,
            method =
                "copyForward(J[B[BJZILio/bg3/core/entry/Entries;Lio/bg3/core/page/PageRead;)[B",
            without = "OwnerPart.outermost",
            result = 1),
        @Twin(
            name = "a look-up of an edge goes to the tree of other edges",
            in = READS,
            method = "of",
            without = "TreeRoute.ofLabel",
            instead = "sameRoute"),
        @Twin(
            name = "the neighbours by a label are read in the tree of other edges",
            in = "io.bg3.core.transaction.TransactionScans",
            method = "neighbours",
            without = "Trees.ofLabel",
            instead = "sameTrees"),
        @Twin(
            name = "a scan of all edges leaves out those of families",
            in = "io.bg3.core.forest.Forest",
            method = "edgesOf",
            without = "Stream.forEach"),
        @Twin(
            name = "the entries of a family go to the tree of the owner's first entry",
            in = "io.bg3.core.commit.TreeBatches",
            method = "fillEdges",
            without = "EdgeKey.family")
      })
  void whoeverLooksForAnEdgeFindsItInTheTreeOfItsLabel() throws Exception {
    try (Bg3 store = open()) {
      for (long vertex = 1; vertex < 3; vertex++) {
        for (EdgeDirection direction : List.of(EdgeDirection.OUT, EdgeDirection.IN)) {
          assertEquals(3, edges(store, vertex, direction));
          assertEquals(2, edges(store, vertex, direction, "passes", "stays"));
        }
        assertEquals(6, edges(store, vertex, EdgeDirection.BOTH));
      }
      try (GraphTransaction graph = store.graph().beginReadOnly()) {
        assertEquals(6, graph.edgeCount());
        for (String label : List.of("passes", "lasts", "stays")) {
          assertNotNull(graph.edge(edge(graph, 1, label)), label);
          NeighbourBatch batch = new NeighbourBatch();
          graph.neighbours(new long[] {1}, 1, EdgeDirection.OUT, 100, batch, label);
          assertEquals(1, batch.size(), label);
        }
      }
      change(store, graph -> graph.removeVertex(2));
      assertEquals(0, edges(store, 1, EdgeDirection.BOTH));
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  static TreeRoute sameTrees(Trees trees, int tagLabel) {
    return trees;
  }

  @RuleTest(
      rule = 45,
      twins = {
        @Twin(
            name = "the edges of families are not looked at when a scan of a vertex is validated",
            in = READS,
            method = "changedAfter",
            without = "OwnerPart.outermost",
            result = 1),
        @Twin(
            name = "the edges of families are not looked at when a scan of all is validated",
            in = "io.bg3.core.keyspace.Trees",
            method = "anyOwnerChangedAfter",
            without = "Forest.familyTrees",
            instead = "noFamilies")
      })
  void anEdgeOfAFamilyThatIsNewIsAConflict() throws Exception {
    try (Bg3 store = open()) {
      for (boolean all : new boolean[] {false, true}) {
        try (GraphTransaction graph = store.graph().begin()) {
          int found =
              all ? (int) graph.edgeCount() : count(graph.edges(5, EdgeDirection.BOTH, false));
          graph.addVertex(100L + found, "v");
          store.graph().declareEdgeLabel("new" + all, EdgeLabelForm.plain().withTtl(all ? 5 : 7));
          change(store, other -> other.addEdge(5, "new" + all, 6, null, Map.of()));
          assertThrows(ConflictException.class, graph::commit, "all=" + all);
        }
      }
    }
  }

  static List<Tree> treesOfNow(NotedPages noted) {
    return List.copyOf(forestOfNow.trees());
  }

  /** The forest that the twin above asks for its trees. */
  private static volatile Forest forestOfNow;

  @RuleTest(
      rule = 45,
      sites =
          @Site(
              name = "noted",
              in = "io.bg3.core.recovery.Checkpointer",
              method = "take",
              after = "Forest.note"),
      twins = {
        @Twin(
            name = "a manifest names the tree of a family that was made behind its notes",
            in = "io.bg3.core.recovery.NextManifest",
            method = "roots",
            without = "NotedPages.trees",
            instead = "treesOfNow"),
        @Twin(
            name = "replay puts entries of a family that has no tree yet among others",
            in = "io.bg3.core.commit.Replayer$Gatherer",
            method = "openFamily",
            without = "Trees.openFamily")
      })
  void aFamilyThatIsMadeWhileACheckpointIsTakenIsWhole() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    Bg3 store = open(disk);
    forestOfNow = store.opened().forest(); // for the twin
    change(store, graph -> graph.addVertex(1, "v"));
    Sites.Other other =
        Sites.meanwhile(
            "noted",
            () -> {
              declare(store);
              change(store, graph -> graph.addEdge(1, "lasts", 1, null, Map.of()));
            });
    store.checkpoint();
    Sites.requirePassed("noted");
    other.join();
    CrashingDisk rest = disk.kill();
    assertThrows(Throwable.class, store::close);
    try (Bg3 opened = assertDoesNotThrow(() -> open(rest))) {
      assertEquals(1, edges(opened, 1, EdgeDirection.OUT));
      assertEquals(List.of(), opened.check(looked -> {}));
    }
  }

  /** The number of edges, in all and by label. */
  private static long count(Bg3 store) {
    try (GraphTransaction graph = store.graph().beginReadOnly()) {
      Map<String, Long> counts = graph.edgeCounts();
      counts.forEach((label, count) -> assertEquals(count, graph.edgeCount(label), label));
      assertEquals(counts.values().stream().mapToLong(Long::longValue).sum(), graph.edgeCount());
      return graph.edgeCount();
    }
  }

  @Test
  void labelsWithOneTimeShareAFamilyUntilThereAreTooMany() throws Exception {
    MemoryDisk disk = new MemoryDisk();
    try (Bg3 store = open(disk)) {
      fill(store);
      int passes = store.graph().declaredEdgeLabel("passes").code();
      int again = store.graph().declareEdgeLabel("passesToo", PASSES).code();
      assertEquals(EdgeKey.family(passes), EdgeKey.family(again));
      for (int i = 0; i < EdgeKey.MAX_FAMILY - 2; i++) {
        EdgeLabelForm form = EdgeLabelForm.plain().withTtl(2 * TTL + i);
        assertEquals(i + 3, EdgeKey.family(store.graph().declareEdgeLabel("l" + i, form).code()));
      }
      int beyond = store.graph().declareEdgeLabel("beyond", LASTS.withTtl(TTL / 2)).code();
      assertTrue(EdgeKey.hasTtl(beyond));
      assertEquals(0, EdgeKey.family(beyond));
      for (String label : List.of("beyond", "l252")) {
        change(store, graph -> graph.addEdge(1, label, 2, null, Map.of()));
      }
      assertEquals(5, edges(store, 1, EdgeDirection.OUT));
      assertEquals(5, edges(store, 2, EdgeDirection.IN));
    }
    try (Bg3 store = open(disk)) {
      assertEquals(5, edges(store, 1, EdgeDirection.OUT));
      assertEquals(8, count(store));
      clock.addAndGet(TTL / 2);
      assertEquals(4, edges(store, 2, EdgeDirection.IN));
      assertEquals(7, count(store), "without one of no family that expires");
      clock.addAndGet(TTL / 2);
      assertEquals(3, edges(store, 1, EdgeDirection.OUT));
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  // ---- Extents.

  /** Adds edges from vertices of their own, so that no leaf that is full is written to again. */
  private static void addMany(Bg3 store, String label, long first, int edges, int bytes) {
    byte[] random = new byte[bytes];
    new Random(first).nextBytes(random); // which no compression makes smaller
    String text = new String(random, StandardCharsets.ISO_8859_1);
    for (long from = first; from < first + edges; from += 50) {
      long vertex = from;
      change(
          store,
          graph -> {
            for (long i = vertex; i < vertex + 50; i++) {
              graph.addVertex(i, "v");
              graph.addEdge(i, label, 1, null, Map.of("text", text + i));
            }
          });
    }
  }

  private FamilyUse passing(Bg3 store) {
    return store.stats().families().get(0);
  }

  private boolean areAllGone(Bg3 store) {
    try {
      store.checkpoint();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return passing(store).extents() == 0;
  }

  /** Has time pass, and commits something, so that no store has to do so itself. */
  private void pass(Bg3 store, long millis) {
    clock.addAndGet(millis);
    change(store, graph -> graph.addVertex(null, "tick"));
  }

  /** The time, whichever snapshots are open. */
  static long theTime(SnapshotSlots slots, long now) {
    return now;
  }

  @RuleTest(
      rule = 46,
      twins = {
        @Twin(
            name = "leaves of a family are stored among others",
            in = "io.bg3.core.tree.PageFlush",
            method = "family"),
        @Twin(
            name = "entries with large values stay though their extent has expired",
            in = LEAF,
            method = "renew",
            without = "Horizon.forNewBase",
            instead = "sameHorizon"),
        @Twin(
            name = "extents are taken for expired whose edges live",
            in = EXPIRY,
            method = "hasExpired",
            result = 1),
        @Twin(
            name = "no extent is taken for expired",
            in = EXPIRY,
            method = "hasExpired",
            result = 0)
      })
  void extentsGoWhenAllInThemHasExpired() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    Bg3 store = open(disk);
    declare(store);
    change(store, graph -> graph.addVertex(1, "v"));
    addMany(store, "passes", 1_000, 1_500, 60);
    addMany(store, "passes", 3_000, 50, 2_000); // large values
    addMany(store, "lasts", 5_000, 500, 40);
    addMany(store, "stays", 7_000, 100, 40);
    store.checkpoint();
    pass(store, TTL / 2);
    addMany(store, "passes", 9_000, 500, 40);
    store.checkpoint();
    Thread.sleep(500); // nothing has expired
    assertEquals(0, store.stats().rewrittenForExpiry());
    assertTrue(passing(store).extents() > 2, passing(store).toString());
    pass(store, TTL);
    await(store, "extents go", () -> passing(store).expired() > 0 && passing(store).live() == 0);
    await(store, "all of them", () -> areAllGone(store));
    assertEquals(0, passing(store).moved());
    assertEquals(0, store.stats().rewrittenForExpiry());
    assertTrue(store.stats().families().get(1).extents() > 0);
    assertEquals(500, edges(store, 1, EdgeDirection.IN, "lasts"));
    assertEquals(600, edges(store, 1, EdgeDirection.IN));
    assertEquals(List.of(), store.check(looked -> {}));
    CrashingDisk rest = disk.crash(new Random(1));
    assertThrows(Throwable.class, store::close);
    try (Bg3 opened = open(rest)) {
      assertEquals(600, edges(opened, 1, EdgeDirection.IN));
      assertEquals(List.of(), opened.check(looked -> {}));
    }
  }

  @RuleTest(
      rule = 46,
      twins = {
        @Twin(
            name = "a store that nobody writes to does not commit the time",
            in = "io.bg3.core.recovery.RowKeeper",
            method = "wantClock",
            without = "ClockCommits.want"),
        @Twin(
            name = "no extent waits for a commit that is as new as the clock",
            in = "io.bg3.core.transaction.TransactionManager",
            method = "awaitsClock",
            result = 0)
      })
  void extentsGoThoughNobodyWrites() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    Bg3 store = open(disk);
    declare(store);
    change(store, graph -> graph.addVertex(1, "v"));
    addMany(store, "passes", 1_000, 1_500, 60);
    addMany(store, "lasts", 5_000, 500, 40);
    store.checkpoint();
    long logged = store.stats().loggedBytes();
    clock.addAndGet(2 * TTL);
    await(store, "extents go", () -> areAllGone(store));
    assertTrue(store.stats().loggedBytes() > logged);
    Thread.sleep(1_500);
    long afterwards = store.stats().loggedBytes();
    Thread.sleep(1_500);
    assertEquals(afterwards, store.stats().loggedBytes(), "nothing is left to commit for");
    assertEquals(500, edges(store, 1, EdgeDirection.IN));
    CrashingDisk rest = disk.crash(new Random(1));
    assertThrows(Throwable.class, store::close);
    clock.addAndGet(-2 * TTL);
    try (Bg3 opened = open(rest)) {
      assertEquals(500, edges(opened, 1, EdgeDirection.IN));
      assertEquals(List.of(), opened.check(looked -> {}));
    }
  }

  static Horizon sameHorizon(Horizon horizon) {
    return horizon;
  }

  @RuleTest(
      rule = 46,
      twins =
          @Twin(
              name = "extents go though a snapshot is open by whose clock they have not expired",
              in = "io.bg3.core.snapshot.SnapshotSlots",
              method = "earliestClock",
              instead = "theTime"))
  void aReaderKeepsTheExtentsThatHaveNotExpiredForIt() throws Exception {
    try (Bg3 store = open(new MemoryDisk())) {
      declare(store);
      change(store, graph -> graph.addVertex(1, "v"));
      addMany(store, "passes", 1_000, 1_000, 40);
      store.checkpoint();
      pass(store, 1);
      try (GraphTransaction reader = store.graph().beginReadOnly()) {
        pass(store, 2 * TTL);
        Thread.sleep(1_000);
        assertEquals(0, passing(store).expired());
        assertEquals(1_000, count(reader.edges(1, EdgeDirection.IN, true)));
      }
      pass(store, 1);
      await(store, "extents go", () -> passing(store).expired() > 0);
      assertEquals(0, edges(store, 1, EdgeDirection.IN));
    }
  }

  static List<ExtentUsage> allOf(List<ExtentUsage> usage, Supplier<Horizon> horizon) {
    return usage;
  }

  @RuleTest(
      rule = 46,
      twins =
          @Twin(
              name = "what expires before long is copied out of its extent",
              in = "io.bg3.core.recovery.Reclaimer",
              method = "begin",
              without = "Reclaimer.withoutExpiring",
              instead = "allOf"))
  void whatExpiresBeforeLongIsNotCopied() throws Exception {
    try (Bg3 store = open(new MemoryDisk())) {
      declare(store);
      change(store, graph -> graph.addVertex(1, "v"));
      addMany(store, "passes", 10_000, 4_000, 120);
      store.checkpoint();
      pass(store, TTL - TTL / 20);
      for (long first = 10_000; first < 14_000; first += 200) { // half of the leaves
        long from = first;
        change(
            store,
            graph -> {
              for (long vertex = from; vertex < from + 100; vertex++) {
                EdgeId edge = edge(graph, vertex, "passes");
                graph.setEdgeProperty(edge, "text", "renewed" + vertex);
              }
            });
      }
      store.checkpoint();
      Thread.sleep(1_500);
      assertEquals(0, passing(store).moved());
      pass(store, TTL / 10);
      await(store, "extents go", () -> passing(store).expired() > 0);
      assertEquals(2_000, edges(store, 1, EdgeDirection.IN));
    }
  }

  @RuleTest(
      rule = 46,
      twins =
          @Twin(
              name = "a leaf without entries is stored in an extent that expires",
              in = "io.bg3.core.tree.PageFlush",
              method = "family",
              without = "PageHeader.newestStamp",
              result = 1))
  void aLeafThatStaysWithoutEntriesLeavesItsExtent() throws Exception {
    try (Bg3 store = open(new MemoryDisk())) {
      fill(store);
      store.checkpoint();
      pass(store, TTL);
      await(store, "extents go", () -> passing(store).expired() > 0);
      assertEquals(0, passing(store).live());
      change(store, graph -> graph.addEdge(1, "passes", 2, null, Map.of()));
      assertEquals(3, edges(store, 1, EdgeDirection.OUT));
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  static Entries nothingOf(LeafFormat format, long block, Horizon horizon) {
    return format.newEntries();
  }

  /** Cuts the power when a thread passes a site so often from now on; says what is left then. */
  private static CompletableFuture<CrashingDisk> cutAt(CrashingDisk disk, String site, int pass) {
    CompletableFuture<CrashingDisk> rest = new CompletableFuture<>();
    AtomicInteger passes = new AtomicInteger();
    Sites.always(
        site,
        () -> {
          if (passes.incrementAndGet() == pass) {
            rest.complete(disk.crash(new Random(pass)));
          }
        });
    return rest;
  }

  /** A store in whose expired extents are leaves with edges that live, 20 of all. */
  private Bg3 openWithLeavesThatExpireInPart(CrashingDisk disk) throws IOException {
    Bg3 store = open(disk);
    declare(store);
    change(store, graph -> graph.addVertex(1, "v"));
    addMany(store, "passes", 1_000, 2_000, 100);
    store.checkpoint();
    pass(store, TTL / 2);
    change(
        store,
        graph -> {
          for (long vertex = 1_000; vertex < 1_500; vertex += 25) {
            graph.addEdge(vertex, "passes", 1, null, Map.of("text", "late"));
          }
        });
    store.checkpoint();
    return store;
  }

  @RuleTest(
      rule = 46,
      sites = {
        @Site(name = "renewed", in = EXPIRY, method = "renew", after = "RenewedLeaf.renew"),
        @Site(name = "all renewed", in = EXPIRY, method = "slice", after = "Map.clear"),
        @Site(name = "names", in = MANIFEST, method = "write", before = "Disk.rename"),
        @Site(name = "named", in = MANIFEST, method = "write", after = "Disk.rename"),
        @Site(name = "deleted", in = EXPIRY, method = "checkpointed", before = "ExtentStore.usage")
      },
      twins =
          @Twin(
              name = "a leaf that has expired in part loses what lives in it",
              in = LEAF,
              method = "renew",
              without = "LeafFormat.mergedForNow",
              instead = "nothingOf"))
  void whatLivesInALeafOfAnExpiredExtentIsThereBehindEachCut() throws Exception {
    for (String site : List.of("renewed", "all renewed", "names", "named", "deleted")) {
      for (int pass : site.equals("renewed") ? new int[] {1, 20} : new int[] {1}) {
        String at = site + ", " + pass;
        CrashingDisk disk = new CrashingDisk();
        Bg3 store = openWithLeavesThatExpireInPart(disk);
        CompletableFuture<CompletableFuture<CrashingDisk>> cut = new CompletableFuture<>();
        if (site.endsWith("renewed")) {
          cut.complete(cutAt(disk, site, pass));
        } else { // of the manifest behind the round
          Sites.at("all renewed", () -> cut.complete(cutAt(disk, site, pass)));
        }
        pass(store, TTL / 2);
        CrashingDisk rest = cut.thenCompose(cutting -> cutting).get(1, TimeUnit.MINUTES);
        Sites.never(site);
        assertThrows(Throwable.class, store::close);
        assertWhatLivesIsThere(rest, at);
      }
    }
    CrashingDisk disk = new CrashingDisk();
    Bg3 store = openWithLeavesThatExpireInPart(disk);
    pass(store, TTL / 2);
    await(store, "extents go", () -> passing(store).expired() > 0);
    assertNotEquals(0, store.stats().rewrittenForExpiry());
    assertEquals(20, edges(store, 1, EdgeDirection.IN));
    CrashingDisk rest = disk.crash(new Random(1));
    assertThrows(Throwable.class, store::close);
    assertWhatLivesIsThere(rest, "at the end");
  }

  private void assertWhatLivesIsThere(CrashingDisk rest, String at) throws IOException {
    try (Bg3 opened = open(rest)) {
      assertEquals(20, edges(opened, 1, EdgeDirection.IN), at);
      assertEquals(List.of(), opened.check(looked -> {}), at);
    }
  }
}
