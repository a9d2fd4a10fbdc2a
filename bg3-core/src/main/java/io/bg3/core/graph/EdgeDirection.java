package io.bg3.core.graph;

/** The direction of edges, seen from a vertex. */
public enum EdgeDirection {
  /** Those that leave the vertex. */
  OUT,
  /** Those that enter it. */
  IN,
  /** Both, those that leave it first; a loop counts twice. */
  BOTH
}
