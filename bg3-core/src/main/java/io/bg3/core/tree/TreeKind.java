package io.bg3.core.tree;

import io.bg3.core.page.LeafFormat;

/** What the leaves of a tree hold. */
public enum TreeKind {
  /** Edges: leaves are small compressed-sparse-row graphs. */
  EDGES,

  /** Anything else, under keys of bytes. */
  BYTES;

  LeafFormat format(TreeSpace space) {
    return this == EDGES ? space.edges : space.bytes;
  }
}
