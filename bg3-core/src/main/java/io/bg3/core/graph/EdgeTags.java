package io.bg3.core.graph;

import io.bg3.core.record.EdgeId;

/** How tag and label share a number in the keys of edge entries, and which total counts what. */
final class EdgeTags {
  static final int OUT = 0;
  static final int IN = 1;
  static final int INDEX = 2;
  static final int COUNTER = 3;

  private static final int SHIFT = 30;

  /** Total of all vertices, of all edges; labels follow. */
  static final int ALL_VERTICES = 0;

  static final int ALL_EDGES = 1;

  private EdgeTags() {}

  static int out(int label) {
    return label;
  }

  static int in(int label) {
    return IN << SHIFT | label;
  }

  static int index(int label) {
    return INDEX << SHIFT | label;
  }

  static int tag(int tagLabel) {
    return tagLabel >>> SHIFT;
  }

  static int label(int tagLabel) {
    return tagLabel & EdgeId.MAX_LABEL;
  }

  /** Total of the vertices whose first label this is. */
  static int verticesWith(int label) {
    return Math.multiplyExact(2, label);
  }

  static int edgesWith(int label) {
    return Math.addExact(Math.multiplyExact(2, label), 1);
  }
}
