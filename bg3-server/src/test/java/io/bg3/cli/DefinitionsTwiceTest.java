package io.bg3.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.Bg3;
import io.bg3.core.graph.KeyRule;
import io.bg3.core.graph.LabelSchema;
import io.bg3.core.graph.ValueType;
import io.bg3.transfer.definitions.StoreDefinitions;
import java.io.IOException;
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

  private String store() {
    return directory.resolve("store").toString();
  }
}
