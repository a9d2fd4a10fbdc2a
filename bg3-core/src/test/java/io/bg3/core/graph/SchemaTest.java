package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.StoreOnDisk;
import io.bg3.core.limit.Limit;
import io.bg3.core.limit.LimitExceededException;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.PropertyBytes;
import io.bg3.core.record.PropertyId;
import io.bg3.core.transaction.ConflictException;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.testing.Seeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Schemas: what each rule refuses and how, and how they come and go beside writers and cuts. */
class SchemaTest {
  private static final LabelSchema PERSON =
      LabelSchema.ofVertices("person")
          .with(KeyRule.of("name", ValueType.STRING).with(Cardinality.SINGLE).asRequired())
          .with(KeyRule.of("age", ValueType.INTEGER))
          .with(KeyRule.of("mail", ValueType.STRING).with(Cardinality.SET))
          .asClosed();
  private static final LabelSchema KNOWS =
      LabelSchema.ofEdges("knows").with(KeyRule.of("since", ValueType.WHOLE_NUMBER).asRequired());

  private static final int STEP = Integer.getInteger("bg3.schema.step", 7);

  @TempDir Path directory;

  private static Settings settings() {
    return Settings.defaults().with(Setting.MEMORY_BUDGET, "16m");
  }

  private static void write(GraphStore graph, Consumer<GraphTransaction> work) {
    graph.retry(
        in -> {
          work.accept(in);
          return null;
        });
  }

  private static void refuse(GraphStore graph, String message, Consumer<GraphTransaction> work) {
    assertEquals(
        message,
        assertThrows(SchemaViolationException.class, () -> write(graph, work)).getMessage());
  }

  private static void person(GraphTransaction in, Object id, Object name) {
    long vertex = in.addVertex(id, "person");
    in.setProperty(vertex, Cardinality.SINGLE, "name", name, null);
  }

  @Test
  void eachRuleOfVerticesRefusesWhatBreaksItAndNamesIt() throws Exception {
    try (Bg3 store = Bg3.open(settings())) {
      GraphStore graph = store.graph();
      Schemas.enforce(graph, PERSON);
      refuse(
          graph,
          "the schema requires a property, set it: vertex=1, label=person, key=name, rule=required,"
              + " found=none",
          in -> in.addVertex(1, "person"));
      refuse(
          graph,
          "the schema requires another type of the value, convert it: vertex=ada, label=person,"
              + " key=name, rule=type string, found=Integer 7",
          in -> person(in, "ada", 7));
      refuse(
          graph,
          "the schema does not allow these values together, keep one: vertex=1, label=person,"
              + " key=name, rule=cardinality single, found=2 values",
          in -> {
            person(in, 1, "Ada");
            in.setProperty(1, Cardinality.LIST, "name", "Bo", null);
          });
      refuse(
          graph,
          "the schema does not allow these values together, keep one: vertex=1, label=person,"
              + " key=mail, rule=cardinality set, found=twice a@b",
          in -> {
            person(in, 1, "Ada");
            in.setProperty(1, Cardinality.LIST, "mail", "a@b", null);
            in.setProperty(1, Cardinality.LIST, "mail", "a@b", null);
          });
      refuse(
          graph,
          "the schema is closed and does not have the key, remove the property or define the schema"
              + " anew: vertex=1, label=person, key=city, rule=closed",
          in -> {
            person(in, 1, "Ada");
            in.setProperty(1, Cardinality.SINGLE, "city", "Vienna", null);
          });
      write(
          graph,
          in -> {
            long vertex = in.addVertex("ada", "person"); // only the end counts
            in.setProperty(vertex, Cardinality.LIST, "name", 7, null);
            in.setProperty(vertex, Cardinality.SINGLE, "name", "A".repeat(2_000), null);
            in.setProperty(vertex, Cardinality.LIST, "age", 3, null);
            in.setProperty(vertex, Cardinality.LIST, "age", 3, null);
            in.addVertex(5, "city", "person"); // the first label counts
          });
      refuse(
          graph,
          "the schema requires a property, set it: vertex=ada, label=person, key=name,"
              + " rule=required, found=none",
          in -> {
            long vertex = in.findVertex("ada");
            in.vertex(vertex)
                .properties()
                .forEach(each -> in.removeProperty(new PropertyId(vertex, each.number())));
          });
      write(graph, in -> in.removeVertex(in.findVertex("ada")));
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  @Test
  void rulesOfEdgesHoldForEveryWayToWriteOne() throws Exception {
    try (Bg3 store = Bg3.open(settings())) {
      GraphStore graph = store.graph();
      EdgeLabel link =
          graph.declareEdgeLabel(
              "link", EdgeLabelForm.plain().asLoose().orderedBy("at", SortOrder.ASCENDING));
      Schemas.enforce(graph, KNOWS);
      Schemas.enforce(
          graph,
          LabelSchema.ofEdges("link")
              .with(KeyRule.of("at", ValueType.LONG).asRequired())
              .with(KeyRule.of("text", ValueType.STRING))
              .asClosed());
      write(graph, in -> in.addVertex(1, "v"));
      refuse(
          graph,
          "the schema requires a property, set it: edge=mine, label=knows, key=since,"
              + " rule=required, found=none",
          in -> in.addEdge(1, "knows", 1, "mine", Map.of()));
      EdgeId edge = graph.retry(in -> in.addEdge(1, "knows", 1, null, Map.of("since", 1L)));
      String name = edge.toString();
      refuse(
          graph,
          "the schema requires another type of the value, convert it: edge="
              + name
              + ", label=knows, key=since, rule=type whole_number, found=Double 2.5",
          in -> in.setEdgeProperty(edge, "since", 2.5));
      assertThrows(
          SchemaViolationException.class,
          () ->
              graph.update(
                  1,
                  in -> {
                    in.removeEdgeProperty(edge, "since");
                    return null;
                  }));
      write(graph, in -> in.setEdgeProperty(edge, "more", List.of(1)));
      PropertyBytes wrong = new PropertyBytes();
      wrong.put(graph.makePropertyKey("text"), 7);
      LinkBatch batch = new LinkBatch();
      batch.add(link, 1, 2, 5, true, wrong);
      assertThrows(SchemaViolationException.class, () -> graph.putLinks(batch));
      write(graph, in -> in.links().put(link, 1, 2, 5, false, wrong)); // hidden ones are free
      batch.clear();
      batch.add(link, 1, 2, 6, true, new PropertyBytes());
      graph.putLinks(batch);
      write(graph, in -> in.removeEdge(edge));
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  /** Three threads add edges between few vertices, in transactions and under locks. */
  @ParameterizedTest
  @ValueSource(strings = {"strict", "snapshot"})
  void edgesAreSingleWhoeverAddsThem(String isolation) throws Exception {
    try (Bg3 store = Bg3.open(settings().with(Setting.ISOLATION, isolation))) {
      GraphStore graph = store.graph();
      graph.declareEdgeLabel(
          "rated", EdgeLabelForm.plain().orderedBy("at", SortOrder.ASCENDING).asCounted());
      Schemas.enforce(graph, LabelSchema.ofEdges("knows").asSingle());
      Schemas.enforce(graph, LabelSchema.ofEdges("rated").asSingle());
      long most = 4;
      write(
          graph,
          in -> {
            for (long vertex = 1; vertex <= most; vertex++) {
              in.addVertex(vertex, "v");
            }
          });
      AtomicLong refused = new AtomicLong();
      List<Thread> threads = new ArrayList<>();
      for (int thread = 0; thread < 3; thread++) {
        Random random = new Random(thread);
        Thread adder =
            new Thread(
                () -> {
                  for (int i = 0; i < 200; i++) {
                    addOne(graph, random, most, refused);
                  }
                });
        adder.start();
        threads.add(adder);
      }
      for (Thread adder : threads) {
        adder.join();
      }
      assertEquals(List.of(), store.check(looked -> {}));
      assertEquals(600 - 2 * most * most, refused.get());
      try (GraphTransaction in = graph.beginReadOnly()) {
        assertEquals(2 * most * most, in.edgeCount());
      }
    }
  }

  private static void addOne(GraphStore graph, Random random, long most, AtomicLong refused) {
    long source = 1 + (long) (random.nextDouble() * most);
    long target = 1 + (long) (random.nextDouble() * most);
    String label = random.nextBoolean() ? "knows" : "rated";
    Map<String, ?> properties = label.equals("rated") ? Map.of("at", 1L) : Map.of();
    try {
      if (random.nextBoolean()) {
        write(graph, in -> in.addEdge(source, label, target, null, properties));
      } else {
        graph.update(
            new long[] {source, target}, in -> in.addEdge(source, label, target, null, properties));
      }
    } catch (SchemaViolationException e) {
      refused.incrementAndGet();
    }
  }

  @Test
  void anEdgeIsReplacedWhereThereMayBeOne() throws Exception {
    try (Bg3 store = Bg3.open(settings())) {
      GraphStore graph = store.graph();
      Schemas.enforce(graph, LabelSchema.ofEdges("knows").asSingle());
      EdgeId edge =
          graph.retry(
              in -> {
                in.addVertex(1, "v");
                return in.addEdge(1, "knows", 1, null, Map.of());
              });
      refuse(
          graph,
          "the schema allows one edge from a vertex to another, change the one that is there or"
              + " remove it first: edge=mine, label=knows, rule=single, found="
              + edge,
          in -> in.addEdge(1, "knows", 1, "mine", Map.of()));
      write(graph, in -> in.setEdgeProperty(edge, "since", 1));
      write(
          graph,
          in -> {
            in.removeEdge(edge);
            in.addEdge(1, "knows", 1, null, Map.of());
          });
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  @Test
  void theEndsOfEdgesHaveTheLabelsThatAreAllowed() throws Exception {
    Settings onDisk = settings().with(Setting.DIRECTORY, directory.toString());
    LabelSchema works =
        LabelSchema.ofEdges("works").with(AllowedEnds.any().from("person").to("firm", "club"));
    try (Bg3 store = Bg3.open(onDisk)) {
      GraphStore graph = store.graph();
      write(
          graph,
          in -> {
            in.addVertex("ada", "person", "firm");
            in.addVertex("acme", "firm");
            in.addVertex("fc", "club");
          });
      Schemas.enforce(graph, works);
      write(graph, in -> works(in, "ada", "acme"));
      write(graph, in -> works(in, "ada", "fc"));
      for (String target : List.of("acme", "fc")) {
        IllegalArgumentException e =
            assertThrows(
                SchemaViolationException.class, () -> write(graph, in -> works(in, "fc", target)));
        assertTrue(
            e.getMessage().endsWith("label=works, rule=source [person], found=club"),
            e.getMessage());
      }
      IllegalArgumentException first =
          assertThrows(
              SchemaViolationException.class, () -> write(graph, in -> works(in, "ada", "ada")));
      assertTrue(
          first.getMessage().endsWith("rule=target [club, firm], found=person"),
          first.getMessage());
      write(graph, in -> in.removeEdge(works(in, "fc", "fc"))); // only the end counts
      IllegalArgumentException other =
          assertThrows(
              IllegalArgumentException.class,
              () -> graph.defineSchema(works.with(AllowedEnds.any().from("person"))));
      assertTrue(
          other
              .getMessage()
              .endsWith(
                  "there=[keys:[], sources:[person], targets:[club, firm]],"
                      + " wanted=[keys:[], sources:[person]]"),
          other.getMessage());
      refuseEndsOfLooseEdges(graph, works);
    }
    try (Bg3 store = Bg3.open(onDisk)) {
      assertEquals(works, store.graph().schemas().get(0).schema());
      assertEquals(SchemaState.ENFORCED, store.graph().schemas().get(0).state());
      assertThrows(
          SchemaViolationException.class,
          () -> write(store.graph(), in -> works(in, "acme", "fc")));
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  private static void refuseEndsOfLooseEdges(GraphStore graph, LabelSchema works) {
    LabelSchema seen =
        new LabelSchema(works.kind(), "seen", works.keys(), false, true, works.ends());
    graph.declareEdgeLabel("seen", EdgeLabelForm.plain().asLoose());
    assertThrows(IllegalArgumentException.class, () -> graph.defineSchema(seen));
    assertThrows(
        IllegalArgumentException.class, () -> LabelSchema.ofVertices("person").with(works.ends()));
    LabelSchema read =
        new LabelSchema(works.kind(), "read", works.keys(), false, true, works.ends());
    graph.defineSchema(read);
    assertThrows(
        IllegalArgumentException.class,
        () -> graph.declareEdgeLabel("read", EdgeLabelForm.plain().asLoose()));
    graph.dropSchema(ElementKind.EDGE, "read");
  }

  private static EdgeId works(GraphTransaction in, String source, String target) {
    return in.addEdge(in.findVertex(source), "works", in.findVertex(target), null, Map.of());
  }

  @Test
  void elementsFromBeforeFailASchemaThatNamesThem() throws Exception {
    try (Bg3 store = Bg3.open(settings())) {
      GraphStore graph = store.graph();
      write(
          graph,
          in -> {
            for (int i = 1; i <= 9; i++) {
              in.addVertex(i % 2 == 0 ? (Object) ("p" + i) : (Object) i, "person");
            }
          });
      graph.defineSchema(PERSON);
      Schemas.await(graph);
      SchemaStatus failed = graph.schemas().get(0);
      assertEquals(SchemaState.FAILED, failed.state());
      assertTrue(failed.problem().contains("vertex=p2, label=person, key=name"), failed.problem());
      assertEquals(3, failed.problem().split(";").length);
      write(
          graph,
          in -> {
            for (int i = 1; i <= 9; i++) {
              long vertex = in.findVertex(i % 2 == 0 ? "p" + i : i);
              in.setProperty(vertex, Cardinality.SINGLE, "name", "n" + i, null);
            }
          });
      Schemas.enforce(graph, PERSON);
      assertThrows(SchemaViolationException.class, () -> write(graph, in -> person(in, 99, 1)));
      assertTrue(graph.dropSchema(ElementKind.VERTEX, "person"));
      assertEquals(List.of(), graph.schemas());
      write(graph, in -> person(in, 99, 1));
    }
  }

  @Test
  void aSchemaIsThereAgainWhenTheStoreIsOpened() throws Exception {
    Settings settings = settings().with(Setting.DIRECTORY, directory.toString());
    try (Bg3 store = Bg3.open(settings)) {
      Schemas.enforce(store.graph(), PERSON);
      Schemas.enforce(store.graph(), KNOWS);
    }
    try (Bg3 store = Bg3.open(settings)) {
      GraphStore graph = store.graph();
      assertEquals(
          List.of(PERSON, KNOWS), graph.schemas().stream().map(SchemaStatus::schema).toList());
      assertEquals(SchemaState.ENFORCED, graph.schemas().get(0).state());
      assertThrows(SchemaViolationException.class, () -> write(graph, in -> person(in, 1, 1)));
      graph.dropSchema(ElementKind.VERTEX, "person");
      graph.dropSchema(ElementKind.EDGE, "knows");
    }
    try (Bg3 store = Bg3.open(settings)) {
      assertEquals(List.of(), store.graph().schemas());
      write(store.graph(), in -> person(in, 1, 1));
    }
  }

  @Test
  void whatIsNoSchemaIsRefused() throws Exception {
    try (Bg3 store = Bg3.open(settings())) {
      GraphStore graph = store.graph();
      KeyRule key = KeyRule.of("k");
      assertThrows(
          IllegalArgumentException.class, () -> LabelSchema.ofVertices("v").with(key).with(key));
      assertThrows(
          IllegalArgumentException.class,
          () -> LabelSchema.ofEdges("e").with(key.with(Cardinality.SET)));
      assertThrows(
          IllegalArgumentException.class, () -> graph.defineSchema(LabelSchema.ofVertices("v")));
      assertThrows(
          IllegalArgumentException.class,
          () -> graph.defineSchema(LabelSchema.ofVertices("").with(key)));
      assertThrows(IllegalArgumentException.class, () -> ValueType.named("int"));
      LabelSchema many = LabelSchema.ofVertices("v");
      List<KeyRule> keys = new ArrayList<>();
      for (int i = 0; i <= Limit.SCHEMA_KEYS.most(); i++) {
        keys.add(KeyRule.of("k" + i));
      }
      LimitExceededException e =
          assertThrows(
              LimitExceededException.class,
              () ->
                  new LabelSchema(many.kind(), many.label(), keys, true, false, AllowedEnds.any()));
      assertEquals(Limit.SCHEMA_KEYS, e.limit());
      String[] labels =
          IntStream.rangeClosed(0, (int) Limit.SCHEMA_ENDS.most())
              .mapToObj(Integer::toString)
              .toArray(String[]::new);
      AllowedEnds ends = AllowedEnds.any().to(labels);
      LimitExceededException tooMany =
          assertThrows(LimitExceededException.class, () -> LabelSchema.ofEdges("e").with(ends));
      assertEquals(Limit.SCHEMA_ENDS, tooMany.limit());
      graph.defineSchema(PERSON);
      assertEquals(PERSON, graph.defineSchema(PERSON).schema());
      IllegalArgumentException other =
          assertThrows(
              IllegalArgumentException.class,
              () -> graph.defineSchema(PERSON.with(KeyRule.of("more"))));
      assertTrue(
          other
              .getMessage()
              .startsWith(
                  "the label has another schema; drop it first: label=person, there=[keys:["),
          other.getMessage());
      assertTrue(other.getMessage().contains("more:[type:any]]"), other.getMessage());
    }
  }

  /** Two threads add vertices, whole ones and others, while a schema comes and goes. */
  @ParameterizedTest
  @ValueSource(strings = {"strict", "snapshot"})
  void noWriterSlipsPastASchemaThatComes(String isolation) throws Exception {
    try (Bg3 store = Bg3.open(settings().with(Setting.ISOLATION, isolation))) {
      GraphStore graph = store.graph();
      AtomicBoolean ended = new AtomicBoolean();
      AtomicLong refused = new AtomicLong();
      List<Thread> writers = new ArrayList<>();
      for (int thread = 0; thread < 2; thread++) {
        long first = 1 + 1_000_000L * thread;
        Thread writer =
            new Thread(
                () -> {
                  for (long vertex = first; !ended.get(); vertex++) {
                    long id = vertex;
                    try {
                      if (id % 2 == 0) {
                        write(graph, in -> person(in, id, id % 20 == 0 ? 1 : "n"));
                      } else {
                        graph.update(
                            id,
                            in -> {
                              person(in, id, id % 15 == 0 ? 1 : "n");
                              return null;
                            });
                      }
                    } catch (SchemaViolationException e) {
                      refused.incrementAndGet();
                    } catch (ConflictException e) {
                      // another time
                    }
                  }
                });
        writer.start();
        writers.add(writer);
      }
      for (int round = 0; round < 10 || refused.get() == 0; round++) {
        graph.defineSchema(PERSON);
        Schemas.await(graph);
        mend(graph);
        graph.defineSchema(PERSON);
        Schemas.await(graph);
        assertEquals(List.of(), store.check(looked -> {}));
        if (graph.schemas().get(0).state() == SchemaState.ENFORCED) {
          graph.dropSchema(ElementKind.VERTEX, "person");
        }
      }
      ended.set(true);
      for (Thread writer : writers) {
        writer.join();
      }
    }
  }

  private static void mend(GraphStore graph) {
    List<Long> broken = new ArrayList<>();
    try (GraphTransaction in = graph.beginReadOnly();
        VertexScan scan = in.vertices("person")) {
      while (scan.next()) {
        if (!(in.value(scan.vertex(), in.vertex(scan.vertex()).properties().get(0))
            instanceof String)) {
          broken.add(scan.vertex());
        }
      }
    }
    for (long vertex : broken) {
      write(graph, in -> in.removeVertex(vertex));
    }
  }

  /**
   * Cuts the power at every few writes ({@code -Dbg3.schema.step=1}: at each) while schemas come
   * and go: what was enforced is enforced, and what was being verified is verified again.
   */
  @Test
  void aPowerCutLeavesNoSchemaHalfMade() throws Exception {
    long seed = Seeds.one();
    Random random = new Random(seed);
    boolean cut = true;
    for (int writes = 1; cut; writes += 1 + random.nextInt(STEP)) {
      CrashingDisk disk = new CrashingDisk();
      disk.cutAtWrite(writes);
      boolean defined = false;
      boolean dropped = false;
      try (StoreOnDisk store = StoreOnDisk.open(small(), disk)) {
        GraphStore graph = store.graph();
        write(graph, in -> person(in, 1, "Ada"));
        graph.defineSchema(PERSON);
        defined = true;
        store.checkpoint();
        write(graph, in -> person(in, 2, "Bo"));
        Schemas.await(graph);
        store.checkpoint();
        Schemas.enforce(graph, KNOWS);
        dropped = true;
        graph.dropSchema(ElementKind.VERTEX, "person");
        write(graph, in -> person(in, 3, 3));
      } catch (Exception | Error e) {
        assertTrue(disk.isCut(), () -> "-Dbg3.seed=" + seed + ": " + e);
      }
      cut = disk.isCut();
      String at = "-Dbg3.seed=" + seed + ", writes=" + writes;
      try (StoreOnDisk store = StoreOnDisk.open(small(), disk.crash(random))) {
        GraphStore graph = store.graph();
        Schemas.await(graph);
        assertEquals(List.of(), store.checkGraph(), at);
        boolean has = false;
        for (SchemaStatus each : graph.schemas()) {
          assertEquals(SchemaState.ENFORCED, each.state(), at);
          has |= each.schema().equals(PERSON);
        }
        assertTrue(has || !defined || dropped, at);
        if (has) {
          assertThrows(
              SchemaViolationException.class, () -> write(graph, in -> person(in, 9, 9)), at);
        } else {
          write(graph, in -> person(in, 9, 9));
        }
      }
    }
  }

  private static Settings small() {
    return Settings.defaults()
        .with("bg3.page.capacity", "512")
        .with("bg3.log.segment.min", "64k")
        .with("bg3.log.segment.max", "64k")
        .with("bg3.memory.budget", "16m");
  }
}
