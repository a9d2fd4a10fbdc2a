package io.bg3.core.page;

import io.bg3.core.entry.Op;

/** Which entries of a block that is written are marked as not stored ({@link Op#UNSTORED}). */
enum Marks {
  /** Those that were marked before. */
  KEPT(~0, 0),

  /** All: the page has no stored base. */
  ALL(~0, Op.UNSTORED),

  /** None: what is stored holds all of the page. */
  NONE(~Op.UNSTORED, 0);

  private final int kept;
  private final int added;

  /**
   * @param kept bits that an entry keeps
   * @param added bits that every entry gets
   */
  Marks(int kept, int added) {
    this.kept = kept;
    this.added = added;
  }

  /** The bits of an entry. */
  byte of(byte op) {
    return (byte) ((op & kept) | added);
  }

  /** Those of a page. */
  static Marks of(boolean unstored) {
    return unstored ? ALL : KEPT;
  }
}
