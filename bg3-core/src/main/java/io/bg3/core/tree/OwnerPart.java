package io.bg3.core.tree;

import io.bg3.core.entry.EdgeKey;
import java.util.Arrays;

/**
 * The part of a range of an owner's keys that is in one tree (R45). The keys of a family are
 * adjacent within a tag, so the parts follow one another, and a scan of an owner merges nothing:
 *
 * <pre>
 *   keys    out, plain │ out, family 1 │ out, family 2 │ in, plain │ in, family 1 │ ...
 *   trees   INIT         1               2               INIT        1
 * </pre>
 *
 * @param tagLabel one of the part, for its route
 * @param low where it begins
 * @param high where it ends; null if the range has no end and this is its last part
 * @param outermost whether it reaches to the end of the range, in the direction of the scan
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record OwnerPart(int tagLabel, byte[] low, byte[] high, boolean outermost) {
  private static final long BEHIND = 1L << Integer.SIZE;

  /** Whether a range that begins at a key is one of this owner, so that it may be in parts. */
  static boolean isOf(long owner, byte[] low) {
    return low != null && low.length >= Long.BYTES && EdgeKey.owner(low) == owner;
  }

  /**
   * The first part of a range; null if it is empty.
   *
   * @param low a key or a bound of the owner
   * @param high null for no end
   * @param families the highest family that has a tree
   */
  static OwnerPart first(long owner, byte[] low, byte[] high, int families) {
    byte[] at = low;
    int tagLabel = tagLabel(low);
    if (EdgeKey.family(tagLabel) > families) {
      long next = nextTag(tagLabel);
      if (next == BEHIND) {
        return null;
      }
      tagLabel = (int) next;
      at = EdgeKey.prefix(owner, tagLabel);
    }
    if (high != null && Arrays.compareUnsigned(at, high) >= 0) {
      return null;
    }
    long end = EdgeKey.familyEnd(tagLabel);
    byte[] bound = end == BEHIND ? null : EdgeKey.prefix(owner, (int) end);
    boolean last = bound == null || (high != null && Arrays.compareUnsigned(high, bound) <= 0);
    return new OwnerPart(tagLabel, at, last ? high : bound, last);
  }

  /** The last part of a range, as {@link #first}; {@code outermost} if it has the first key. */
  static OwnerPart last(long owner, byte[] low, byte[] high, int families) {
    byte[] above = high;
    long newest = BEHIND - 1;
    if (isOf(owner, high)) {
      newest = Integer.toUnsignedLong(tagLabel(high));
      newest -= high.length <= EdgeKey.OTHER ? 1 : 0; // a bound is above all that begins below it
    }
    if (newest < 0) {
      return null;
    }
    int tagLabel = (int) newest;
    if (EdgeKey.family(tagLabel) > families) {
      tagLabel = EdgeKey.ttlLabel(families, 1) | (tagLabel & ~EdgeKey.MAX_LABEL);
      above = EdgeKey.prefix(owner, (int) EdgeKey.familyEnd(tagLabel));
    }
    byte[] bound = EdgeKey.prefix(owner, EdgeKey.familyStart(tagLabel));
    boolean first = Arrays.compareUnsigned(bound, low) <= 0;
    byte[] from = first ? low : bound;
    return above != null && Arrays.compareUnsigned(from, above) >= 0
        ? null
        : new OwnerPart(tagLabel, from, above, first);
  }

  private static long nextTag(int tagLabel) {
    return Integer.toUnsignedLong(tagLabel | EdgeKey.MAX_LABEL) + 1;
  }

  /** Tag and label in a key or a bound, which may end within them. */
  private static int tagLabel(byte[] key) {
    return EdgeKey.tagLabel(key.length < EdgeKey.OTHER ? Arrays.copyOf(key, EdgeKey.OTHER) : key);
  }
}
