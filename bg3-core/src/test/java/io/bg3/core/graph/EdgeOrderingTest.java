package io.bg3.core.graph;

import static io.bg3.core.graph.SmallStores.addVertices;
import static io.bg3.core.graph.SmallStores.ofSmallPages;
import static io.bg3.core.graph.SmallStores.settings;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.StoreOnDisk;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.record.LinkState;
import io.bg3.core.record.PropertyBytes;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.testing.Seeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Labels that have edges become ordered: which can, beside whom, and through power cuts. */
class EdgeOrderingTest {
  private static final EdgeLabelForm BY_TIME =
      EdgeLabelForm.plain().orderedBy(Orders.TIME, SortOrder.DESCENDING);

  private static final int STEP = Integer.getInteger("bg3.orders.step", 11);

  @TempDir Path directory;

  private Settings onDisk() {
    return settings().with(Setting.DIRECTORY, directory.toString());
  }

  private static String refused(Runnable work) {
    return assertThrows(IllegalArgumentException.class, work::run).getMessage();
  }

  /** The link has the place of the edge, and not its id, which is another edge's by then. */
  @Test
  void theRemovalOfAnEdgeThatALinkHasReplacedLeavesItsFormerId() throws Exception {
    try (Bg3 store = Bg3.open(settings())) {
      GraphStore graph = store.graph();
      addVertices(graph, 4);
      EdgeId first =
          graph.retry(in -> in.addEdge(1, "knows", 2, "a", Map.<String, Object>of("time", 5L)));
      EdgeLabel label = Orders.build(graph, "knows");
      try (GraphTransaction in = graph.begin()) {
        assertEquals(first, in.findEdge("a"));
        in.links().expunge(label, 1, 2);
        EdgeId other = in.addEdge(3, "other", 4, "a", Map.of());
        in.links().put(label, 1, 2, 7, true, new PropertyBytes());
        assertTrue(in.removeSeenEdge(first, "a"));
        assertFalse(in.removeSeenEdge(first, "a"));
        assertEquals(other, in.findEdge("a"));
        in.commit();
      }
      try (GraphTransaction in = graph.beginReadOnly()) {
        assertEquals(1, in.edgeCount());
        assertNotNull(in.findEdge("a"));
      }
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  @Test
  void aLabelInUseBecomesOrderedAndIsFoundSo() throws Exception {
    EdgeId first;
    try (Bg3 store = Bg3.open(onDisk())) {
      GraphStore graph = store.graph();
      addVertices(graph, 300);
      for (long vertex = 1; vertex <= 300; vertex++) {
        Orders.add(graph, vertex, "knows", 1, vertex % 7);
      }
      first = Orders.add(graph, 300, "knows", 1, 9);
      Orders.add(graph, 300, "knows", 2, -5);
      for (EdgeLabelForm form :
          List.of(BY_TIME.asLoose(), BY_TIME.withTtl(1_000), EdgeLabelForm.plain())) {
        String refusal = refused(() -> graph.declareEdgeLabel("knows", form));
        assertTrue(refusal.contains("it can only become counted or ordered"), refusal);
      }
      EdgeLabel label = Orders.build(graph, "knows");
      assertEquals(new OrderStatus(OrderState.READY, 302, null), graph.order(label));
      assertEquals(label, graph.declareEdgeLabel("knows", BY_TIME));
      assertEquals(List.of(9L, 6L, -5L), Orders.times(graph, 300, label));
      Orders.setTime(graph, first, 7);
      assertEquals(List.of(7L, 6L, -5L), Orders.times(graph, 300, label));
      assertEquals(List.of(), store.check(looked -> {}));
      String other = refused(() -> graph.declareEdgeLabel("knows", EdgeLabelForm.plain()));
      assertTrue(other.endsWith("afterwards it can only become counted"), other);
    }
    try (Bg3 store = Bg3.open(onDisk())) {
      GraphStore graph = store.graph();
      EdgeLabel label = graph.declaredEdgeLabel("knows");
      assertEquals(BY_TIME, label.form());
      assertEquals(new OrderStatus(OrderState.READY, 0, null), graph.order(label));
      Orders.remove(graph, first);
      assertEquals(List.of(6L, -5L), Orders.times(graph, 300, label));
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  @Test
  void aLabelBecomesCountedAndOrderedAtOnceOrInTurns() throws Exception {
    try (Bg3 store = Bg3.open(onDisk())) {
      GraphStore graph = store.graph();
      addVertices(graph, 2);
      for (String label : List.of("both", "countedFirst", "orderedFirst")) {
        Orders.add(graph, 1, label, 2, 5);
        Orders.add(graph, 1, label, 2, 6);
      }
      EdgeLabelForm both = BY_TIME.asCounted();
      graph.declareEdgeLabel("both", both);
      Counters.build(graph, "countedFirst");
      graph.declareEdgeLabel("countedFirst", both);
      Orders.build(graph, "orderedFirst");
      graph.declareEdgeLabel("orderedFirst", both);
      for (String name : List.of("both", "countedFirst", "orderedFirst")) {
        Counters.await(graph, name);
        Orders.await(graph, name);
        EdgeLabel label = graph.declaredEdgeLabel(name);
        assertEquals(both, label.form());
        assertEquals(2, graph.reader().count(label, 1));
        assertEquals(List.of(6L, 5L), Orders.times(graph, 1, label));
      }
      assertEquals(List.of(), store.check(looked -> {}));
    }
    try (Bg3 store = Bg3.open(onDisk())) {
      for (EdgeLabel label : store.graph().declaredEdgeLabels()) {
        assertEquals(BY_TIME.asCounted(), label.form());
        assertEquals(OrderState.READY, store.graph().order(label).state());
        assertEquals(CounterState.READY, store.graph().counters(label).state());
      }
    }
  }

  @Test
  void aLabelOfAFamilyBecomesOrderedAndCounted() throws Exception {
    try (Bg3 store = Bg3.open(onDisk())) {
      GraphStore graph = store.graph();
      addVertices(graph, 3);
      graph.defineFamily(new EdgeFamily("apart"));
      EdgeLabelForm apart = EdgeLabelForm.plain().inFamily("apart");
      graph.declareEdgeLabel("follows", apart);
      Orders.add(graph, 1, "follows", 2, 5);
      Orders.add(graph, 1, "follows", 3, 7);
      graph.declareEdgeLabel(
          "follows", apart.orderedBy(Orders.TIME, SortOrder.DESCENDING).asCounted());
      Orders.await(graph, "follows");
      Counters.await(graph, "follows");
      Orders.add(graph, 1, "follows", 2, 6);
      assertEquals(List.of(7L, 6L, 5L), Orders.times(graph, 1, graph.declaredEdgeLabel("follows")));
      assertEquals(3, Counters.count(graph, 1, "follows"));
      assertEquals(List.of(), store.check(looked -> {}));
    }
    try (Bg3 store = Bg3.open(onDisk())) {
      GraphStore graph = store.graph();
      assertEquals("apart", graph.declaredEdgeLabel("follows").form().family());
      assertEquals(List.of(7L, 6L, 5L), Orders.times(graph, 1, graph.declaredEdgeLabel("follows")));
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  @Test
  void anOpenScanOfAnAddedOrderSeesWhatItsTransactionChanges() throws Exception {
    try (Bg3 store = Bg3.open(onDisk())) {
      GraphStore graph = store.graph();
      addVertices(graph, 6);
      for (long target = 2; target <= 6; target++) {
        Orders.add(graph, 1, "knows", target, 10 * target);
      }
      EdgeLabel label = Orders.build(graph, "knows");
      try (GraphTransaction in = graph.begin();
          EdgeScan edges =
              in.sortedEdges(1, label, 0, 100, SortOrder.DESCENDING, Integer.MAX_VALUE);
          LinkScan links = in.links().list(label, 1, 0, 100, SortOrder.DESCENDING, 0, 100)) {
        assertTrue(edges.next() && links.next());
        int key = in.findKey(Orders.TIME);
        EdgeId fifth = edge(in, 5);
        in.setEdgeProperty(fifth, "w", 1);
        in.removeEdge(edge(in, 4));
        in.setEdgeProperty(edge(in, 3), Orders.TIME, 5L);
        assertTrue(edges.next() && links.next());
        assertEquals(5, links.link().target());
        assertEquals(fifth, edges.edge());
        EdgeRecord record = edges.record();
        assertEquals(1, record.value(record.property(in.findKey("w"))));
        assertEquals(50L, record.value(record.property(key)));
        assertTrue(edges.next() && links.next());
        assertEquals(2, edges.other());
        assertEquals(2, links.link().target());
        assertFalse(edges.next() || links.next());
        assertEquals(List.of(60L, 50L, 20L, 5L), Orders.times(in, 1, label));
      }
    }
  }

  private static EdgeId edge(GraphTransaction in, long target) {
    try (EdgeScan edges = in.edges(target, EdgeDirection.IN, true, "knows")) {
      assertTrue(edges.next());
      return edges.edge();
    }
  }

  @Test
  void aLabelWithATimeToLiveOrAnOrderBecomesNoOtherOrder() throws Exception {
    try (Bg3 store = Bg3.open(settings())) {
      GraphStore graph = store.graph();
      graph.declareEdgeLabel("seen", EdgeLabelForm.plain().withTtl(1_000));
      graph.declareEdgeLabel("likes", BY_TIME);
      assertTrue(
          refused(() -> graph.declareEdgeLabel("seen", BY_TIME.withTtl(1_000)))
              .endsWith("a label with a time to live becomes neither counted nor ordered"));
      EdgeLabelForm byName = EdgeLabelForm.plain().orderedBy("name", SortOrder.ASCENDING);
      assertTrue(
          refused(() -> graph.declareEdgeLabel("likes", byName))
              .startsWith("the edge label has another declaration, which cannot change"));
      EdgeLabel likes = graph.declaredEdgeLabel("likes");
      assertEquals(new OrderStatus(OrderState.READY, 0, null), graph.order(likes));
      assertNull(graph.order(graph.declaredEdgeLabel("seen")));
    }
  }

  @Test
  void anEdgeWithoutTheSortKeyIsNamedAndTheLabelIsAsBefore() throws Exception {
    EdgeId lacks;
    try (Bg3 store = Bg3.open(onDisk())) {
      GraphStore graph = store.graph();
      addVertices(graph, 3);
      Orders.add(graph, 1, "knows", 2, 5);
      lacks = graph.retry(in -> in.addEdge(2, "knows", 3, null, Map.of("time", 7)));
      graph.declareEdgeLabel("knows", BY_TIME);
      OrderStatus failed = Orders.settled(graph, "knows");
      assertEquals(OrderState.FAILED, failed.state());
      assertEquals(
          "the label is ordered by a property that must be a long: label=knows, edge="
              + lacks
              + ", property=time, found=Integer",
          failed.problem());
      EdgeLabel label = graph.declaredEdgeLabel("knows");
      assertEquals(EdgeLabelForm.plain(), label.form());
      assertFalse(label.isSorted(Long.MAX_VALUE));
      graph.retry(in -> in.addEdge(1, "knows", 3, null, Map.of())); // refused by nobody
      assertEquals(List.of(), store.check(looked -> {}));
    }
    try (Bg3 store = Bg3.open(onDisk())) {
      GraphStore graph = store.graph();
      assertEquals(EdgeLabelForm.plain(), graph.declaredEdgeLabel("knows").form());
      assertNull(graph.order(graph.declaredEdgeLabel("knows")));
      graph.retry(
          in -> {
            in.setEdgeProperty(lacks, Orders.TIME, 7L);
            try (EdgeScan scan = in.edgesBetween(1, "knows", 3, false)) {
              scan.next();
              in.removeEdge(scan.edge());
            }
            return null;
          });
      EdgeLabel label = Orders.build(graph, "knows");
      assertEquals(List.of(7L), Orders.times(graph, 2, label));
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  @Test
  void aCommitIsRefusedWithoutTheSortKeyAndMayBeMended() throws Exception {
    try (Bg3 store = Bg3.open(settings())) {
      GraphStore graph = store.graph();
      addVertices(graph, 2);
      EdgeId edge = Orders.add(graph, 1, "knows", 2, 5);
      EdgeLabel label = Orders.build(graph, "knows");
      try (GraphTransaction in = graph.begin()) {
        EdgeId added = in.addEdge(1, "knows", 2, null, Map.of("n", 1));
        assertEquals(List.of(5L), Orders.times(in, 1, label));
        assertTrue(
            assertThrows(SchemaViolationException.class, in::commit)
                .getMessage()
                .endsWith("edge=" + added + ", property=time, found=none"));
        in.setEdgeProperty(added, Orders.TIME, 6L);
        assertEquals(List.of(6L, 5L), Orders.times(in, 1, label));
        in.setEdgeProperty(added, Orders.TIME, 4L);
        assertEquals(List.of(5L, 4L), Orders.times(in, 1, label));
        in.commit();
      }
      assertThrows(
          SchemaViolationException.class,
          () -> graph.retry(in -> in.removeEdgeProperty(edge, Orders.TIME)));
      assertThrows(
          SchemaViolationException.class,
          () -> graph.update(new long[] {1, 2}, in -> in.removeEdgeProperty(edge, Orders.TIME)));
      assertEquals(List.of(5L, 4L), Orders.times(graph, 1, label));
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  @Test
  void linksOfSuchALabelAreItsEdges() throws Exception {
    try (Bg3 store = Bg3.open(settings())) {
      GraphStore graph = store.graph();
      addVertices(graph, 4);
      EdgeId named =
          graph.retry(in -> in.addEdge(1, "knows", 2, "named", Map.of(Orders.TIME, 5L, "n", 1)));
      EdgeLabel label = Orders.build(graph, "knows");
      PropertyBytes bytes = new PropertyBytes();
      bytes.put(graph.makePropertyKey("m"), "text");
      LinkState[] states =
          graph.update(
              new long[] {1, 2, 3},
              in -> {
                Links links = in.links();
                return new LinkState[] {
                  links.put(label, 1, 2, 7, true, bytes),
                  links.put(label, 1, 3, 8, true, new PropertyBytes()),
                  links.put(label, 2, 3, 9, true, bytes),
                  links.expunge(label, 2, 3),
                  links.expunge(label, 2, 3)
                };
              });
      assertEquals(
          List.of(
              LinkState.VISIBLE,
              LinkState.ABSENT,
              LinkState.ABSENT,
              LinkState.VISIBLE,
              LinkState.ABSENT),
          List.of(states));
      LinkBatch batch = new LinkBatch();
      batch.add(label, 1, 4, 6, true, bytes);
      graph.putLinks(batch);
      GraphReader reader = graph.reader();
      Link link = reader.link(label, 1, 2);
      assertEquals(7, link.sortKey());
      assertTrue(link.isVisible());
      assertNull(reader.link(label, 2, 3));
      List<Long> targets = new ArrayList<>();
      reader.links(label, 1, 6, 7, 0, 10, each -> targets.add(each.target()));
      assertEquals(List.of(2L, 4L), targets);
      try (GraphTransaction in = graph.beginReadOnly()) {
        EdgeRecord record = in.edge(in.findEdge("named"));
        assertEquals(named, in.findEdge("named"));
        assertEquals(2, record.properties().size());
        assertEquals("text", record.value(record.property(in.findKey("m"))));
        assertEquals(7, in.links().get(label, 1, 2).sortKey());
        targets.clear();
        try (LinkScan scan =
            in.links().list(label, 1, 7, Long.MAX_VALUE, SortOrder.ASCENDING, 0, 10)) {
          while (scan.next()) {
            targets.add(scan.link().target());
          }
        }
        assertEquals(List.of(2L, 3L), targets);
      }
      for (Runnable hiding :
          List.<Runnable>of(
              () ->
                  graph.update(
                      new long[] {1, 2},
                      in -> in.links().put(label, 1, 2, 7, false, new PropertyBytes())),
              () -> graph.update(new long[] {1, 2}, in -> in.links().hide(label, 1, 2)))) {
        assertTrue(refused(hiding).contains("has no hidden links"));
      }
      try (GraphTransaction in = graph.begin()) {
        in.links().put(label, 3, 4, 1, true, new PropertyBytes());
        assertEquals(1, in.addEdge(3, "knows", 4, null, Map.of(Orders.TIME, 1L)).sequence());
        in.commit();
      }
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  @Test
  void aVertexWithManyEdgesIsBuiltInSeveralCommitsBetweenOthers() throws Exception {
    try (Bg3 store = Bg3.open(settings().with("bg3.forest.split-out", "1000"))) {
      GraphStore graph = store.graph();
      addVertices(graph, 3);
      for (String label : List.of("a", "knows", "z")) {
        for (int part = 0; part < 3; part++) {
          int from = 1_000 * part;
          graph.retry(
              in -> {
                for (long i = from; i < from + 1_000; i++) {
                  in.addEdge(2, label, 1 + i % 3, null, Map.of(Orders.TIME, i * 7 % 3_001));
                }
                return null;
              });
        }
        Orders.add(graph, 1, label, 1, 1);
        Orders.add(graph, 3, label, 1, 1);
      }
      List<Long> expected =
          LongStream.range(0, 3_000)
              .map(i -> -(i * 7 % 3_001))
              .sorted()
              .map(time -> -time)
              .boxed()
              .toList();
      for (String label : List.of("knows", "z", "a")) {
        EdgeLabel ordered = Orders.build(graph, label);
        assertEquals(3_002, graph.order(ordered).done());
        assertEquals(expected, Orders.times(graph, 2, ordered));
      }
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  @Test
  void aLabelIsNotDeclaredWhileALoadFillsTheStore() throws Exception {
    try (Bg3 store = Bg3.open(onDisk())) {
      GraphStore graph = store.graph();
      try (GraphLoad load = store.load()) {
        addVertices(graph, 1);
        load.add(1, "knows", 1, Map.of(Orders.TIME, 5L));
        assertTrue(
            assertThrows(
                    IllegalStateException.class, () -> graph.declareEdgeLabel("knows", BY_TIME))
                .getMessage()
                .startsWith("a load is filling the store"));
        load.finish(entries -> {});
      }
      EdgeLabel label = Orders.build(graph, "knows");
      assertEquals(List.of(5L), Orders.times(graph, 1, label));
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  /** Two threads change edges of few vertices, in transactions and under locks. */
  @ParameterizedTest
  @ValueSource(strings = {"strict", "snapshot"})
  void ordersAreRightBesideWriters(String isolation) throws Exception {
    try (Bg3 store = Bg3.open(settings().with(Setting.ISOLATION, isolation))) {
      GraphStore graph = store.graph();
      addVertices(graph, 50);
      try (Writers writers = Writers.start(2, (random, own) -> write(graph, random, own))) {
        for (String name : List.of("a", "b", "c")) {
          while (Counters.count(graph, 1, name) < 20) {
            Thread.sleep(1);
          }
          EdgeLabel label = Orders.build(graph, name);
          assertEquals(List.of(), store.check(looked -> {}));
          try (GraphTransaction in = graph.beginReadOnly()) {
            List<Long> sorted =
                new ArrayList<>(Orders.times(in, in.edges(1, EdgeDirection.OUT, true, name)));
            sorted.sort((x, y) -> Long.compare(y, x));
            assertEquals(sorted, Orders.times(in, 1, label));
          }
        }
        writers.end();
      }
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  private static void write(GraphStore graph, Random random, List<EdgeId> own) {
    String label = List.of("a", "b", "c").get(random.nextInt(3));
    long source = random.nextInt(3) == 0 ? 1 : 1 + random.nextInt(50);
    long time = random.nextInt(20);
    if (own.size() > 100 || (!own.isEmpty() && random.nextInt(3) == 0)) {
      Orders.remove(graph, own.remove(random.nextInt(own.size())));
    } else if (!own.isEmpty() && random.nextBoolean()) {
      Orders.setTime(graph, own.get(random.nextInt(own.size())), time);
    } else if (random.nextBoolean()) {
      own.add(Orders.add(graph, source, label, 1, time));
    } else {
      own.add(
          graph.update(
              new long[] {source, 1},
              in -> in.addEdge(source, label, 1, null, Map.of(Orders.TIME, time))));
    }
  }

  /**
   * Cuts the power at every few writes ({@code -Dbg3.orders.step=1}: at each) while a label becomes
   * ordered: then it is not yet, or goes on to be.
   */
  @Test
  void aPowerCutLeavesNoOrderHalfBuilt() throws Exception {
    long seed = Seeds.one();
    Random random = Seeds.random(seed);
    boolean cut = true;
    for (int writes = 1; cut; writes += 1 + random.nextInt(STEP)) {
      CrashingDisk disk = new CrashingDisk();
      disk.cutAtWrite(writes);
      List<Long> acknowledged = List.of();
      boolean declared = false;
      try (StoreOnDisk store = StoreOnDisk.open(ofSmallPages(), disk)) {
        GraphStore graph = store.graph();
        addVertices(graph, 100);
        for (long vertex = 1; vertex <= 100; vertex += 10) {
          Orders.add(graph, vertex, "knows", 1, vertex);
        }
        EdgeId second = Orders.add(graph, 1, "knows", 1, 5);
        acknowledged = List.of(5L, 1L);
        store.checkpoint();
        graph.declareEdgeLabel("knows", BY_TIME);
        declared = true;
        Orders.setTime(graph, second, 6);
        acknowledged = List.of(6L, 1L);
        Orders.await(graph, "knows");
        store.checkpoint();
        Orders.add(graph, 1, "knows", 1, 7);
        acknowledged = List.of(7L, 6L, 1L);
      } catch (Exception | Error e) {
        assertTrue(disk.isCut(), () -> Seeds.say(seed) + ": " + e);
      }
      cut = disk.isCut();
      String at = Seeds.say(seed) + ", writes=" + writes;
      try (StoreOnDisk store = StoreOnDisk.open(ofSmallPages(), disk.crash(random))) {
        GraphStore graph = store.graph();
        EdgeLabel label = graph.declaredEdgeLabel("knows");
        assertTrue(label != null || !declared, at);
        if (label != null) {
          Orders.await(graph, "knows");
          List<Long> found = Orders.times(graph, 1, label);
          List<List<Long>> allowed = List.of(List.of(5L, 1L), List.of(6L, 1L), List.of(7L, 6L, 1L));
          int least = allowed.indexOf(acknowledged);
          assertTrue(allowed.indexOf(found) >= least, at + ": " + found);
        }
        assertEquals(List.of(), store.checkGraph(), at);
      }
    }
  }
}
