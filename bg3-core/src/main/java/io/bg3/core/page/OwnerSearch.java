package io.bg3.core.page;

import io.bg3.core.block.PageHeader;

/**
 * The search for an owner's first run in a leaf of edges. It begins where the run would be if the
 * owners between the page's fences were spread evenly, which they nearly are where ids are dense,
 * and goes away from there in steps that double: one or two rows are read where a binary search
 * reads one of each cache line, and after a wrong guess not many more than that.
 */
final class OwnerSearch {
  private OwnerSearch() {}

  /** The first run at or above owner, tag and label. */
  static int firstRun(EdgeLeaf leaf, long owner, int tagLabel) {
    int run = firstRun(leaf, owner);
    if (run < leaf.runs && isBelow(leaf, run, owner, tagLabel)) { // another label of the owner
      int high = leaf.runs;
      while (run < high) {
        int middle = (run + high) >>> 1;
        if (isBelow(leaf, middle, owner, tagLabel)) {
          run = middle + 1;
        } else {
          high = middle;
        }
      }
    }
    return run;
  }

  private static boolean isBelow(EdgeLeaf leaf, int run, long owner, int tagLabel) {
    long at = leaf.owner(run);
    return at < owner || (at == owner && Integer.compareUnsigned(leaf.tagLabel(run), tagLabel) < 0);
  }

  /** The first run of an owner, or of the next one above it. */
  private static int firstRun(EdgeLeaf leaf, long owner) {
    int runs = leaf.runs;
    if (runs == 0) {
      return 0;
    }
    int low = guess(leaf, owner);
    int high = low;
    int step = 1;
    if (leaf.owner(low) < owner) {
      low++;
      high = low;
      while (high < runs && leaf.owner(high) < owner) {
        low = high + 1;
        high = low + step;
        step *= 2;
      }
      high = Math.min(high, runs);
    } else {
      while (low > 0 && leaf.owner(low - 1) >= owner) {
        high = low - 1;
        low = Math.max(0, high - step);
        step *= 2;
      }
    }
    return leaf.ownerFrom(low, high, owner);
  }

  /** A run near the first of an owner; the leaf has runs. */
  static int guess(EdgeLeaf leaf, long owner) {
    long first = low(leaf);
    if (owner <= first) {
      return 0;
    }
    long span = high(leaf) - first;
    if (span <= 0) { // one owner alone, or ids over more than half of all numbers
      return leaf.runs >>> 1;
    }
    double guess = (double) (owner - first) * leaf.runs / span;
    return guess >= 0 && guess < leaf.runs ? (int) guess : leaf.runs - 1;
  }

  /** An owner at or below that of the first run. */
  private static long low(EdgeLeaf leaf) {
    int length = leaf.u16(PageHeader.LOW_LENGTH);
    return length == PageHeader.NO_FENCE ? leaf.owner(0) : owner(leaf, PageHeader.FENCES, length);
  }

  /** An owner at or above that of the last run. */
  private static long high(EdgeLeaf leaf) {
    int length = leaf.u16(PageHeader.HIGH_LENGTH);
    return length == PageHeader.NO_FENCE
        ? leaf.owner(leaf.runs - 1)
        : owner(leaf, leaf.fencesEnd() - length, length);
  }

  /** The owner in a fence, of which a short one has only the first bytes. */
  private static long owner(EdgeLeaf leaf, int fence, int length) {
    long head = Long.reverseBytes(leaf.slab.getLong(leaf.at + fence)); // there are runs behind it
    long known = length >= Long.BYTES ? -1 : ~(-1L >>> (length * Byte.SIZE));
    return (head & known) ^ Long.MIN_VALUE;
  }
}
