package io.bg3.transfer;

import io.bg3.core.record.EdgeId;
import io.bg3.core.record.PropertyId;
import io.bg3.core.record.VertexId;

/** What the id of an edge or of a property in a file stands for. */
public final class MadeUpIds {
  private MadeUpIds() {}

  /** Whether a store made this id of a property up, so that none can be told to use it. */
  public static boolean isPropertys(Object id) {
    return id instanceof String && !PropertyId.allows(id);
  }

  /** Whether a store made this id of an edge up, so that none can be told to use it. */
  public static boolean isEdges(Object id) {
    return id instanceof String text && EdgeId.parse(text) != null;
  }

  /**
   * The id of an edge that a text stands for: a number, a UUID or itself; null for an empty one.
   *
   * @throws IllegalArgumentException if it cannot be an id
   */
  public static Object edgeOf(String text) {
    return text == null || text.isEmpty() ? null : isEdges(text) ? text : VertexId.canonical(text);
  }
}
