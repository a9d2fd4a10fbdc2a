package io.bg3.bench.paper;

import io.bg3.core.page.LeafFormat;
import io.bg3.core.tree.PageFlush;

/** Decides which record a page gets when one entry is added to it. */
public enum FlushRule {
  /**
   * The paper's: one delta, which replaces the one before it and holds all entries that the stored
   * base lacks; a base where the delta would hold more than {@value #MOST} entries.
   */
  DELTA_TEN("one-delta-10", "one delta, at most 10 entries"),

  /** The engine's own, {@link PageFlush}: one delta while that is cheaper than a base. */
  DELTA("one-delta", "one delta, the engine's rule"),

  /**
   * The Bw-tree's: a record for each entry, in a chain that begins at the base; a base where the
   * chain would be longer than {@value #MOST} records.
   */
  CHAIN("chain-10", "chain of at most 10 deltas");

  /** Entries or records behind a base at which the paper consolidates. */
  static final int MOST = 10;

  private final String system;
  private final String title;

  FlushRule(String system, String title) {
    this.system = system;
    this.title = title;
  }

  /** Its name in figures. */
  public String system() {
    return system;
  }

  /** Its name in tables. */
  public String title() {
    return title;
  }

  /**
   * Whether a page is stored as a new base.
   *
   * @param block the page with the new entry; what the stored base lacks is marked
   * @param deltas that were stored since the base
   * @param bytes of these deltas
   */
  boolean writesBase(LeafFormat format, long block, int deltas, long bytes) {
    return switch (this) {
      case DELTA_TEN -> format.markedCount(block) > MOST;
      case DELTA -> PageFlush.isLargeDelta(format, block, bytes);
      case CHAIN -> deltas == MOST;
    };
  }
}
