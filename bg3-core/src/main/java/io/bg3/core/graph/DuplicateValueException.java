package io.bg3.core.graph;

/**
 * An element must not have a value, because its property has a unique index: another element has
 * the value, or it is one that a unique index cannot hold.
 */
public final class DuplicateValueException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private DuplicateValueException(String message) {
    super(message);
  }

  /**
   * That of a value that two elements have.
   *
   * @param other the id of the element that has it already; null if it is not known here
   */
  static DuplicateValueException twice(
      ElementKind kind, String index, Object value, Object element, Object other) {
    String name = name(kind);
    return new DuplicateValueException(
        "no two "
            + (kind == ElementKind.EDGE ? "edges" : "vertices")
            + " may have this value: unique index="
            + index
            + ", value="
            + value
            + name
            + element
            + name.replace(", ", ", other ")
            + (other == null ? "(text or UUID as its id)" : other));
  }

  private static String name(ElementKind kind) {
    return kind == ElementKind.EDGE ? ", edge=" : ", vertex=";
  }

  /** That of a value of a kind that is not told from others. */
  static DuplicateValueException untold(
      ElementKind kind, String index, String valueKind, Object element) {
    return new DuplicateValueException(
        "a value in a unique index has to be a number, text, boolean, char, UUID, date or time, of"
            + " 1,024 bytes at most: unique index="
            + index
            + ", class="
            + valueKind
            + name(kind)
            + element);
  }

  /** That of values of several keys that are not told from others. */
  static DuplicateValueException untold(ElementKind kind, String index, Object element) {
    return new DuplicateValueException(
        "values in a unique index of several keys have to be numbers, texts, booleans, chars,"
            + " UUIDs, dates or times, of 1,024 bytes each and 4,000 together at most, in no more"
            + " than 64 combinations of a vertex: unique index="
            + index
            + name(kind)
            + element);
  }
}
