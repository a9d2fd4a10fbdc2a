package io.bg3.core.graph;

/** Which of a vertex's edges are meant. */
public enum EdgeDirection {
  /** Those that leave the vertex. */
  OUT,
  /** Those that enter it. */
  IN,
  /** Both, those that leave it first; a loop counts twice. */
  BOTH
}
