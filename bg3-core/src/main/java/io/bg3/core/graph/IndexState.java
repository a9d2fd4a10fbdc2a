package io.bg3.core.graph;

/** The state of a property index. */
public enum IndexState {
  /** Commits write its entries, and those of older vertices are being added; no query uses it. */
  BUILDING,

  /** It has the entries of all vertices; queries use it. */
  READY,

  /** Its entries are being removed; nothing writes or reads them. */
  DROPPING
}
