package io.bg3.core.block;

import java.nio.ByteBuffer;

/**
 * The search in a sorted column of numbers in a block.
 *
 * <p>Each step reads seven numbers that part what is left into eight, and none of them decides
 * about a branch: so the processor has the cache misses of a step under way together, guesses no
 * branch wrong, and goes on to the next look-up of a group while this one waits.
 */
public final class SortedLongs {
  private static final int PARTS_SHIFT = 3;
  private static final int PARTS = 1 << PARTS_SHIFT;

  private SortedLongs() {}

  /**
   * Index of the first number that is not below {@code key}, {@code high} if there is none.
   *
   * @param at offset of number 0 in the slab
   * @param stride bytes from one number to the next
   * @param flip {@link Long#MIN_VALUE} where the numbers ascend as unsigned ones, else 0
   */
  public static int firstNotBelow(
      ByteBuffer slab, int at, int stride, int low, int high, long key, long flip) {
    long wanted = key ^ flip;
    int first = low;
    int left = high - low;
    while (left > PARTS) {
      int part = left >>> PARTS_SHIFT;
      int bytes = part * stride;
      int end = at + (first - 1) * stride;
      int below = 0;
      for (int i = 1; i < PARTS; i++) {
        below += isBelow(slab.getLong(end + i * bytes) ^ flip, wanted);
      }
      first += below * part;
      left -= (PARTS - 1) * part;
    }
    while (left > 0) {
      int half = (left + 1) >>> 1;
      first += half & -isBelow(slab.getLong(at + (first + half - 1) * stride) ^ flip, wanted);
      left -= half;
    }
    return first;
  }

  /** 1 if a is below b, else 0, without a branch (Warren, Hacker's Delight, 2-12). */
  private static int isBelow(long a, long b) {
    return (int) (((a & ~b) | (~(a ^ b) & (a - b))) >>> (Long.SIZE - 1));
  }
}
