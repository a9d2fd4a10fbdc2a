package io.bg3.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.Settings;
import io.bg3.core.graph.EdgeFamily;
import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.KeyRule;
import io.bg3.core.graph.LabelSchema;
import io.bg3.core.graph.SortOrder;
import io.bg3.core.graph.ValueType;
import io.bg3.gremlin.services.Bg3Services;
import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.server.ServedFixture;
import io.bg3.server.access.TestUsers;
import io.bg3.server.access.UsersFile;
import io.bg3.transfer.Graphs;
import io.bg3.transfer.TransferException;
import io.bg3.transfer.definitions.Definitions;
import io.bg3.transfer.definitions.DefinitionsFile;
import io.bg3.transfer.definitions.StoreDefinitions;
import io.bg3.transfer.remote.RemoteDefinitions;
import io.bg3.transfer.remote.RemoteGraph;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Exports and loads definitions through a server, and compares with the definitions of its store.
 *
 * <p>Takes about 10 s: it covers every kind of definition and every role. It has no longer form.
 */
class RemoteDefinitionsIT {
  @TempDir private Path directory;

  @Test
  void anExportThroughAServerIsLoadedThroughAnother() throws Exception {
    String file = directory.resolve("g.kryo").toString();
    Path store = directory.resolve("store");
    try (Bg3 open = Bg3.open(store)) {
      DefinedStore.fill(open);
    }
    Definitions exported;
    try (Bg3Graph graph = graph(store);
        ServedFixture served = new ServedFixture(graph, Map.of())) {
      CommandRun export = run("export", "--remote", address(served), file);
      assertEquals(0, export.code(), export.err());
      exported = new DefinitionsFile(Path.of(file + ".definitions.json")).read();
      assertEqualSets(new StoreDefinitions(graph.graphStore()).definitions(), exported);
    }
    Path copy = directory.resolve("copy");
    try (Bg3Graph graph = graph(copy);
        ServedFixture served = new ServedFixture(graph, Map.of())) {
      CommandRun load = run("load", "--remote", address(served), file, "--index=thing.size");
      assertEquals(0, load.code(), load.out() + load.err());
      assertTrue(load.out().contains("index person.age+name: ready"), load.out());
      assertTrue(load.out().contains("index thing.size: ready"), load.out());
      assertEquals(5, graph.graphStore().indexes().size());
      graph.graphStore().dropIndex("thing", "size");
      assertEqualSets(exported, new StoreDefinitions(graph.graphStore()).definitions());
      String plan = graph.traversal().V().has("person", "name", "p7").explain().toString();
      assertTrue(plan.contains("index=person.name"), plan);
      Path row = Files.writeString(directory.resolve("v.csv"), "~id,~label,age:int\n1,person,5\n");
      CommandRun bad = run("load", "--remote", address(served), row.toString());
      assertEquals(3, bad.code(), bad.out());
      assertTrue(bad.err().contains(row + ":2: the schema requires a property"), bad.err());
    }
    try (Bg3 first = Bg3.open(store);
        Bg3 second = Bg3.open(copy)) {
      assertEquals(List.of(), Graphs.differences(first, second));
    }
  }

  @Test
  void otherDefinitionsOfTheServerAreRefused() throws Exception {
    Path row = Files.writeString(directory.resolve("v.csv"), "~id,~label\n1,person\n");
    DefinitionsFile file = DefinitionsFile.beside(row);
    EdgeLabelForm ordered = EdgeLabelForm.plain().orderedBy("time", SortOrder.DESCENDING);
    try (Bg3 other = Bg3.open(Settings.defaults())) {
      other.graph().defineFamily(new EdgeFamily("new"));
      other.graph().declareEdgeLabel("knows", ordered);
      file.write(new StoreDefinitions(other.graph()).definitions());
    }
    try (Bg3Graph graph = Bg3Graph.open();
        ServedFixture served = new ServedFixture(registered(graph), Map.of())) {
      GraphStore store = graph.graphStore();
      store.declareEdgeLabel("knows", EdgeLabelForm.plain().asCounted());
      CommandRun load = run("load", "--remote", address(served), row.toString());
      assertEquals(1, load.code(), load.out());
      assertTrue(load.err().contains("definitions differ: edge label=knows"), load.err());
      assertEquals(List.of(), store.families());
      assertEquals(0L, served.g().V().count().next());
      CommandRun without =
          run("load", "--remote", address(served), "--no-definitions", row.toString());
      assertEquals(0, without.code(), without.err());
    }
    try (Bg3Graph graph = Bg3Graph.open();
        ServedFixture served = new ServedFixture(registered(graph), Map.of())) {
      served.g().addV("a").as("a").addE("knows").from("a").to("a").iterate();
      graph.graphStore().defineSchema(LabelSchema.ofVertices("a").with(KeyRule.of("n")));
      try (Bg3 other = Bg3.open(Settings.defaults())) {
        other.graph().declareEdgeLabel("knows", EdgeLabelForm.plain().asLoose());
        file.write(new StoreDefinitions(other.graph()).definitions());
      }
      CommandRun load = run("load", "--remote", address(served), row.toString());
      assertEquals(1, load.code(), load.out());
      assertTrue(load.err().contains("the edge label is in use without a declaration"), load.err());
    }
  }

  @Test
  void aReaderMayExportAndAWriterMayLoad() throws Exception {
    UsersFile users = TestUsers.write(directory.resolve("users"));
    LabelSchema schema =
        LabelSchema.ofVertices("person").with(KeyRule.of("name", ValueType.STRING).asRequired());
    try (Bg3Graph graph = Bg3Graph.open();
        ServedFixture served =
            new ServedFixture(registered(graph), Map.of("server.users", users.path().toString()))) {
      try (RemoteGraph writer = remote(served, "ada")) {
        RemoteDefinitions definitions = new RemoteDefinitions(writer);
        definitions.define(new EdgeFamily("f").withTtl(60_000));
        definitions.define(schema);
      }
      try (RemoteGraph reader = remote(served, "bob")) {
        RemoteDefinitions definitions = new RemoteDefinitions(reader);
        assertEquals(List.of(schema), definitions.definitions().schemas());
        assertEquals(1, definitions.definitions().families().size());
        TransferException refused =
            assertThrows(TransferException.class, () -> definitions.define(new EdgeFamily("g")));
        assertTrue(
            refused.getMessage().startsWith("the server refused a definition: definition=family g"),
            refused.getMessage());
      }
    }
  }

  @Test
  void aServerWithoutTheServicesIsNamed() throws Exception {
    try (ServedFixture served = new ServedFixture(Bg3Graph.open(), Map.of());
        RemoteGraph remote = remote(served, null)) {
      TransferException none =
          assertThrows(TransferException.class, () -> new RemoteDefinitions(remote).definitions());
      assertTrue(
          none.getMessage().startsWith("the server does not send its definitions: "),
          none.getMessage());
      assertTrue(none.getMessage().contains("--no-definitions"), none.getMessage());
    }
  }

  @Test
  void aSchemaThatDoesNotHoldIsDroppedOnTheServer() throws Exception {
    Path row = Files.writeString(directory.resolve("v.csv"), "~id,~label\n1,person\n");
    LabelSchema schema = LabelSchema.ofVertices("a").with(KeyRule.of("n").asRequired());
    DefinitionsFile.beside(row)
        .write(new Definitions(List.of(), List.of(), List.of(schema), List.of()));
    try (Bg3Graph graph = Bg3Graph.open();
        ServedFixture served = new ServedFixture(registered(graph), Map.of())) {
      served.g().addV("a").iterate();
      CommandRun load = run("load", "--remote", address(served), row.toString());
      assertEquals(1, load.code(), load.out());
      assertTrue(load.err().contains("it was dropped again"), load.err());
      assertEquals(List.of(), graph.graphStore().schemas());
      assertEquals(1L, served.g().V().count().next());
    }
  }

  private static void assertEqualSets(Definitions expected, Definitions found) {
    assertEquals(new HashSet<>(expected.families()), new HashSet<>(found.families()));
    assertEquals(new HashSet<>(expected.labels()), new HashSet<>(found.labels()));
    assertEquals(new HashSet<>(expected.schemas()), new HashSet<>(found.schemas()));
    assertEquals(new HashSet<>(expected.indexes()), new HashSet<>(found.indexes()));
  }

  private static Bg3Graph graph(Path store) {
    return registered(Bg3Graph.open(store.toString()));
  }

  private static Bg3Graph registered(Bg3Graph graph) {
    Bg3Services.register(graph);
    return graph;
  }

  private static String address(ServedFixture served) {
    return "127.0.0.1:" + served.port();
  }

  private static RemoteGraph remote(ServedFixture served, String user) throws TransferException {
    String password = user == null ? null : user + "-secret";
    return new RemoteGraph(
        new RemoteGraph.Address("127.0.0.1", served.port(), user, password, false, null, null));
  }

  private static CommandRun run(String... arguments) {
    return CommandRun.of(arguments);
  }
}
