package io.bg3.core.graph;

/** Whether there is a link, and who sees it. */
public enum LinkState {
  /** There is none. */
  ABSENT,
  /** It is kept, and found by {@link Links#get} alone. */
  HIDDEN,
  /** It is an edge like any other. */
  VISIBLE
}
