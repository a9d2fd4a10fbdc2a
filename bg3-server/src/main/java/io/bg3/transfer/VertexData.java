package io.bg3.transfer;

import java.util.List;

/**
 * A vertex without its edges.
 *
 * @param id integer, UUID or String
 * @param properties in the order in which they are set
 */
public record VertexData(Object id, String label, List<PropertyData> properties) {
  /** The label of a vertex that says none. */
  public static final String STANDARD_LABEL = "vertex";
}
