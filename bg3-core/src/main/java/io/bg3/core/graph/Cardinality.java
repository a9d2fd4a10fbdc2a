package io.bg3.core.graph;

/** How a new property of a vertex affects the properties that the vertex has under the same key. */
public enum Cardinality {
  /** It replaces them. */
  SINGLE,
  /** It stands beside them. */
  LIST,
  /** It stands beside them unless one with an equal value is there, which is kept. */
  SET
}
