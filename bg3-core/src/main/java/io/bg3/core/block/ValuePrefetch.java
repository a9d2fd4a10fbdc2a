package io.bg3.core.block;

import io.bg3.storage.memory.BlockMemory;

/**
 * The cache lines in which the values of one owner's run are, in a number: with {@link
 * RunPrefetch}, all that a look-up of one entry reads. Of a long run most lines are another
 * entry's, so a second number says between which neighbours it lies: those in between are taken to
 * be spread evenly, and the lines asked for are those around where the entry would be.
 *
 * <pre>
 *  bits  field   all in cache lines; 0 in all if nothing is known
 *    20  slab    of the block of values, from the top; 0 if there is nothing to ask for
 *    18  offset  of the block in the slab
 *     7  ends    of the run's first value's end, from the block's beginning
 *    10  bytes   of the first value's first byte, likewise
 *     9  length  of the values less one, at most
 *
 *    32  first   neighbour of the run, as a floating-point number; from the top
 *    32  last    likewise
 * </pre>
 *
 * <p>It says where the lines were, and nothing is concluded from what stands there.
 */
public final class ValuePrefetch {
  /** Nobody has said where the values are. */
  public static final long UNKNOWN = 0;

  /** Nothing to ask for. */
  public static final long NONE = 1;

  /** The {@link #part} of a run that is before an entry of which nobody knows where it is. */
  public static final float ANYWHERE = -1;

  private static final int LINE_SHIFT = 6;
  private static final int LENGTH_BITS = 9;
  private static final int BYTES_BITS = 10;
  private static final int ENDS_BITS = 7;
  private static final int OFFSET_BITS = 18;
  private static final int BYTES_SHIFT = LENGTH_BITS;
  private static final int ENDS_SHIFT = BYTES_SHIFT + BYTES_BITS;
  private static final int OFFSET_SHIFT = ENDS_SHIFT + ENDS_BITS;
  private static final int SLAB_SHIFT = OFFSET_SHIFT + OFFSET_BITS;

  /** Lines of neighbours whose ends of values take one line: an end is a quarter of a neighbour. */
  private static final int OTHERS_AN_END = 4;

  private static final int MOST_ENDS = 1;
  private static final int MOST_BYTES = 2;

  private ValuePrefetch() {}

  /**
   * Those of a run.
   *
   * @param block of the values
   * @param ends bytes from the block's beginning to the end of the first value
   * @param from bytes to the first byte of the first value
   * @param to bytes behind the last byte of the last value
   */
  static long of(long block, int ends, int from, int to) {
    int begin = BlockMemory.offset(block);
    int first = lines(begin, from);
    int length = Math.max(0, lines(begin, to - 1) - first);
    int endsLine = lines(begin, ends);
    if (first > mask(BYTES_BITS) || length > mask(LENGTH_BITS) || endsLine > mask(ENDS_BITS)) {
      return NONE;
    }
    return ((block >>> Integer.SIZE) << SLAB_SHIFT)
        | ((long) ((begin >>> LINE_SHIFT) & mask(OFFSET_BITS)) << OFFSET_SHIFT)
        | ((long) endsLine << ENDS_SHIFT)
        | ((long) first << BYTES_SHIFT)
        | length;
  }

  /** Says between which neighbours a run lies. */
  public static long span(long first, long last) {
    long high = Float.floatToRawIntBits((float) first);
    return (high << Integer.SIZE) | Integer.toUnsignedLong(Float.floatToRawIntBits((float) last));
  }

  /**
   * The part of a run that is before an entry if the neighbours are spread evenly, from 0 to 1;
   * negative if nobody has said between which neighbours the run lies.
   *
   * @param other the entry's neighbour
   */
  public static float part(long span, long other) {
    if (span == 0) {
      return ANYWHERE;
    }
    float first = Float.intBitsToFloat((int) (span >>> Integer.SIZE));
    float last = Float.intBitsToFloat((int) span);
    return Math.max(0, Math.min(1, (other - first) / (last - first)));
  }

  /**
   * Reads something in each line that the value of one entry may be in.
   *
   * @param run the {@link RunPrefetch} of its run
   * @param part of the run that is before the entry
   * @return something, for the caller to keep
   */
  public static long fetch(BlockMemory memory, long run, long values, float part) {
    if (values >>> SLAB_SHIFT == 0) {
      return 0;
    }
    float before = Math.max(0, part); // another thread may just have written the values alone
    long offset = (values >>> OFFSET_SHIFT) & mask(OFFSET_BITS);
    long block = ((values >>> SLAB_SHIFT) << Integer.SIZE) | (offset << LINE_SHIFT);
    int ends = (int) (values >>> ENDS_SHIFT) & mask(ENDS_BITS);
    int bytes = (int) (values >>> BYTES_SHIFT) & mask(BYTES_BITS);
    int length = ((int) values & mask(LENGTH_BITS)) + 1;
    int most = Math.min(MOST_BYTES, length);
    int near = RunPrefetch.near(before, length, most);
    return memory.fetch(block, 0, 1)
        + memory.fetch(
            block, ends + (int) (before * RunPrefetch.length(run) / OTHERS_AN_END), MOST_ENDS)
        + memory.fetch(block, bytes + near, most);
  }

  private static int lines(int begin, int at) {
    return ((begin + at) >>> LINE_SHIFT) - (begin >>> LINE_SHIFT);
  }

  private static int mask(int bits) {
    return (1 << bits) - 1;
  }
}
