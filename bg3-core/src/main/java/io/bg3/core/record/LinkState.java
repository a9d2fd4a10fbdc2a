package io.bg3.core.record;

/** Whether there is a link, and who sees it. */
public enum LinkState {
  /** There is none. */
  ABSENT,
  /** It is kept, and found by {@link io.bg3.core.graph.Links#get} alone. */
  HIDDEN,
  /** It is an edge like any other. */
  VISIBLE
}
