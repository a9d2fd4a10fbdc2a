package io.bg3.bench.work;

/** What becomes of vertices with very many edges in scans. */
public enum HeavyOwners {
  /** They are asked for as all others are. */
  KEEP,
  /** They are left out, so that the sources of random edges have few edges on average. */
  DROP
}
