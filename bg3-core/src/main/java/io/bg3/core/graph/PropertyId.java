package io.bg3.core.graph;

/**
 * Which property of which vertex: the number is the vertex's own count, never used twice by one
 * vertex. The text is {@code vertex "~" number}, with the vertex written as in {@link EdgeId}.
 *
 * @param vertex internal id of the vertex
 * @param number number of the property within the vertex, from 1
 */
public record PropertyId(long vertex, int number) {
  /** The id as the user sees it. */
  public String text() {
    StringBuilder text = new StringBuilder(16);
    EdgeId.appendVertex(text, vertex);
    return text.append('~').append(number).toString();
  }

  @Override
  public String toString() {
    return text();
  }
}
