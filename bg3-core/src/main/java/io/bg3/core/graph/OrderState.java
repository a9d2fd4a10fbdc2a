package io.bg3.core.graph;

/** How far the order of an edge label is. */
public enum OrderState {
  /**
   * The label had edges when it was declared as ordered: it is looked whether each has the sort
   * key, and commits require it.
   */
  VERIFYING,
  /** Each edge has the sort key. Commits keep the order, edges from before are added to it. */
  BUILDING,
  /** Queries read the order. */
  READY,
  /** An edge lacked the sort key when it was looked for: the label is not ordered. */
  FAILED
}
