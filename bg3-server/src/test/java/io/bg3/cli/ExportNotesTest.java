package io.bg3.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.core.graph.Cardinality;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.KeyRule;
import io.bg3.core.graph.LabelSchema;
import io.bg3.core.graph.ValueType;
import io.bg3.transfer.definitions.DefinitionsFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An export warns of definitions that a load may not be able to apply. */
class ExportNotesTest {
  @TempDir private Path directory;

  @Test
  void aUniqueIndexThatIsNotBuiltIsNamed() throws IOException {
    CommandRun export =
        exported(
            "g.kryo",
            store -> {
              try (GraphTransaction transaction = store.begin()) {
                for (int i = 0; i < 2; i++) {
                  long vertex = transaction.addVertex(i, "person");
                  transaction.setProperty(vertex, Cardinality.SINGLE, "mail", "m", null);
                }
                transaction.commit();
              }
              store.createUniqueIndex("person", "mail");
            });
    assertEquals(
        "an index is not built yet; a load fails to build it if elements share a value: index"
            + " person.mail\n",
        export.err());
  }

  @Test
  void aLossyExportWithSchemasSaysThatALoadMayRefuseRows() throws IOException {
    Consumer<GraphStore> fill =
        store -> {
          store.defineSchema(
              LabelSchema.ofVertices("person").with(KeyRule.of("born", ValueType.SHORT)));
          try (GraphTransaction transaction = store.begin()) {
            long vertex = transaction.addVertex(1, "person");
            transaction.setProperty(vertex, Cardinality.SINGLE, "born", (short) 5, null);
            transaction.commit();
          }
        };
    CommandRun export = exported("g.graphml", fill, "--lossy");
    Path graph = directory.resolve("g.graphml");
    assertTrue(export.err().contains("schemas or sort keys may refuse those rows"), export.err());
    assertTrue(export.err().contains("Edit " + DefinitionsFile.beside(graph).path()), export.err());
    String copy = directory.resolve("copy").toString();
    assertEquals(3, CommandRun.of("load", "--data", copy, graph.toString()).code());
  }

  private CommandRun exported(String name, Consumer<GraphStore> fill, String... options)
      throws IOException {
    String data = directory.resolve("store").toString();
    try (Bg3 open = Bg3.open(Path.of(data))) {
      fill.accept(open.graph());
    }
    String[] arguments = new String[options.length + 4];
    System.arraycopy(options, 0, arguments, 4, options.length);
    System.arraycopy(
        new String[] {"export", "--data", data, directory.resolve(name).toString()},
        0,
        arguments,
        0,
        4);
    CommandRun export = CommandRun.of(arguments);
    assertEquals(0, export.code(), export.err());
    return export;
  }
}
