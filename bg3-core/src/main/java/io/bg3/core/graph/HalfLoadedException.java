package io.bg3.core.graph;

import java.io.IOException;

/** A {@link GraphLoad} into the store did not end, so the store holds a part of a graph. */
public final class HalfLoadedException extends IOException {
  private static final long serialVersionUID = 1L;

  HalfLoadedException(String store) {
    super(
        "the store was being loaded when its process ended, and holds a part of the graph: store="
            + store
            + "\nRemove its directory, and load or generate it again.");
  }
}
