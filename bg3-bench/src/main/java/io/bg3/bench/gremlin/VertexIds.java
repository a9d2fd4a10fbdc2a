package io.bg3.bench.gremlin;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The ids under which a system knows the vertices of the graph. The bench numbers them from 1. A
 * system that takes ids uses the numbers; another one's ids are noted when it has added a vertex.
 *
 * <p>Threads: any, once the graph is loaded.
 */
final class VertexIds {
  /** The key under which a map in an answer has an id. */
  static final String KEY = "id";

  private final Object[] ids;
  private final Map<Object, Long> numbers = new HashMap<>();

  private VertexIds(Object[] ids) {
    this.ids = ids;
  }

  /** The ids are the numbers. */
  static VertexIds numbers() {
    return new VertexIds(null);
  }

  /**
   * The ids are the system's own, and none is noted yet.
   *
   * @param count of the vertices
   */
  static VertexIds noted(int count) {
    return new VertexIds(new Object[count + 1]);
  }

  /** Notes the id of a vertex. */
  void note(int number, Object id) {
    ids[number] = id;
    numbers.put(id, (long) number);
  }

  /** The id of a vertex. */
  Object id(long number) {
    return ids == null ? (Object) number : ids[(int) number];
  }

  /**
   * A result with the number in place of the id, so that answers can be compared: the result itself
   * is the id, or a map has it under {@link #KEY}.
   */
  Object numbered(Object result) {
    if (result instanceof Map<?, ?> map) {
      Map<Object, Object> copy = new LinkedHashMap<>(map);
      copy.computeIfPresent(KEY, (key, id) -> number(id));
      return copy;
    }
    return number(result);
  }

  private Object number(Object id) {
    Long number = numbers.get(id);
    return number == null ? id : number;
  }
}
