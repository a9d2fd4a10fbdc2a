package io.bg3.core.page;

import io.bg3.core.entry.Op;

/** Which entries of a block that is written are marked as not stored ({@link Op#UNSTORED}). */
enum Marks {
  /** Those that were marked before. */
  KEPT,

  /** All: the page has no stored base. */
  ALL,

  /** None: what is stored holds all of the page. */
  NONE;

  /** The bits of an entry. */
  byte of(byte op) {
    return switch (this) {
      case KEPT -> op;
      case ALL -> (byte) (op | Op.UNSTORED);
      case NONE -> (byte) (op & ~Op.UNSTORED);
    };
  }

  /** Those of a page. */
  static Marks of(boolean unstored) {
    return unstored ? ALL : KEPT;
  }
}
