package io.bg3.transfer;

import java.util.List;

/**
 * A vertex without its edges.
 *
 * @param id integer, UUID or String
 * @param labels one or more, in their order
 * @param properties in the order in which they are set
 */
public record VertexData(Object id, List<String> labels, List<PropertyData> properties) {
  /** The label of a vertex that says none. */
  public static final String STANDARD_LABEL = "vertex";

  /** Takes the components, of which {@code labels} must not be empty. */
  public VertexData {
    if (labels.isEmpty()) {
      throw new IllegalArgumentException("a vertex needs a label: id=" + id);
    }
  }

  /** A vertex with one label. */
  public VertexData(Object id, String label, List<PropertyData> properties) {
    this(id, List.of(label), properties);
  }

  /** The first label, which is the one that Gremlin shows. */
  public String label() {
    return labels.get(0);
  }
}
