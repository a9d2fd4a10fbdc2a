package io.bg3.bench.work;

/** In which order the edges of the graph are loaded. */
public enum LoadOrder {
  /** Random. */
  RANDOM,
  /** That of their keys, in which LMDB appends and every system fills pages one after the other. */
  SORTED
}
