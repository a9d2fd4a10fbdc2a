package io.bg3.core.tree;

/**
 * Says in which tree the entries of an owner are. The answer holds for the epoch in which it is
 * given and not longer: an owner may move to another tree, and the old one forgets it when all
 * epochs of the time before have ended (R12).
 */
public interface TreeRoute {
  /** The tree that holds the owner's entries now. Inside of an epoch, or under its stripe. */
  Tree tree(long owner);

  /**
   * The route to the entries of a label: labels of a family have trees of their own (R45). Of a
   * family that is not known it says where other entries are, which has none of it.
   */
  default TreeRoute ofLabel(int tagLabel) {
    return this;
  }

  /** The highest number of a family that has a tree; 0 if all entries of an owner are together. */
  default int families() {
    return 0;
  }

  /** Whether the trees are of edges, whose leaves have a topology that can be read alone. */
  default boolean isOfEdges() {
    return true;
  }
}
