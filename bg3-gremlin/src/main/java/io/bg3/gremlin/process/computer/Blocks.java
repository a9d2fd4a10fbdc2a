package io.bg3.gremlin.process.computer;

/**
 * How the numbers of vertices are divided into blocks of equal size, a power of two. A block is
 * what a worker takes at a time.
 *
 * @param count of vertices
 * @param shift the binary logarithm of the size of a block
 */
record Blocks(int count, int shift) {
  private static final int LEAST_SHIFT = 4;
  private static final int MOST_SHIFT = 16;

  /** Blocks that a worker gets, so that those which are done early take over from others. */
  private static final int A_WORKER = 8;

  /** Blocks of {@code count} vertices for so many workers. */
  static Blocks of(int count, int workers) {
    int shift = MOST_SHIFT;
    while (shift > LEAST_SHIFT && count >> shift < (long) A_WORKER * workers) {
      shift--;
    }
    return new Blocks(count, shift);
  }

  /** The number of blocks. */
  int blocks() {
    return (int) (((long) count + size() - 1) >> shift);
  }

  /** The vertices of a block; the last one may have fewer. */
  int size() {
    return 1 << shift;
  }

  /** The block of a vertex. */
  int block(int number) {
    return number >> shift;
  }

  /** The place of a vertex in its block. */
  int place(int number) {
    return number & (size() - 1);
  }

  /** The first vertex of a block. */
  int first(int block) {
    return block << shift;
  }

  /** The number behind the last vertex of a block. */
  int end(int block) {
    return (int) Math.min(count, (long) first(block) + size());
  }
}
