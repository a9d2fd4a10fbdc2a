package io.bg3.core.graph;

import java.util.List;

/** Shorthands of the tests of schemas. */
public final class Schemas {
  private Schemas() {}

  /** Waits until no schema is being verified. */
  public static void await(GraphStore graph) throws InterruptedException {
    while (graph.schemas().stream().anyMatch(each -> each.state() == SchemaState.VERIFYING)) {
      Thread.sleep(1);
    }
  }

  /** Defines a schema and waits until all elements meet it; throws if some do not. */
  public static void enforce(GraphStore graph, LabelSchema schema) throws InterruptedException {
    graph.defineSchema(schema);
    await(graph);
    List<SchemaStatus> failed =
        graph.schemas().stream().filter(each -> each.state() == SchemaState.FAILED).toList();
    if (!failed.isEmpty()) {
      throw new AssertionError(failed.toString());
    }
  }
}
