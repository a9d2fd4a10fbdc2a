package io.bg3.core.graph;

/** In which order something comes that has a sort key. */
public enum SortOrder {
  /** The smallest sort key first. */
  ASCENDING,
  /** The largest sort key first. */
  DESCENDING
}
