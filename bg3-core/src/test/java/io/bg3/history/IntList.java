package io.bg3.history;

import java.util.Arrays;

/** A growing column of ints. */
final class IntList {
  private int[] items = new int[16];
  private int count;

  void add(int item) {
    if (count == items.length) {
      items = Arrays.copyOf(items, 2 * count);
    }
    items[count++] = item;
  }

  int get(int index) {
    return items[index];
  }

  int count() {
    return count;
  }

  int removeLast() {
    return items[--count];
  }

  void clear() {
    count = 0;
  }

  int[] toArray() {
    return Arrays.copyOf(items, count);
  }
}
