package io.bg3.cli;

import io.bg3.Bg3;
import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.ElementKind;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.LabelSchema;
import io.bg3.transfer.TransferException;
import io.bg3.transfer.definitions.Definitions;
import io.bg3.transfer.definitions.IndexDefinition;
import io.bg3.transfer.definitions.LabelDefinition;
import io.bg3.transfer.definitions.StoreDefinitions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How a load writes its rows into a store: it sorts the edges first, or commits rows as it reads
 * them.
 *
 * <p>A sorted load is faster, and all or nothing: if its process is killed, the directory has to be
 * removed. So the load chooses it where nothing is lost then.
 *
 * @param sorted whether it sorts
 * @param reason why; null where the user need not know
 */
record LoadWay(boolean sorted, String reason) {
  /** Says what is left of a sorted load that has not finished. */
  static String unusable(Path directory) {
    return "Nothing was loaded: a sorted load loads everything or nothing. The store does not open"
        + " again: data="
        + directory
        + "\nRemove the directory, and load again. With --no-bulk, the rows of a load that ends"
        + " early are kept.";
  }

  /** The way of a load of definitions alone, which it does not say. */
  static LoadWay ofNoRows() {
    return new LoadWay(false, null);
  }

  /**
   * The way that a user has demanded.
   *
   * @param definitions to be applied, by the names of their files
   * @throws TransferException if the load cannot sort, and is to; nothing was changed
   */
  static LoadWay demanded(
      boolean sorted,
      Bg3 open,
      Path directory,
      LoadSpace space,
      Map<String, Definitions> definitions)
      throws IOException {
    if (!sorted) {
      return new LoadWay(false, "as --no-bulk says");
    }
    String obstacle = obstacle(open.graph(), definitions);
    if (obstacle == null) {
      obstacle = space.shortage(directory);
    }
    if (obstacle != null) {
      throw new TransferException(
          "--bulk cannot load here: data="
              + directory
              + ", reason="
              + obstacle
              + "\nLoad without --bulk, or into another directory; --no-definitions leaves the"
              + " definitions of files out.");
    }
    return new LoadWay(true, "as --bulk says");
  }

  /**
   * The way that suits a store.
   *
   * @param isNew whether this command has created the store
   * @param definitions to be applied, by the names of their files
   */
  static LoadWay chosen(
      Bg3 open,
      boolean isNew,
      Path directory,
      LoadSpace space,
      Map<String, Definitions> definitions)
      throws IOException {
    String obstacle = obstacle(open.graph(), definitions);
    if (obstacle == null && !isNew && hasMore(open.graph())) {
      obstacle =
          "the store has definitions or variables, which a sorted load that is killed would lose;"
              + " --bulk sorts";
    }
    if (obstacle == null) {
      obstacle = space.shortage(directory);
    }
    return obstacle == null
        ? new LoadWay(true, "the store is empty")
        : new LoadWay(false, obstacle);
  }

  /** Why a load cannot sort; null if it can. Indexes of files are created after the load. */
  private static String obstacle(GraphStore graph, Map<String, Definitions> definitions) {
    try (GraphTransaction reading = graph.beginReadOnly()) {
      long vertices = reading.vertexCount();
      long edges = reading.edgeCount();
      if (vertices > 0 || edges > 0) {
        return "the store is not empty: vertices=" + vertices + ", edges=" + edges;
      }
    }
    Definitions own = new StoreDefinitions(graph).definitions();
    String obstacle = obstacle(own, "the store");
    if (obstacle != null) {
      return obstacle;
    }
    for (IndexDefinition index : own.indexes()) {
      if (index.of().kind() == ElementKind.EDGE) {
        return "an index holds edges: index=" + index.of() + ", definitions=the store";
      }
    }
    Set<String> used = new HashSet<>(graph.edgeLabels());
    own.labels().forEach(label -> used.remove(label.name()));
    for (Map.Entry<String, Definitions> each : definitions.entrySet()) {
      obstacle = obstacle(each.getValue(), each.getKey());
      if (obstacle != null) {
        return obstacle;
      }
      for (LabelDefinition label : each.getValue().labels()) {
        if (used.contains(label.name())) {
          return "the store has had edges of a label that is declared: label="
              + label.name()
              + ", definitions="
              + each.getKey();
        }
      }
    }
    return null;
  }

  private static String obstacle(Definitions definitions, String source) {
    for (LabelDefinition label : definitions.labels()) {
      EdgeLabelForm form = label.form();
      if (form.ttlMillis() > 0 || form.loose()) {
        return "edges of a label "
            + (form.loose() ? "are loose" : "have a time to live")
            + ": label="
            + label.name()
            + ", definitions="
            + source;
      }
    }
    for (LabelSchema schema : definitions.schemas()) {
      if (schema.kind() == ElementKind.EDGE) {
        return "edges of a label have a schema: label="
            + schema.label()
            + ", definitions="
            + source;
      }
    }
    return null;
  }

  /** Whether the directory of an empty store has what an empty directory lacks. */
  private static boolean hasMore(GraphStore graph) {
    Definitions own = new StoreDefinitions(graph).definitions();
    try (GraphTransaction reading = graph.beginReadOnly()) {
      return !List.of(own.labels(), own.schemas(), own.indexes(), reading.variables().names())
          .stream()
          .allMatch(List::isEmpty);
    }
  }

  @Override
  public String toString() {
    return (sorted ? "sorted load: " : "load by commits: ") + reason;
  }
}
