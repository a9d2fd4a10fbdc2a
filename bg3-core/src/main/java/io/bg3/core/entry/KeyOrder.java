package io.bg3.core.entry;

import java.util.Arrays;

/**
 * Sorts entries by key, by merging the stretches that ascend already: those of many commits one
 * after the other are such stretches.
 */
final class KeyOrder {
  private final Entries entries;
  private int[] from;
  private int[] to;

  /** The ends of the ascending stretches of {@code from}. */
  private int[] ends = new int[16];

  private int stretches;

  private KeyOrder(Entries entries) {
    this.entries = entries;
    this.from = new int[entries.count()];
    this.to = new int[entries.count()];
  }

  /** The indexes of the entries in the order of their keys; those of one key as they stand. */
  static int[] of(Entries entries) {
    KeyOrder order = new KeyOrder(entries);
    order.findStretches();
    while (order.stretches > 1) {
      order.mergePairs();
    }
    return order.from;
  }

  private void findStretches() {
    int count = entries.count();
    for (int i = 0; i < count; i++) {
      from[i] = i;
      if (i + 1 == count || entries.compareKeys(i, entries, i + 1) > 0) {
        if (stretches == ends.length) {
          ends = Arrays.copyOf(ends, 2 * stretches);
        }
        ends[stretches++] = i + 1;
      }
    }
  }

  private void mergePairs() {
    int merged = 0;
    int start = 0;
    for (int i = 0; i < stretches; i += 2) {
      int end = ends[Math.min(i + 1, stretches - 1)];
      merge(start, ends[i], end);
      ends[merged++] = end;
      start = end;
    }
    stretches = merged;
    int[] free = from;
    from = to;
    to = free;
  }

  private void merge(int start, int middle, int end) {
    int left = start;
    int right = middle;
    int next = start;
    while (left < middle && right < end) {
      boolean takeLeft = entries.compareKeys(from[left], entries, from[right]) <= 0;
      to[next++] = takeLeft ? from[left++] : from[right++];
    }
    System.arraycopy(from, left, to, next, middle - left);
    System.arraycopy(from, right, to, next + middle - left, end - right);
  }
}
