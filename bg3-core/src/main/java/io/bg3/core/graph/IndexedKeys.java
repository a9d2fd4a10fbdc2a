package io.bg3.core.graph;

import io.bg3.core.limit.Limit;
import java.util.HashSet;
import java.util.List;

/**
 * The elements and the property keys that an index is of.
 *
 * @param kind the elements
 * @param label that of the elements, of vertices the first one; null for all
 * @param keys of the properties, one or more, in the order in which the index has them
 */
public record IndexedKeys(ElementKind kind, String label, List<String> keys) {
  /** The beginning of the text of keys of edges. */
  public static final String EDGES = "edge:";

  /**
   * Keys of an index.
   *
   * @throws IllegalArgumentException if there is no key, or one comes twice
   * @throws io.bg3.core.limit.LimitExceededException if there are too many
   */
  public IndexedKeys {
    keys = List.copyOf(keys);
    if (keys.isEmpty() || new HashSet<>(keys).size() < keys.size()) {
      throw new IllegalArgumentException(
          "an index needs one key or more, each once: label=" + label + ", keys=" + keys);
    }
    Limit.INDEX_KEYS.check(keys.size());
  }

  /**
   * Keys of vertices.
   *
   * @param label the first label of the vertices; null for all
   */
  public static IndexedKeys ofVertices(String label, String... keys) {
    return new IndexedKeys(ElementKind.VERTEX, label, List.of(keys));
  }

  /**
   * Keys of edges.
   *
   * @param label that of the edges; null for all
   */
  public static IndexedKeys ofEdges(String label, String... keys) {
    return new IndexedKeys(ElementKind.EDGE, label, List.of(keys));
  }

  /**
   * For people, and as commands take it: {@code label.key+key}, with {@code *} for all labels, and
   * of edges {@code edge:label.key}.
   */
  @Override
  public String toString() {
    String elements = kind == ElementKind.EDGE ? EDGES : "";
    return elements + (label == null ? "*" : label) + "." + String.join("+", keys);
  }
}
