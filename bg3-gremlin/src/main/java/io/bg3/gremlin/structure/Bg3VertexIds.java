package io.bg3.gremlin.structure;

/**
 * How a graph shows the ids of its vertices. The stored ids are the same, and every form finds the
 * vertex in each: {@code V(1)}, {@code V(1L)} and {@code V("1")} are one vertex.
 */
enum Bg3VertexIds {
  /** As {@link io.bg3.core.record.VertexId} has them: Long, UUID or String. */
  CANONICAL,
  /**
   * A number is an Integer where it fits: for what was written against TinkerGraph's toy graphs.
   */
  INTEGER,
  /** Everything is a String: for what was written against stores that have only those. */
  STRING;

  /** The id that is shown for a canonical one. */
  Object shown(Object canonical) {
    return switch (this) {
      case CANONICAL -> canonical;
      case INTEGER ->
          canonical instanceof Long number && number == number.intValue()
              ? (Object) number.intValue()
              : canonical;
      case STRING -> canonical.toString();
    };
  }

  /** The hash code of the id that is shown for a number, without an object where there is a way. */
  int hashCode(long number) {
    return switch (this) {
      case CANONICAL -> Long.hashCode(number);
      case INTEGER -> number == (int) number ? (int) number : Long.hashCode(number);
      case STRING -> shown(number).hashCode();
    };
  }
}
