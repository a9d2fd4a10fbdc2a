package io.bg3.core.block;

import io.bg3.storage.memory.BlockMemory;

/**
 * The cache lines that a look-up of one owner's run reads, in one number: a thread that kept it
 * from the last time asks for all of them at once, where the header says where the run is, and the
 * run where its neighbours are, which are three waits one after the other.
 *
 * <pre>
 *  bits  field   in cache lines, but for the row; 0 in all for nothing
 *    20  slab    of the block, from the top
 *    18  offset  of the block in the slab
 *    10  row     of the run, in eight bytes from the block's beginning; 0 if it is too far away
 *    10  others  of its first neighbour, from there too; likewise
 *     6  length  of the neighbours less one, at most
 * </pre>
 *
 * <p>It says where the lines were. The block may have been freed since, so nothing is concluded
 * from what stands there.
 */
public final class RunPrefetch {
  /** Nothing to ask for. */
  public static final long NONE = 0;

  /** Lines of a header with its fences. */
  private static final int HEADER = 2;

  /** Lines of neighbours that are asked for: about as many loads as a processor has under way. */
  private static final int MOST_OTHERS = 8;

  /** Of these around one neighbour: evenly drawn neighbours of most runs are not further away. */
  private static final int MOST_AROUND = 3;

  private static final int LINE_SHIFT = 6;
  private static final int ROW_UNIT_SHIFT = 3;
  private static final int LENGTH_BITS = 6;
  private static final int OTHERS_BITS = 10;
  private static final int ROW_BITS = 10;
  private static final int OFFSET_BITS = 18; // of slabs with several blocks; others begin at 0
  private static final int OTHERS_SHIFT = LENGTH_BITS;
  private static final int ROW_SHIFT = OTHERS_SHIFT + OTHERS_BITS;
  private static final int OFFSET_SHIFT = ROW_SHIFT + ROW_BITS;
  private static final int SLAB_SHIFT = OFFSET_SHIFT + OFFSET_BITS;

  private RunPrefetch() {}

  /** Those of the header alone. */
  public static long ofHeader(long block) {
    int offset = (BlockMemory.offset(block) >>> LINE_SHIFT) & mask(OFFSET_BITS);
    long slab = block >>> Integer.SIZE;
    return (slab << SLAB_SHIFT) | ((long) offset << OFFSET_SHIFT);
  }

  /**
   * Those of a run.
   *
   * @param row bytes from the block's beginning to the row of the run
   * @param others bytes to its first neighbour
   * @param bytes of its neighbours
   */
  public static long of(long block, int row, int others, int bytes) {
    long lines = ofHeader(block);
    if (row >>> ROW_UNIT_SHIFT <= mask(ROW_BITS)) {
      lines |= (long) (row >>> ROW_UNIT_SHIFT) << ROW_SHIFT;
    }
    if (bytes > 0 && others >>> LINE_SHIFT <= mask(OTHERS_BITS)) {
      int last = ((others + bytes - 1) >>> LINE_SHIFT) - (others >>> LINE_SHIFT);
      lines |= (long) (others >>> LINE_SHIFT) << OTHERS_SHIFT;
      lines |= Math.min(last, mask(LENGTH_BITS));
    }
    return lines;
  }

  /** Whether both are of one block. */
  public static boolean sameBlock(long lines, long others) {
    return (lines ^ others) >>> OFFSET_SHIFT == 0;
  }

  /** Reads something in each of the lines; returns it for the caller to keep. */
  public static long fetch(BlockMemory memory, long lines) {
    return fetch(memory, lines, 0, MOST_OTHERS);
  }

  /**
   * Reads as the method above, but of the neighbours the lines around one.
   *
   * @param part of the run that is before that neighbour, from 0 to 1; negative if nobody knows
   */
  static long fetch(BlockMemory memory, long lines, float part) {
    return fetch(memory, lines, part, part < 0 ? MOST_OTHERS : MOST_AROUND);
  }

  private static long fetch(BlockMemory memory, long lines, float part, int most) {
    int others = (int) (lines >>> OTHERS_SHIFT) & mask(OTHERS_BITS);
    int length = length(lines);
    int count = others == 0 ? 0 : Math.min(most, length);
    return fetchRun(memory, lines)
        + memory.fetch(block(lines), others + near(part, length, count), count);
  }

  /**
   * Reads something in the lines of the run, without those of its neighbours; as {@link #fetch}.
   */
  public static long fetchRun(BlockMemory memory, long lines) {
    long block = block(lines);
    return memory.fetch(block, 0, HEADER) + memory.fetch(block, row(lines) >>> LINE_SHIFT, 1);
  }

  private static long block(long lines) {
    long offset = (lines >>> OFFSET_SHIFT) & mask(OFFSET_BITS);
    return ((lines >>> SLAB_SHIFT) << Integer.SIZE) | (offset << LINE_SHIFT);
  }

  /** Bytes from the block's beginning to the row of the run; 0 if that is not known. */
  public static int row(long lines) {
    return ((int) (lines >>> ROW_SHIFT) & mask(ROW_BITS)) << ROW_UNIT_SHIFT;
  }

  /** Lines of the run's neighbours. */
  static int length(long lines) {
    return ((int) lines & mask(LENGTH_BITS)) + 1;
  }

  /** The first of {@code most} lines around a part of {@code length} lines. */
  static int near(float part, int length, int most) {
    return Math.max(0, Math.min((int) (part * length - (most - 1) * 0.5f), length - most));
  }

  private static int mask(int bits) {
    return (1 << bits) - 1;
  }
}
