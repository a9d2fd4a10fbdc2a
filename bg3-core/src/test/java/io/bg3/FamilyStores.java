package io.bg3;

import io.bg3.core.graph.EdgeFamily;
import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.GraphTransaction;
import java.util.function.Consumer;

/** Fills stores of tests whose edge labels are in families. */
final class FamilyStores {
  private FamilyStores() {}

  /** Commits a change of the graph. */
  static void change(Bg3 store, Consumer<GraphTransaction> work) {
    store
        .graph()
        .retry(
            graph -> {
              work.accept(graph);
              return null;
            });
  }

  /** Defines a family, and declares a label of its name in it. */
  static void declare(Bg3 store, EdgeFamily family) {
    store.graph().defineFamily(family);
    String name = family.name();
    store.graph().declareEdgeLabel(name, EdgeLabelForm.plain().inFamily(name));
  }

  /** Adds the vertices from 1 to {@code count} in one commit. */
  static void addVertices(Bg3 store, int count) {
    change(
        store,
        graph -> {
          for (long vertex = 1; vertex <= count; vertex++) {
            graph.addVertex(vertex, "v");
          }
        });
  }
}
