package io.bg3.core.tree;

/**
 * Puts indexes into the order of their keys, as unsigned numbers, those with the same key as they
 * stand. Arrays of numbers take no object for each index. Belongs to one thread.
 */
public final class PlaceOrder {
  private long[] keys;
  private int[] indexes;
  private long[] mergedKeys;
  private int[] merged;

  private PlaceOrder(long[] keys, int... indexes) {
    this.keys = keys;
    this.indexes = indexes;
    this.mergedKeys = new long[keys.length];
    this.merged = new int[keys.length];
  }

  /**
   * Sorts indexes.
   *
   * @param keys by place, not by index; overwritten
   * @param indexes overwritten
   * @return the indexes in the order of their keys
   */
  public static int[] sorted(long[] keys, int... indexes) {
    return new PlaceOrder(keys, indexes).sorted();
  }

  private int[] sorted() {
    int count = keys.length;
    for (long width = 1; width < count; width *= 2) {
      for (long from = 0; from < count; from += 2 * width) {
        merge(
            (int) from,
            (int) Math.min(from + width, count),
            (int) Math.min(from + 2 * width, count));
      }
      long[] otherKeys = keys;
      int[] others = indexes;
      keys = mergedKeys;
      indexes = merged;
      mergedKeys = otherKeys;
      merged = others;
    }
    return indexes;
  }

  private void merge(int from, int middle, int end) {
    int left = from;
    int right = middle;
    for (int i = from; i < end; i++) {
      boolean isLeft =
          right == end || (left < middle && Long.compareUnsigned(keys[left], keys[right]) <= 0);
      int next = isLeft ? left++ : right++;
      mergedKeys[i] = keys[next];
      merged[i] = indexes[next];
    }
  }
}
