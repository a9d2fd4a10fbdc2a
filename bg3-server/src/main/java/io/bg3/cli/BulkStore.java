package io.bg3.cli;

import io.bg3.core.graph.ElementKind;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.LabelSchema;
import io.bg3.transfer.TransferException;
import io.bg3.transfer.definitions.Definitions;
import io.bg3.transfer.definitions.IndexDefinition;
import io.bg3.transfer.definitions.LabelDefinition;
import io.bg3.transfer.definitions.StoreDefinitions;
import java.nio.file.Path;
import java.util.Map;

/** A load in bulk requires a store that it can fill, and leaves nothing if it ends early. */
final class BulkStore {
  private static final String ADVICE =
      "\nLoad without --bulk, or leave the definitions out with --no-definitions.";

  private BulkStore() {}

  /**
   * Requires that a store is empty, and that no definition, of the store or of a file, is one that
   * a load in bulk cannot follow. Indexes of files are created after the load.
   *
   * @param definitions by the names of their files
   * @throws TransferException if it is not so; nothing was changed
   */
  static void requireBulk(GraphStore graph, Path directory, Map<String, Definitions> definitions)
      throws TransferException {
    try (GraphTransaction reading = graph.beginReadOnly()) {
      long vertices = reading.vertexCount();
      long edges = reading.edgeCount();
      if (vertices > 0 || edges > 0) {
        throw new TransferException(
            "--bulk loads only an empty store: data="
                + directory
                + ", vertices="
                + vertices
                + ", edges="
                + edges
                + "\nLoad without --bulk, or into another directory.");
      }
    }
    Definitions own = new StoreDefinitions(graph).definitions();
    requireBulk(own, "data=" + directory + "\nLoad without --bulk, or into another directory.");
    for (IndexDefinition index : own.indexes()) {
      if (index.of().kind() == ElementKind.EDGE) {
        throw new TransferException(
            "--bulk loads no edges that an index holds: index="
                + index.of()
                + ", data="
                + directory
                + "\nDrop the index, and create it after the load.");
      }
    }
    for (Map.Entry<String, Definitions> each : definitions.entrySet()) {
      requireBulk(each.getValue(), "definitions=" + each.getKey() + ADVICE);
    }
  }

  private static void requireBulk(Definitions definitions, String where) throws TransferException {
    for (LabelDefinition label : definitions.labels()) {
      throw new TransferException(
          "--bulk loads no edges of a declared label: label=" + label.name() + ", " + where);
    }
    for (LabelSchema schema : definitions.schemas()) {
      if (schema.kind() == ElementKind.EDGE) {
        throw new TransferException(
            "--bulk loads no edges with a schema: label=" + schema.label() + ", " + where);
      }
    }
  }

  /** Says what is left of a load that has not finished. */
  static String unusable(Path directory) {
    return "Nothing was loaded: a load with --bulk loads everything or nothing. The store does not"
        + " open again: data="
        + directory
        + "\nRemove the directory, and load again.";
  }
}
