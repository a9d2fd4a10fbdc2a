package io.bg3;

import static io.bg3.FamilyStores.change;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.Op;
import io.bg3.core.graph.EdgeDirection;
import io.bg3.core.graph.EdgeFamily;
import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.EdgeScan;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.SortOrder;
import io.bg3.core.limit.Limit;
import io.bg3.core.limit.LimitExceededException;
import io.bg3.core.tree.PendingMaintenance;
import io.bg3.core.tree.Tree;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Twin;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.file.Disk;
import io.bg3.storage.file.MemoryDisk;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Families of edge labels with a name and settings of their own (R51). */
class NamedFamilyRulesTest {
  private static final long TTL = 1_000;
  private static final EdgeFamily WIDE =
      new EdgeFamily("wide").withPageCapacity(16 << 10).withConsolidate(50);

  private final AtomicLong clock = new AtomicLong(1_700_000_000_000L);

  private Bg3 open(Disk disk) throws IOException {
    return open(disk, "");
  }

  private Bg3 open(Disk disk, String families) throws IOException {
    Settings settings =
        Settings.defaults()
            .with("bg3.memory.budget", "16m")
            .with("bg3.extent.size", "64k")
            .with("bg3.page.capacity", "1k")
            .with("bg3.page.consolidate", "2")
            .with("bg3.families", families);
    return Bg3.open(settings, disk, clock::get);
  }

  /** Adds edges to vertex 1 from vertices of their own, which are new. */
  private static void addMany(Bg3 store, String label, long first) {
    for (long from = first; from < first + 1_000; from += 100) {
      long begin = from;
      change(
          store,
          graph -> {
            for (long vertex = begin; vertex < begin + 100; vertex++) {
              graph.addVertex(vertex, "v");
              graph.addEdge(vertex, label, 1, null, Map.of("text", "of vertex " + vertex));
            }
          });
    }
  }

  private static int edges(Bg3 store, String... labels) {
    try (GraphTransaction graph = store.graph().beginReadOnly();
        EdgeScan scan = graph.edges(1, EdgeDirection.IN, false, labels)) {
      int count = 0;
      while (scan.next()) {
        count++;
      }
      return count;
    }
  }

  /** The pages of the family with the highest number. */
  private static long pages(Bg3 store) {
    List<FamilyPages> families = store.familyPages();
    FamilyPages last = families.get(families.size() - 1);
    return last.whole() + last.topology() + last.stored();
  }

  private static void declare(Bg3 store, String label, EdgeLabelForm form) {
    store.graph().declareEdgeLabel(label, form);
  }

  private static int family(Bg3 store, String label) {
    return EdgeKey.family(store.graph().declaredEdgeLabel(label).code());
  }

  private static String refusal(Runnable work) {
    return assertThrows(IllegalArgumentException.class, work::run).getMessage();
  }

  @RuleTest(
      rule = 51,
      twins = {
        @Twin(
            name = "replay writes the pages of a family that is new as those of others",
            in = "io.bg3.core.commit.Replayer$Gatherer",
            method = "write",
            without = "Trees.configureFamily"),
        @Twin(
            name = "an opening forgets how the pages of a family are written",
            in = "io.bg3.core.forest.Forest",
            method = "openFamily(II)V",
            without = "TreeShape.configure")
      })
  void theSettingsOfAFamilyHoldBehindEachOpening() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    Bg3 store = open(disk);
    change(store, graph -> graph.addVertex(1, "v"));
    store.graph().defineFamily(WIDE);
    store.graph().declareEdgeLabel("wide", EdgeLabelForm.plain().inFamily("wide"));
    addMany(store, "wide", 1_000);
    assertTrue(pages(store) < 40, "pages=" + pages(store));
    CrashingDisk replayed = disk.kill();
    assertThrows(Throwable.class, store::close);
    Bg3 again = open(replayed);
    assertTrue(pages(again) < 40, "pages=" + pages(again));
    again.checkpoint();
    again.close();
    try (Bg3 last = open(replayed)) {
      addMany(last, "wide", 5_000);
      assertTrue(pages(last) < 80, "pages=" + pages(last));
      assertEquals(2_000, edges(last));
      assertEquals(2_000, edges(last, "wide"));
      assertEquals(List.of(WIDE), last.graph().families());
      assertEquals(List.of(), last.check(looked -> {}));
    }
  }

  @RuleTest(
      rule = 51,
      twins = {
        @Twin(
            name = "labels without a family share that of others which have a name",
            in = "io.bg3.core.transaction.CodeTable",
            method = "familyOf",
            without = "NamedFamilies.has"),
        @Twin(
            name = "the number of a family that has no labels is given again",
            in = "io.bg3.core.transaction.CodeTable",
            method = "nextFamily",
            without = "NamedFamilies.last")
      })
  void theNumberOfAFamilyIsGivenOnce() throws Exception {
    MemoryDisk disk = new MemoryDisk();
    try (Bg3 store = open(disk)) {
      store.graph().defineFamily(new EdgeFamily("first").withTtl(TTL));
      store.graph().defineFamily(new EdgeFamily("second"));
      assertDoesNotThrow(() -> declare(store, "a", EdgeLabelForm.plain().inFamily("first")));
      declare(store, "b", EdgeLabelForm.plain().inFamily("second"));
      assertDoesNotThrow(() -> declare(store, "c", EdgeLabelForm.plain().withTtl(TTL)));
      assertEquals(1, family(store, "a"));
      assertEquals(2, family(store, "b"));
      assertEquals(3, family(store, "c"));
      store.graph().declareEdgeLabel("d", EdgeLabelForm.plain().withTtl(TTL));
      store.graph().declareEdgeLabel("e", EdgeLabelForm.plain().inFamily("second").asCounted());
      assertEquals(3, family(store, "d"));
      assertEquals(2, family(store, "e"));
      assertNotEquals(
          store.graph().declaredEdgeLabel("b").code(), store.graph().declaredEdgeLabel("e").code());
    }
    try (Bg3 store = open(disk)) {
      assertEquals(1, family(store, "a"));
      assertEquals("second", store.graph().declaredEdgeLabel("e").form().family());
      assertEquals(TTL, store.graph().declaredEdgeLabel("a").form().ttlMillis());
      assertEquals(0, store.graph().declaredEdgeLabel("b").form().ttlMillis());
      assertFalse(EdgeKey.hasTtl(store.graph().declaredEdgeLabel("b").code()));
      store.graph().defineFamily(new EdgeFamily("third"));
      store.graph().declareEdgeLabel("f", EdgeLabelForm.plain().inFamily("third"));
      assertEquals(4, family(store, "f"));
    }
  }

  @RuleTest(
      rule = 45,
      twins =
          @Twin(
              name = "a check does not look of which family the edges in a tree are",
              in = "io.bg3.core.tree.TreeChecker",
              method = "checkLeaf",
              without = "TreeChecker.checkFamily"))
  void aCheckFindsEdgesOfAnotherFamily() throws Exception {
    try (Bg3 store = open(new MemoryDisk())) {
      store.graph().defineFamily(WIDE);
      store.graph().declareEdgeLabel("wide", EdgeLabelForm.plain().inFamily("wide"));
      change(store, graph -> graph.addVertex(1, "v"));
      change(store, graph -> graph.addEdge(1, "wide", 1, null, Map.of()));
      change(store, graph -> graph.addEdge(1, "plain", 1, null, Map.of()));
      assertEquals(List.of(), store.check(looked -> {}));
      Tree tree = store.opened().forest().family(1);
      Entries strange = new EdgeEntries();
      strange.append(
          EdgeKey.encode(1, 7, 1, 0), Op.PUT, store.transactions().visible(), new byte[0]);
      PendingMaintenance due = new PendingMaintenance();
      tree.apply(strange, 0, 1, due);
      due.settle(Horizon.KEEP_ALL);
      List<String> problems = store.checkPages(looked -> {});
      assertTrue(problems.toString().contains("C6"), problems.toString());
    }
  }

  @Test
  void edgesOfAFamilyThatStayAreThereLikeOthers() throws Exception {
    MemoryDisk disk = new MemoryDisk();
    try (Bg3 store = open(disk)) {
      store.graph().defineFamily(new EdgeFamily("apart").withCompression("none"));
      EdgeLabelForm apart = EdgeLabelForm.plain().inFamily("apart");
      store.graph().declareEdgeLabel("stays", apart);
      store.graph().declareEdgeLabel("counted", apart.asCounted());
      store
          .graph()
          .declareEdgeLabel("ordered", apart.orderedBy("time", SortOrder.DESCENDING).asLoose());
      store.graph().declareEdgeLabel("passes", EdgeLabelForm.plain().withTtl(TTL));
      change(store, graph -> graph.addVertex(1, "v"));
      addMany(store, "stays", 1_000);
      addMany(store, "counted", 3_000);
      change(
          store,
          graph -> {
            graph.addEdge(1, "ordered", 2, null, Map.of("time", 5L));
            graph.addEdge(1, "passes", 1, null, Map.of());
            graph.addEdge(1, "plain", 1, null, Map.of());
          });
      store.checkpoint();
      FamilyUse use = store.stats().families().get(0);
      assertEquals("apart", use.name());
      assertEquals(0, use.ttlMillis());
      assertTrue(use.live() > 50_000, use.toString());
      clock.addAndGet(10 * TTL);
      change(store, graph -> graph.addVertex(2, "v"));
      look(store);
      assertTrue(EdgeKey.isApart(store.graph().declareEdgeLabel("stays", apart).code()));
      change(store, graph -> graph.removeVertex(1_000));
    }
    try (Bg3 store = open(disk)) {
      clock.addAndGet(TTL);
      assertEquals(2_000, edges(store));
      store.graph().declareEdgeLabel("stays", EdgeLabelForm.plain().inFamily("apart").asCounted());
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  private static void look(Bg3 store) {
    assertEquals(2_001, edges(store));
    assertEquals(1_000, edges(store, "stays"));
    try (GraphTransaction graph = store.graph().beginReadOnly()) {
      assertEquals(2_002, graph.edgeCount());
      assertEquals(1_000, graph.edgeCount("counted"));
      assertEquals(1_000, graph.edgeCounts().get("stays"));
    }
  }

  @Test
  void whatIsRefusedNamesTheReason() throws Exception {
    try (Bg3 store = open(new MemoryDisk())) {
      store.graph().defineFamily(WIDE);
      assertEquals(WIDE, store.graph().defineFamily(WIDE));
      EdgeLabelForm form = EdgeLabelForm.plain();
      assertTrue(
          refusal(() -> store.graph().declareEdgeLabel("a", form.inFamily("wid")))
              .contains("define it first"));
      assertTrue(
          refusal(() -> store.graph().declareEdgeLabel("a", form.inFamily("wide").withTtl(5)))
              .contains("another time to live"));
      assertTrue(
          refusal(() -> store.graph().defineFamily(WIDE.withTtl(5)))
              .contains("the family has other settings"));
      assertTrue(
          refusal(() -> store.graph().changeFamily(WIDE.withTtl(5))).contains("cannot change"));
      assertTrue(
          refusal(() -> store.graph().changeFamily(new EdgeFamily("other"))).contains("no such"));
      assertTrue(refusal(() -> WIDE.withPageCapacity(100)).contains("512 to 65536"));
      assertTrue(refusal(() -> WIDE.withCompression("gzip")).contains("compression=gzip"));
      store.graph().defineFamily(new EdgeFamily("passes").withTtl(TTL));
      assertTrue(
          refusal(() -> store.graph().declareEdgeLabel("a", form.inFamily("passes").asCounted()))
              .contains("cannot be counted"));
      EdgeFamily changed = WIDE.withConsolidate(9).withCompression("zstd:3");
      assertEquals(changed, store.graph().changeFamily(changed));
      assertEquals(changed, store.graph().families().get(0));
      for (int i = 2; i < EdgeKey.MAX_FAMILY; i++) {
        store.graph().defineFamily(new EdgeFamily("f" + i));
      }
      LimitExceededException e =
          assertThrows(
              LimitExceededException.class,
              () -> store.graph().defineFamily(new EdgeFamily("beyond")));
      assertSame(Limit.FAMILIES, e.limit());
      store.graph().declareEdgeLabel("beyond", form.withTtl(TTL / 2));
      assertEquals(0, family(store, "beyond"));
    }
  }

  @Test
  void aConfigurationDefinesFamiliesThatAreNotThere() throws Exception {
    MemoryDisk disk = new MemoryDisk();
    String text =
        "events: ttl=1000, page-capacity=32k, split-out=512;"
            + " wide: consolidate=20,compression=zstd;";
    List<EdgeFamily> families =
        List.of(
            new EdgeFamily("events").withTtl(TTL).withPageCapacity(32 << 10).withSplitOut(512),
            new EdgeFamily("wide").withConsolidate(20).withCompression("zstd"));
    try (Bg3 store = open(disk, text)) {
      assertEquals(families, store.graph().families());
    }
    try (Bg3 store =
        assertDoesNotThrow(
            () -> open(disk, "wide: consolidate=30; more; events: ttl=1000,page-capacity=32768"))) {
      assertEquals(families, store.graph().families().subList(0, 2));
      assertEquals(new EdgeFamily("more"), store.graph().families().get(2));
    }
    Settings none = Settings.defaults();
    assertTrue(
        refusal(() -> none.with("bg3.families", "a: split-out=5")).contains("8 to 2147483647"));
    assertTrue(refusal(() -> WIDE.withSplitOut(-1)).contains("or 0 for none"));
    assertTrue(refusal(() -> none.with("bg3.families", "a: ttl")).contains("NAME=VALUE"));
    assertTrue(
        refusal(() -> none.with("bg3.families", "a: consolidate=9999999999"))
            .contains("1 to 1000"));
    assertEquals("zstd", new EdgeFamily("a").withCompression("zstd:1").compression());
    assertTrue(refusal(() -> none.with("bg3.families", "a: tll=5")).contains("known="));
    assertTrue(refusal(() -> none.with("bg3.families", "a: ttl=x")).contains("not a number"));
    assertEquals(
        List.of("events: ttl=1000, page-capacity=32768, split-out=512", "plain"),
        List.of(families.get(0).toString(), new EdgeFamily("plain").toString()));
  }

  private static void assertRefused(String families, String... wanted) {
    String message = refusal(() -> Settings.defaults().with("bg3.families", families));
    assertTrue(message.startsWith("bg3.families is invalid: "), message);
    for (String each : wanted) {
      assertTrue(message.contains(each), message);
    }
  }

  @Test
  void aConfigurationThatMayMeanSomethingElseIsRefused() {
    assertRefused("a ttl=5", "colon", "given=a ttl=5", "NAME: SETTING=VALUE");
    assertRefused("a, b", "semicolon", "given=a, b");
    assertRefused("a: ttl=5; b ttl=6, c: ttl=7", "given=b ttl=6, c: ttl=7");
    assertRefused(": ttl=5", "no name", "given=: ttl=5");
    assertRefused("a: ttl=1m", "milliseconds", "ttl=60000", "family=a, ttl=1m");
    assertRefused("a: consolidate=9k", "number of entries", "consolidate=9k");
    assertRefused("a: split-out=1k", "number of entries", "split-out=1k");
    assertRefused("a: page-capacity=x", "page-capacity=32k", "page-capacity=x");
    assertRefused("a: ttl=5, ttl=6", "given twice", "family=a, setting=ttl");
    assertRefused("a: ttl=5; a: ttl=6", "given twice", "family=a");
    assertRefused("a: page-capacity=1m", "family=a, page-capacity=1m", "512 to 65536");
    assertRefused("a: split-out=7", "family=a, split-out=7", "8 to 2147483647");
    assertRefused("a: ttl=-1", "family=a, ttl=-1");
  }

  @Test
  void pagesAndTreesAreCountedByFamily() throws Exception {
    MemoryDisk disk = new MemoryDisk();
    try (Bg3 store = open(disk, "apart: consolidate=20")) {
      store.graph().declareEdgeLabel("apart", EdgeLabelForm.plain().inFamily("apart"));
      change(store, graph -> graph.addVertex(1, "v"));
      FamilyPages before = store.familyPages().get(1);
      assertEquals(List.of(1L, 0L, 0L, 0L, 0L), before.trees());
      assertEquals(1, before.whole());
      addMany(store, "apart", 1_000);
      FamilyPages full = store.familyPages().get(1);
      assertTrue(full.whole() > 20 && full.dirty() > 20, full.toString());
      assertEquals(List.of(0L, 0L, 1L, 0L, 0L), full.trees());
      assertEquals(0, full.treesInStorage());
      assertEquals(0, full.stored());
      store.checkpoint();
      assertEquals(0, store.familyPages().get(1).dirty());
    }
    try (Bg3 store = open(disk)) {
      FamilyPages stored = store.familyPages().get(1);
      assertEquals(0, stored.whole());
      assertTrue(stored.stored() > 20, stored.toString());
      assertEquals(1, stored.treesInStorage());
      assertEquals(1_000, edges(store));
      FamilyPages read = store.familyPages().get(1);
      assertTrue(read.whole() + read.topology() > 10, read.toString());
      assertEquals(0, read.treesInStorage());
    }
  }
}
