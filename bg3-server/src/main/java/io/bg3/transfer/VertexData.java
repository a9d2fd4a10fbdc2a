package io.bg3.transfer;

import java.util.List;

/**
 * A vertex without its edges.
 *
 * @param id an integer, a UUID or a String
 * @param labels one or more labels, in their order
 * @param properties in the order in which they are set
 */
public record VertexData(Object id, List<String> labels, List<PropertyData> properties) {
  /** The label of a vertex without one. */
  public static final String STANDARD_LABEL = "vertex";

  /** Checks that there is a label. */
  public VertexData {
    if (labels.isEmpty()) {
      throw new IllegalArgumentException("a vertex needs a label: id=" + id);
    }
  }

  /** Creates a vertex with one label. */
  public VertexData(Object id, String label, List<PropertyData> properties) {
    this(id, List.of(label), properties);
  }

  /** The first label, which Gremlin shows. */
  public String label() {
    return labels.get(0);
  }
}
