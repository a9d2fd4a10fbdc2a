package io.bg3.bench;

/**
 * The memory of a store, and how it reads.
 *
 * @param percent memory in percent of the bytes of keys and values; 0 if it holds everything
 * @param direct whether the store reads past the system's cache
 */
record ValuePlace(int percent, boolean direct) {
  private static final String ALL = "all";
  private static final String ALL_DIRECT = "all-direct";
  private static final long LEAST = 8L << 20;
  private static final int WHOLE = 100;

  /** A leaf that is not full, keys with it, and the log. */
  private static final int TIMES_DATA = 3;

  private static final long BESIDE_DATA = 256L << 20;

  /**
   * Reads a place as the command line has it: {@code all}, {@code all-direct}, or a number.
   *
   * @throws IllegalArgumentException if it is none of these, or no number from 1 to 100
   */
  static ValuePlace of(String text) {
    if (text.equals(ALL) || text.equals(ALL_DIRECT)) {
      return new ValuePlace(0, text.equals(ALL_DIRECT));
    }
    if (!text.matches("[0-9]{1,3}")
        || Integer.parseInt(text) < 1
        || Integer.parseInt(text) > WHOLE) {
      throw new IllegalArgumentException(
          "memory is all, all-direct, or 1 to 100 percent: memory=" + text);
    }
    return new ValuePlace(Integer.parseInt(text), true);
  }

  /** Whether everything stays in memory that has been read. */
  boolean holdsAll() {
    return percent == 0;
  }

  /** Bytes of memory for a graph with so many bytes of keys and values. */
  long memory(long data) {
    return holdsAll() ? all(data) : Math.max(LEAST, data * percent / WHOLE);
  }

  /** Bytes of memory that hold a graph with so many bytes of keys and values. */
  static long all(long data) {
    return BESIDE_DATA + TIMES_DATA * data;
  }

  @Override
  public String toString() {
    return "memory for "
        + (holdsAll() ? ALL : percent + " %")
        + (direct ? ", direct I/O" : ", buffered I/O");
  }
}
