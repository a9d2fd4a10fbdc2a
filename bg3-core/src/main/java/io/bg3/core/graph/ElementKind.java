package io.bg3.core.graph;

import io.bg3.core.transaction.Dictionary;

/** The elements of a graph that have properties and labels of their own. */
public enum ElementKind {
  /** Vertices, by their first labels. */
  VERTEX,

  /** Edges. */
  EDGE;

  /** The part of the dictionary that has the labels of these elements. */
  Dictionary.Kind labels() {
    return this == EDGE ? Dictionary.Kind.EDGE_LABEL : Dictionary.Kind.VERTEX_LABEL;
  }
}
