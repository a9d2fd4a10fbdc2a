package io.bg3.core.entry;

/**
 * The effect of an entry on its key: a set of bits in one byte.
 *
 * <p>A plain put of an entry that the stored base holds is 0, so a page of nothing else needs no
 * column for them.
 */
public final class Op {
  /** The key has this value from the entry's stamp on. */
  public static final byte PUT = 0;

  /** The key is absent from the entry's stamp on. */
  public static final byte TOMBSTONE = 1;

  /** A put whose value stands in a VALUE extent: the value here is its 8-byte location. */
  public static final byte LOCATION = 2;

  /** An older version of the same key as the entry before it. Set by pages, never by callers. */
  public static final byte OLDER = 4;

  /** The stored base does not hold this entry (R3). Set by pages. */
  public static final byte UNSTORED = 8;

  /** All bits that an op may have. */
  public static final byte ALL = TOMBSTONE | LOCATION | OLDER | UNSTORED;

  /** The bits that say what the entry is, without those that say where it stands. */
  public static final byte MEANING = TOMBSTONE | LOCATION;

  private Op() {}

  /** Whether the key is absent where this entry is the visible one. */
  public static boolean isTombstone(int op) {
    return (op & TOMBSTONE) != 0;
  }

  /** Whether the entry's value is the location of the real one. */
  public static boolean isLocation(int op) {
    return (op & LOCATION) != 0;
  }

  /** Whether the entry is an older version of the key of the entry before it. */
  public static boolean isOlder(int op) {
    return (op & OLDER) != 0;
  }

  /** Whether no stored base holds the entry. */
  public static boolean isUnstored(int op) {
    return (op & UNSTORED) != 0;
  }

  /** The op in words, for messages. */
  public static String toString(int op) {
    StringBuilder text = new StringBuilder(isTombstone(op) ? "tombstone" : "put");
    if (isLocation(op)) {
      text.append(" location");
    }
    if (isOlder(op)) {
      text.append(" older");
    }
    if (isUnstored(op)) {
      text.append(" unstored");
    }
    return text.toString();
  }
}
