package io.bg3.bench.work;

/** How scans treat vertices with very many edges. */
public enum HeavyOwners {
  /** They are asked for as all others are. */
  KEEP,
  /** They are left out, so that the sources of random edges have few edges on average. */
  DROP
}
