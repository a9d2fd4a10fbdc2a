package io.bg3.core.graph;

/** The state of a property index. */
public enum IndexState {
  /** Commits write its entries, and those of older vertices are being added; no query uses it. */
  BUILDING,

  /**
   * It is unique and has the entries of all vertices: commits that give a value to a second vertex
   * are refused, and it is looked whether there are such from before. No query uses it.
   */
  VERIFYING,

  /** It has the entries of all vertices, and each value once if it is unique; queries use it. */
  READY,

  /** Its entries are being removed; nothing writes or reads them. */
  DROPPING
}
