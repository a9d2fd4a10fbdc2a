package io.bg3.core.graph;

/** How far the counters of a counted edge label are. */
public enum CounterState {
  /** The label had edges when it became counted: queries scan, commits keep the counters. */
  BUILDING,
  /** Queries read the counters. */
  READY
}
