package io.bg3.core.entry;

import java.util.Arrays;

/**
 * Sorts indexes by columns of numbers: a radix sort, which begins with the column that counts least
 * and never compares two entries. Entries with equal numbers keep their order.
 *
 * <p>Bits in which all numbers of a column agree cost nothing. The memory that it takes grows with
 * the number of entries and not with that of columns. Belongs to one thread.
 */
final class ColumnOrder {
  /** Below so many entries, counting the digits takes longer than {@link KeyOrder} does. */
  static final int FEWEST = 1 << 10;

  private static final int BITS = 11;
  private static final int DIGITS = 1 << BITS;

  private final int count;
  private final int[] starts = new int[DIGITS];
  private final long[] numbers;
  private int[] from;
  private int[] to;

  /** The indexes from 0 up to {@code count}, in this order. */
  ColumnOrder(int count) {
    this.count = count;
    this.numbers = new long[count];
    this.from = new int[count];
    this.to = new int[count];
    for (int i = 0; i < count; i++) {
      from[i] = i;
    }
  }

  /** Sorts by a column of signed numbers; what was sorted by before decides between equals. */
  void bySigned(long[] column) {
    for (int i = 0; i < count; i++) {
      numbers[i] = column[i] ^ Long.MIN_VALUE;
    }
    sort();
  }

  /** Sorts by a column of unsigned numbers; what was sorted by before decides between equals. */
  void byUnsigned(int[] column) {
    for (int i = 0; i < count; i++) {
      numbers[i] = Integer.toUnsignedLong(column[i]);
    }
    sort();
  }

  /** The indexes as they are sorted now. */
  int[] indexes() {
    return from;
  }

  private void sort() {
    long differing = 0;
    for (int i = 1; i < count; i++) {
      differing |= numbers[i] ^ numbers[0];
    }
    int shift = 0;
    while (shift < Long.SIZE && differing >>> shift != 0) {
      shift += Long.numberOfTrailingZeros(differing >>> shift);
      distribute(shift);
      shift += BITS;
    }
  }

  /** Sorts by the digit that begins at a bit. */
  private void distribute(int shift) {
    Arrays.fill(starts, 0);
    for (int i = 0; i < count; i++) {
      starts[digit(numbers[i], shift)]++;
    }
    int start = 0;
    for (int digit = 0; digit < DIGITS; digit++) {
      int length = starts[digit];
      starts[digit] = start;
      start += length;
    }
    for (int i = 0; i < count; i++) {
      int index = from[i];
      to[starts[digit(numbers[index], shift)]++] = index;
    }
    int[] free = from;
    from = to;
    to = free;
  }

  private static int digit(long number, int shift) {
    return (int) (number >>> shift) & (DIGITS - 1);
  }
}
