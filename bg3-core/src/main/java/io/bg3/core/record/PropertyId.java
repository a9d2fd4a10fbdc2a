package io.bg3.core.record;

/**
 * A vertex and the number of one of its properties: the number is the vertex's own count, never
 * used twice by one vertex. The text is {@code vertex "~" number}, with the vertex written as in
 * {@link EdgeId}. That is the id of a property to which the user gave none.
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

  /** Whether a text has the form of an allocated id, which no user may give. */
  static boolean isAllocated(String text) {
    int separator = text.indexOf('~');
    if (separator < 0) {
      return false;
    }
    String digits = text.substring(separator + 1);
    Long number = digits.isEmpty() ? null : VertexId.decimal(digits);
    return number != null
        && number > 0
        && number <= Integer.MAX_VALUE
        && EdgeId.vertex(text.substring(0, separator)) != null;
  }

  /** Whether this may be given as an id: integers, UUIDs and text not of the allocated form. */
  public static boolean allows(Object id) {
    try {
      VertexId.canonical(id);
      return !(id instanceof String text && isAllocated(text));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  @Override
  public String toString() {
    return text();
  }
}
