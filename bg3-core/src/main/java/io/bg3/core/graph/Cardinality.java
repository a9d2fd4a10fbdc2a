package io.bg3.core.graph;

/** What happens to the properties that a vertex already has under a key when another comes. */
public enum Cardinality {
  /** It replaces them. */
  SINGLE,
  /** It stands beside them. */
  LIST,
  /** It stands beside them unless one with an equal value is there, which is kept. */
  SET
}
