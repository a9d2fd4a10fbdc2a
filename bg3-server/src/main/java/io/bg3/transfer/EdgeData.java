package io.bg3.transfer;

import java.util.Map;

/**
 * An edge.
 *
 * @param id given by the user, or the text that the store made up; null for none
 * @param from id of the vertex that it leaves
 * @param to id of the vertex that it enters
 */
public record EdgeData(
    Object id, String label, Object from, Object to, Map<String, Object> properties) {
  /** The label of an edge that says none. */
  public static final String STANDARD_LABEL = "edge";
}
