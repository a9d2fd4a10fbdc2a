package io.bg3.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.core.graph.EdgeLabel;
import io.bg3.core.graph.KeyRule;
import io.bg3.core.graph.LabelSchema;
import io.bg3.core.graph.ValueType;
import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.transfer.definitions.StoreDefinitions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Loads definitions into stores that have them, in part or otherwise. */
class DefinitionsTwiceTest {
  @TempDir private Path directory;

  /** As text, the two schemas and the two indexes have the same names. */
  @Test
  void labelsOfVerticesAndEdgesAreApart() throws IOException {
    Path graph = directory.resolve("g.kryo");
    LabelSchema edges = LabelSchema.ofEdges("knows").with(KeyRule.of("time", ValueType.LONG));
    LabelSchema vertices =
        LabelSchema.ofVertices("edge:knows").with(KeyRule.of("time", ValueType.STRING));
    try (Bg3 open = Bg3.open(directory.resolve("first"))) {
      open.graph().defineSchema(edges);
      open.graph().defineSchema(vertices);
      open.graph().createIndex("edge:knows", "time");
    }
    CommandRun export = CommandRun.of("export", "--data", directory + "/first", graph.toString());
    assertEquals(0, export.code(), export.err());
    for (int run = 0; run < 2; run++) {
      CommandRun load = CommandRun.of("load", "--data", store(), graph.toString());
      assertEquals(0, load.code(), load.err());
    }
    try (Bg3 open = Bg3.open(Path.of(store()))) {
      assertEquals(2, new StoreDefinitions(open.graph()).definitions().schemas().size());
    }
  }

  /** The store has the label without the order, since an edge lacked the sort key. */
  @Test
  void anOrderThatFailedIsDeclaredAgain() throws IOException {
    Path people = file("people.csv", "~id", "1", "2");
    Path knows = file("knows.csv", "~id,~from,~to,~label,time:long", "7,1,2,knows,");
    String rows = people.toString();
    assertEquals(
        0, CommandRun.of("load", "--data", store(), rows, knows.toString()).code(), "rows");
    Path definitions =
        file(
            "d.definitions.json",
            "{\"format\":\"bg3 definitions\",\"version\":1,\"labels\":["
                + "{\"label\":\"knows\",\"sortKey\":\"time\",\"counted\":true}]}");
    String[] load = {"load", "--data", store(), definitions.toString()};
    for (int i = 0; i < 2; i++) {
      CommandRun failed = CommandRun.of(load);
      assertEquals(1, failed.code(), failed.out());
      assertTrue(failed.out().contains("edge label knows: "), failed.out() + failed.err());
      assertEquals("", failed.err());
    }
    try (Bg3 open = Bg3.open(Path.of(store()))) {
      EdgeLabel label = open.graph().declaredEdgeLabel("knows");
      assertNull(label.form().sortKey());
      assertTrue(label.form().counted());
    }
    try (Bg3Graph graph = Bg3Graph.open(store())) {
      graph.traversal().E(7L).property("time", 5L).iterate();
      graph.tx().commit();
    }
    CommandRun mended = CommandRun.of(load);
    assertEquals(0, mended.code(), mended.out() + mended.err());
    assertTrue(mended.out().contains("edge label knows: ready"), mended.out());
    CommandRun again = CommandRun.of(load);
    assertEquals(0, again.code(), again.err());
    assertFalse(again.out().contains("edge label knows: "), again.out());
    Path plain =
        file(
            "plain.definitions.json",
            "{\"format\":\"bg3 definitions\",\"version\":1,"
                + "\"labels\":[{\"label\":\"knows\",\"counted\":true}]}");
    CommandRun other = CommandRun.of("load", "--data", store(), plain.toString());
    assertEquals(1, other.code(), other.out());
    assertTrue(other.err().contains("definitions differ: edge label=knows"), other.err());
  }

  private Path file(String name, String... lines) throws IOException {
    return Files.writeString(directory.resolve(name), String.join("\n", lines) + "\n");
  }

  private String store() {
    return directory.resolve("store").toString();
  }
}
