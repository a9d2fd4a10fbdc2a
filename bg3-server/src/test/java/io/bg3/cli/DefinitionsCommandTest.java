package io.bg3.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.core.graph.AllowedEnds;
import io.bg3.core.graph.Cardinality;
import io.bg3.core.graph.EdgeFamily;
import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.IndexedKeys;
import io.bg3.core.graph.KeyRule;
import io.bg3.core.graph.LabelSchema;
import io.bg3.core.graph.SchemaViolationException;
import io.bg3.core.graph.ValueType;
import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.transfer.Graphs;
import io.bg3.transfer.definitions.Definitions;
import io.bg3.transfer.definitions.DefinitionsFile;
import io.bg3.transfer.definitions.StoreDefinitions;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.util.TransactionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Exports stores with definitions, loads the files with the commands, and compares definitions,
 * elements and what the store does with them.
 */
class DefinitionsCommandTest {
  /**
   * A definition that a store has otherwise than the file, and the lines that are printed of it.
   */
  private record Other(String name, Consumer<GraphStore> definition, List<String> printed) {
    @Override
    public String toString() {
      return name;
    }
  }

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "csv, csv, csv/definitions.json",
    "g.graphml, graphml, g.graphml.definitions.json",
    "g.json, graphson, g.json.definitions.json",
    "g.kryo, gryo, g.kryo.definitions.json"
  })
  void anExportIsLoadedWithAllDefinitions(String name, String format, String file)
      throws IOException {
    fill();
    Path target = directory.resolve(name);
    CommandRun export = run("export", "--data", store(), "--format", format, target.toString());
    assertEquals(0, export.code(), export.err());
    String counts = "2 families, 8 edge labels, 2 schemas, 4 indexes";
    String written = "definitions in " + directory.resolve(file) + ": " + counts;
    assertTrue(export.out().contains(written), export.out());
    assertEquals("", export.err());

    CommandRun load = run("load", "--data", copy(), target.toString());
    assertEquals(0, load.code(), load.out() + load.err());
    assertTrue(load.out().contains("definitions of " + directory.resolve(file) + ": " + counts));
    assertTrue(load.out().contains("index person.age+name: ready"), load.out());
    try (Bg3 original = Bg3.open(Path.of(store()));
        Bg3 copy = Bg3.open(Path.of(copy()))) {
      assertEquals(sets(original.graph()), sets(copy.graph()));
      assertEquals(List.of(), Graphs.differences(original, copy));
    }
    assertTheCopyWorks();
    CommandRun check = run("check", "--data", copy());
    assertEquals(0, check.code(), check.out());
    assertEquals(0, run("check", "--indexes", "--data", copy()).code());
  }

  private void assertTheCopyWorks() {
    try (Bg3Graph graph = Bg3Graph.open(copy())) {
      GraphTraversalSource g = graph.traversal();
      String plan = g.V().has("person", "name", "p7").explain().toString();
      assertTrue(plan.contains("index=person.name"), plan);
      assertEquals(1_007L, g.V().has("person", "name", "p7").next().id());
      List<Object> times = g.V(1_000L).outE(DefinedStore.ORDERED).values("time").toList();
      assertEquals(DefinedStore.PEOPLE, times.size());
      for (int i = 0; i < times.size(); i++) {
        assertEquals((long) (DefinedStore.PEOPLE - 1 - i), times.get(i));
      }
      assertFalse(g.V(1_001L).outE(DefinedStore.ORDERED).hasNext(), "the link is hidden");
      EdgeLabelForm viewed = graph.graphStore().declaredEdgeLabel("viewed").form();
      assertEquals("events", viewed.family());
      assertEquals(3_600_000, viewed.ttlMillis());
      g.addV("person").property("age", 36).iterate();
      TransactionException refused =
          assertThrows(TransactionException.class, () -> g.tx().commit());
      assertTrue(refused.getCause() instanceof SchemaViolationException, refused.toString());
      g.tx().rollback();
    }
  }

  /** As a shell names them with an asterisk. */
  @Test
  void filesThatAreNamedOneByOneHaveTheirDefinitions() throws IOException {
    fill();
    Path target = directory.resolve("csv");
    run("export", "--data", store(), "--format", "csv", target.toString());
    String vertices = target.resolve("vertices.csv").toString();
    String edges = target.resolve("edges.csv").toString();
    String definitions = target.resolve("definitions.json").toString();
    assertEquals(0, run("load", "--data", copy(), vertices, edges).code());
    try (Bg3 copy = Bg3.open(Path.of(copy()))) {
      assertEquals(8, copy.graph().declaredEdgeLabels().size());
    }
    String third = directory.resolve("third").toString();
    assertEquals(0, run("load", "--data", third, definitions, edges, vertices).code());
    try (Bg3 copy = Bg3.open(Path.of(third))) {
      assertEquals(4, copy.graph().indexes().size());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "graphml, g.graphml, g.graphml g.graphml.definitions.json",
    "gryo, g.kryo, g.kryo g.kryo.definitions.json",
    "csv, csv, csv/vertices.csv csv/edges.csv csv/definitions.json"
  })
  void compressedFilesHaveTheirDefinitions(String format, String name, String files)
      throws IOException {
    fill();
    run("export", "--data", store(), "--format", format, directory.resolve(name).toString());
    List<String> all = new ArrayList<>(List.of("load", "--data", copy()));
    List<String> graphs = new ArrayList<>(List.of("load", "--data", directory + "/third"));
    for (String file : files.split(" ", -1)) {
      String compressed = compress(directory.resolve(file)).toString();
      all.add(compressed);
      if (!file.endsWith("definitions.json")) {
        graphs.add(compressed);
      }
    }
    for (List<String> arguments : List.of(all, graphs)) {
      CommandRun load = run(arguments.toArray(String[]::new));
      assertEquals(0, load.code(), load.err());
      assertEquals("", load.err());
      try (Bg3 copy = Bg3.open(Path.of(arguments.get(2)))) {
        assertEquals(4, copy.graph().indexes().size());
        assertEquals(8, copy.graph().declaredEdgeLabels().size());
      }
    }
  }

  private static Path compress(Path file) throws IOException {
    Path compressed = file.resolveSibling(file.getFileName() + ".gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(compressed))) {
      Files.copy(file, out);
    }
    Files.delete(file);
    return compressed;
  }

  @Test
  void aMissingFileOfDefinitionsIsNamed() throws IOException {
    fill();
    Path graph = directory.resolve("g.kryo");
    Path definitions = directory.resolve("g.kryo.definitions.json");
    run("export", "--data", store(), graph.toString());
    run("export", "--data", store(), "--format", "csv", directory + "/csv");
    Files.delete(definitions);
    Files.delete(directory.resolve("csv/definitions.json"));
    String note = "no definitions: " + definitions + " is not there\n";
    assertEquals(note, run("load", "--data", copy(), graph.toString()).err());
    String second = directory.resolve("second").toString();
    note = "no definitions: " + directory + "/csv/definitions.json is not there\n";
    assertEquals(note, run("load", "--data", second, directory + "/csv").err());
    Path strange = file("strange.csv", "~id", "7");
    assertEquals("", run("load", "--data", copy(), strange.toString()).err());
    String third = directory.resolve("third").toString();
    assertEquals("", run("load", "--data", third, "--no-definitions", graph.toString()).err());

    Files.createSymbolicLink(definitions, directory.resolve("gone.json"));
    CommandRun link = run("load", "--data", directory + "/fourth", graph.toString());
    assertEquals(1, link.code(), link.err());
    assertTrue(link.err().contains("cannot read: file=" + definitions), link.err());
  }

  @Test
  void aFormatTellsAGraphFromDefinitions() throws IOException {
    fill();
    Path graph = directory.resolve("g.json");
    run("export", "--data", store(), "--no-definitions", graph.toString());
    Path renamed = Files.move(graph, directory.resolve("definitions.json"));
    CommandRun load = run("load", "--data", copy(), "--format", "graphson", renamed.toString());
    assertEquals(0, load.code(), load.err());
    assertTrue(load.out().contains("loaded 60 vertices"), load.out());
    for (String option : List.of("--no-definitions", "--definitions=x.json")) {
      CommandRun both = run("load", "--data", copy(), option, renamed.toString());
      assertEquals(2, both.code(), both.err());
      assertTrue(both.err().contains("contradicts a file of definitions"), both.err());
    }
  }

  @Test
  void definitionsAreLeftOutOrNamed() throws IOException {
    fill();
    String target = directory.resolve("g.kryo").toString();
    Path definitions = directory.resolve("g.kryo.definitions.json");
    run("export", "--data", store(), target);
    assertEquals(0, run("load", "--data", copy(), "--no-definitions", target).code());
    try (Bg3 copy = Bg3.open(Path.of(copy()))) {
      assertEquals(Definitions.none(), new StoreDefinitions(copy.graph()).definitions());
    }
    Path moved = Files.move(definitions, directory.resolve("moved.json"));
    String third = directory.resolve("third").toString();
    assertEquals(0, run("load", "--data", third, "--definitions", moved.toString(), target).code());
    try (Bg3 copy = Bg3.open(Path.of(third))) {
      assertEquals(2, copy.graph().schemas().size());
    }
    CommandRun both =
        run("load", "--data", third, "--no-definitions", "--definitions", "x.json", target);
    assertEquals(2, both.code());
    assertTrue(both.err().contains("contradict each other"), both.err());
    CommandRun none = run("load", "--data", third, "--definitions", "none.json", target);
    assertEquals(1, none.code());
    assertTrue(none.err().contains("cannot read: file=none.json"), none.err());

    assertEquals(0, run("export", "--data", store(), "--force", target).code());
    assertTrue(Files.exists(definitions));
    assertEquals(0, run("export", "--data", store(), "--force", "--no-definitions", target).code());
    assertFalse(Files.exists(definitions), "those of the earlier export");
    Files.delete(Path.of(target));
    Files.writeString(definitions, "mine");
    CommandRun there = run("export", "--data", store(), target);
    assertEquals(1, there.code());
    assertTrue(
        there.err().contains("the file of definitions exists: file=" + definitions), there.err());
    CommandRun wrong = run("export", "--data", store(), directory + "/my.definitions.json");
    assertEquals(1, wrong.code());
    assertTrue(wrong.err().contains("this is the name of a file of definitions"), wrong.err());
    try (Stream<Path> files = Files.list(directory)) {
      assertEquals(0, files.filter(file -> file.toString().endsWith(".tmp")).count());
    }
  }

  static List<Other> others() {
    EdgeLabelForm plain = EdgeLabelForm.plain();
    return List.of(
        new Other(
            "family",
            store -> store.defineFamily(new EdgeFamily("events").withTtl(5)),
            List.of("family=events", "{name=events, ttl=3600000, pageCapacity=32768}", "ttl=5}")),
        new Other(
            "label",
            store -> store.declareEdgeLabel("seen", plain.asCounted()),
            List.of("edge label=seen", "{label=seen, ttl=7200000}", "counted=true")),
        new Other(
            "used label",
            DefinitionsCommandTest::useLabel,
            List.of("the edge label is in use without a declaration", "label=seen")),
        new Other(
            "schema",
            store ->
                store.defineSchema(
                    LabelSchema.ofVertices("person").with(KeyRule.of("name", ValueType.LONG))),
            List.of("schema=person", "keys={name={type=long}}")),
        new Other(
            "index",
            store -> store.createUniqueIndex("person", "name"),
            List.of("index=person.name", "unique=true")),
        new Other(
            "index of all edges",
            store -> store.createIndex(IndexedKeys.ofEdges(null, "time"), false),
            List.of("an index cannot hold edges with a time to live", "the store: {kind=edge")),
        new Other(
            "schema of a loose label",
            store ->
                store.defineSchema(
                    LabelSchema.ofEdges("follows").with(AllowedEnds.any().from("person"))),
            List.of(
                "the schema of a loose label cannot have sources or targets", "label=follows")));
  }

  private static void useLabel(GraphStore store) {
    try (GraphTransaction transaction = store.begin()) {
      long vertex = transaction.addVertex(1, "a");
      transaction.addEdge(vertex, "seen", vertex, null, Map.of());
      transaction.removeVertex(vertex);
      transaction.commit();
    }
  }

  @ParameterizedTest
  @MethodSource("others")
  void aDefinitionThatTheStoreHasOtherwiseIsRefused(Other other) throws IOException {
    fill();
    String target = directory.resolve("g.kryo").toString();
    run("export", "--data", store(), target);
    Map<String, Set<?>> before;
    try (Bg3 copy = Bg3.open(Path.of(copy()))) {
      other.definition.accept(copy.graph());
      before = sets(copy.graph());
    }
    CommandRun load = run("load", "--data", copy(), target);
    assertEquals(1, load.code(), load.out());
    for (String printed : other.printed) {
      assertTrue(load.err().contains(printed), load.err());
    }
    assertTrue(load.err().contains(target + ".definitions.json: {"), load.err());
    assertTrue(load.err().contains("Nothing was loaded. "), load.err());
    assertTrue(load.err().contains("--no-definitions"), load.err());
    try (Bg3 copy = Bg3.open(Path.of(copy()))) {
      assertEquals(before, sets(copy.graph()), "nothing was defined");
      assertEquals(0, vertices(copy));
    }
  }

  @Test
  void equalDefinitionsOfTheStoreAreKept() throws IOException {
    fill();
    String target = directory.resolve("g.kryo").toString();
    run("export", "--data", store(), target);
    try (Bg3 copy = Bg3.open(Path.of(copy()))) {
      GraphStore store = copy.graph();
      store.defineFamily(new EdgeFamily("other"));
      store.declareEdgeLabel("follows", EdgeLabelForm.plain().asLoose());
      store.defineSchema( // with its keys in another order
          LabelSchema.ofVertices("person")
              .with(KeyRule.of("age"))
              .with(KeyRule.of("mail", ValueType.STRING))
              .with(KeyRule.of("name", ValueType.STRING).with(Cardinality.SINGLE).asRequired())
              .asClosed());
      store.createIndex("person", "name");
    }
    CommandRun load = run("load", "--data", copy(), target);
    assertEquals(0, load.code(), load.err());
    try (Bg3 copy = Bg3.open(Path.of(copy()))) {
      assertEquals(3, copy.graph().families().size());
      assertEquals(8, copy.graph().declaredEdgeLabels().size());
      assertEquals(DefinedStore.PEOPLE, vertices(copy));
    }
  }

  @Test
  void aLabelWithEdgesBecomesOrderedAndCounted() throws IOException {
    Path first = file("first.csv", "~from,~to,~label,time:long", "1,2,knows,7", "2,1,knows,5");
    Path people = file("people.csv", "~id", "1", "2");
    assertEquals(0, run("load", "--data", copy(), first.toString(), people.toString()).code());
    String label = "{\"label\":\"knows\",\"sortKey\":\"time\",\"counted\":true}";
    Path definitions = definitions("\"labels\":[" + label + ",{\"label\":\"plain\"}]");
    Path more = file("more.csv", "~from,~to,~label,time:long", "1,1,knows,6", "1,1,knows,");
    CommandRun load =
        run("load", "--data", copy(), "--definitions", definitions.toString(), more.toString());
    assertEquals(3, load.code(), load.out() + load.err());
    assertTrue(load.out().contains("edge label knows: ready"), load.out());
    assertTrue(load.err().contains("bad row: " + more + ":3: "), load.err());
  }

  @Test
  void aRowThatBreaksASchemaIsABadRow() throws IOException {
    Path definitions =
        definitions(
            "\"schemas\":[{\"label\":\"person\",\"keys\":{\"name\":{\"required\":true}}},"
                + "{\"kind\":\"edge\",\"label\":\"knows\",\"single\":true}],"
                + "\"indexes\":[{\"label\":\"person\",\"keys\":[\"name\"],\"unique\":true}]");
    Path people =
        file("people.csv", "~id,~label,name", "1,person,a", "2,person,", "3,thing,", "4,person,b");
    Path knows =
        file("knows.csv", "~from,~to,~label", "1,4,knows", "4,1,knows", "1,4,knows", "2,1,knows");
    String named = definitions.toString();
    CommandRun load =
        run("load", "--data", copy(), "--definitions", named, people.toString(), knows.toString());
    assertEquals(3, load.code(), load.out() + load.err());
    assertEquals(3, load.err().lines().count(), load.err());
    assertTrue(load.err().contains("bad row: " + people + ":3: the schema requires"), load.err());
    assertTrue(load.err().contains("bad row: " + knows + ":4: "), load.err());
    assertTrue(load.err().contains("bad row: " + knows + ":5: no such vertex: from=2"), load.err());
    assertTrue(load.out().contains("loaded 3 vertices and 2 edges in "), load.out());

    Path more = file("more.csv", "~id,~label,name", "5,person,c", "6,person,a");
    CommandRun duplicate = run("load", "--strict", "--data", copy(), more.toString());
    assertEquals(1, duplicate.code());
    assertTrue(duplicate.err().contains("stopped at a bad row: " + more + ":3: "), duplicate.err());
    assertTrue(duplicate.err().contains("loaded before it: vertices=1, edges=0"), duplicate.err());
  }

  @Test
  void elementsOfTheStoreHaveToMeetTheSchemas() throws IOException {
    Path people = file("people.csv", "~id,~label,name", "1,person,a", "2,person,");
    assertEquals(0, run("load", "--data", copy(), people.toString()).code());
    Path more = file("more.csv", "~id,~label,name", "5,person,c");
    Path definitions =
        definitions("\"schemas\":[{\"label\":\"person\",\"keys\":{\"name\":{\"required\":true}}}]");
    CommandRun load =
        run("load", "--data", copy(), "--definitions", definitions.toString(), more.toString());
    assertEquals(1, load.code(), load.out());
    assertTrue(load.err().contains("elements that break a schema"), load.err());
    assertTrue(load.err().contains("schema=person"), load.err());
    try (Bg3 copy = Bg3.open(Path.of(copy()))) {
      assertEquals(2, vertices(copy));
    }
    assertTrue(load.err().contains("it was dropped again"), load.err());
    Path edited = file("edited.json", Files.readString(definitions).replace("true", "false"));
    CommandRun again =
        run("load", "--data", copy(), "--definitions", edited.toString(), more.toString());
    assertEquals(0, again.code(), again.err());
  }

  /** As the store was closed before the schema was verified, it is verified by the load. */
  @Test
  void aSchemaThatTheStoreHadIsKept() throws IOException {
    Path people = file("people.csv", "~id,~label,name", "1,person,a", "2,person,");
    assertEquals(0, run("load", "--data", copy(), people.toString()).code());
    LabelSchema schema = LabelSchema.ofVertices("person").with(KeyRule.of("name").asRequired());
    try (Bg3 copy = Bg3.open(Path.of(copy()))) {
      copy.graph().defineSchema(schema);
    }
    String target = directory.resolve("g.kryo").toString();
    CommandRun export = run("export", "--data", copy(), target);
    assertEquals(0, export.code());
    String note = "a rule is not verified yet; a load refuses rows that break it: schema person\n";
    assertEquals(note, export.err());
    assertTrue(export.out().contains("1 schema,"), export.out());
    CommandRun load = run("load", "--data", copy(), target);
    assertEquals(1, load.code(), load.out());
    assertTrue(load.err().contains("call('bg3.schema.drop') drops it"), load.err());
    try (Bg3 copy = Bg3.open(Path.of(copy()))) {
      assertEquals(1, copy.graph().schemas().size());
    }
  }

  @Test
  void aWrongFileOfDefinitionsIsFoundBeforeTheStoreIsMade() throws IOException {
    Path people = file("people.csv", "~id", "1");
    Path definitions = definitions("\"labels\":[{\"label\":\"a\",\"family\":\"none\"}]");
    CommandRun load =
        run("load", "--data", copy(), "--definitions", definitions.toString(), people.toString());
    assertEquals(1, load.code());
    assertTrue(load.err().startsWith("bg3: " + definitions + ":1: labels[0].family"), load.err());
    assertFalse(Files.exists(Path.of(copy())));
  }

  @Test
  void optionsAndFilesMayNotContradictEachOther() throws IOException {
    Path people = file("people.csv", "~id", "1");
    Path definitions = definitions("\"indexes\":[{\"label\":\"a\",\"keys\":[\"b\"]}]");
    String named = definitions.toString();
    CommandRun load =
        run(
            "load",
            "--data",
            copy(),
            "--definitions",
            named,
            "--unique-index=a.b",
            people.toString());
    assertEquals(1, load.code());
    assertTrue(load.err().contains("definitions differ: index=a.b"), load.err());
    assertTrue(load.err().contains("--index, --unique-index: {kind=vertex"), load.err());
    CommandRun both =
        run("load", "--data", copy(), "--definitions", named, "--index=a.c", people.toString());
    assertEquals(0, both.code(), both.err());
    assertTrue(both.out().contains("index a.b: ready"), both.out());
    assertTrue(both.out().contains("index a.c: ready"), both.out());
  }

  @Test
  void aFileOfDefinitionsIsReadAsItWasWritten() throws IOException {
    fill();
    Path target = directory.resolve("g.graphml");
    run("export", "--data", store(), target.toString());
    try (Bg3 open = Bg3.open(Path.of(store()))) {
      assertEquals(
          new StoreDefinitions(open.graph()).definitions(), DefinitionsFile.beside(target).read());
    }
  }

  private static Map<String, Set<?>> sets(GraphStore store) {
    Definitions definitions = new StoreDefinitions(store).definitions();
    return Map.of(
        "families", new HashSet<>(definitions.families()),
        "labels", new HashSet<>(definitions.labels()),
        "schemas", new HashSet<>(definitions.schemas()),
        "indexes", new HashSet<>(definitions.indexes()));
  }

  private static long vertices(Bg3 open) {
    try (GraphTransaction transaction = open.graph().beginReadOnly()) {
      return transaction.vertexCount();
    }
  }

  private void fill() throws IOException {
    try (Bg3 open = Bg3.open(Path.of(store()))) {
      DefinedStore.fill(open);
    }
  }

  private String store() {
    return directory.resolve("store").toString();
  }

  private String copy() {
    return directory.resolve("copy").toString();
  }

  private Path file(String name, String... lines) throws IOException {
    return Files.writeString(directory.resolve(name), String.join("\n", lines) + "\n");
  }

  private Path definitions(String members) throws IOException {
    return file("named.json", "{\"format\":\"bg3 definitions\",\"version\":1," + members + "}");
  }

  private static CommandRun run(String... arguments) {
    return CommandRun.of(arguments);
  }
}
