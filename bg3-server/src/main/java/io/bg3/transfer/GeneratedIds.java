package io.bg3.transfer;

import io.bg3.core.record.EdgeId;
import io.bg3.core.record.PropertyId;
import io.bg3.core.record.VertexId;

/** Recognises ids in files that a store has generated for edges and properties. */
public final class GeneratedIds {
  private GeneratedIds() {}

  /** Whether a store generated this id of a property, so that no store can be told to use it. */
  public static boolean isOfProperty(Object id) {
    return id instanceof String && !PropertyId.allows(id);
  }

  /** Whether a store generated this id of an edge, so that no store can be told to use it. */
  public static boolean isOfEdge(Object id) {
    return id instanceof String text && EdgeId.parse(text) != null;
  }

  /**
   * The id of an edge that a text stands for: a number, a UUID or itself; null for an empty one.
   *
   * @throws IllegalArgumentException if it cannot be an id
   */
  public static Object edgeOf(String text) {
    return text == null || text.isEmpty() ? null : isOfEdge(text) ? text : VertexId.canonical(text);
  }
}
