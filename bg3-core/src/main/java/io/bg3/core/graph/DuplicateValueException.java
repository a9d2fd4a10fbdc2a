package io.bg3.core.graph;

/**
 * A vertex must not have a value, because its property has a unique index: another vertex has the
 * value, or it is one that a unique index cannot hold.
 */
public final class DuplicateValueException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private DuplicateValueException(String message) {
    super(message);
  }

  /**
   * That of a value that two vertices have.
   *
   * @param other the id of the vertex that has it already; null if it is not known here
   */
  static DuplicateValueException twice(String index, Object value, Object vertex, Object other) {
    return new DuplicateValueException(
        "no two vertices may have this value: unique index="
            + index
            + ", value="
            + value
            + ", vertex="
            + vertex
            + ", other vertex="
            + (other == null ? "(text or UUID as its id)" : other));
  }

  /** That of a value of a kind that is not told from others. */
  static DuplicateValueException untold(String index, String kind, Object vertex) {
    return new DuplicateValueException(
        "a value in a unique index has to be a number, text, boolean, char, UUID, date or time, of"
            + " 1,024 bytes at most: unique index="
            + index
            + ", class="
            + kind
            + ", vertex="
            + vertex);
  }
}
