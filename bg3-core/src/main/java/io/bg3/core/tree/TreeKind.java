package io.bg3.core.tree;

import io.bg3.core.page.LeafFormat;

/** The kind of a tree: the kind of entry in its leaves. */
public enum TreeKind {
  /** Edges: leaves are small compressed-sparse-row graphs. */
  EDGES,

  /** Anything else, under keys of bytes. */
  BYTES;

  LeafFormat format(TreeSpace space) {
    return this == EDGES ? space.edges : space.bytes;
  }
}
