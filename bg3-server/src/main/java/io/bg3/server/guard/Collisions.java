package io.bg3.server.guard;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What equal hashes cost a hash table. Java's tables compare a key with every other key of its hash
 * unless both are of one class that has an order, which lists have not; so a client that sends many
 * lists of one hash makes a table take time by the square of their number, in one call that looks
 * at no interrupt.
 *
 * <p>The rule: putting a collection into a table takes no more comparisons than {@value #EACH} for
 * each of its elements. Those of ordinary data take less than one.
 */
final class Collisions {
  /** Comparisons for each element of a collection. */
  private static final int EACH = 32;

  /** Collections that are too small for their hashes to matter. */
  private static final int SMALL = 2 * EACH;

  /** Keys of one hash that a table keeps in a list. */
  private static final int FEW = 8;

  private Collisions() {}

  /** Whether a hash table can be made of these elements in a time that their number bounds. */
  static boolean areFew(Collection<?> elements) {
    if (elements.size() <= SMALL) {
      return true;
    }
    int[] hashes = new int[elements.size()];
    int count = 0;
    for (Object element : elements) {
      if (count < hashes.length) {
        hashes[count++] = element == null ? 0 : element.hashCode();
      }
    }
    int[] sorted = hashes.clone();
    Arrays.sort(sorted);
    return longestRun(sorted) <= FEW || comparisons(elements, hashes);
  }

  private static int longestRun(int... sorted) {
    int longest = 0;
    int begin = 0;
    for (int i = 0; i < sorted.length; i++) {
      begin = sorted[i] == sorted[begin] ? begin : i;
      longest = Math.max(longest, i - begin + 1);
    }
    return longest;
  }

  /**
   * Does what a table does, as long as it takes few comparisons; equal elements are no collision.
   */
  private static boolean comparisons(Collection<?> elements, int... hashes) {
    Map<Integer, List<Object>> table = new HashMap<>();
    long left = (long) EACH * elements.size();
    int at = 0;
    for (Object element : elements) {
      List<Object> same = table.computeIfAbsent(hashes[at++], hash -> new ArrayList<>(1));
      int place = same.indexOf(element);
      if (place < 0) {
        left -= same.size();
        same.add(element);
      } else {
        left -= place;
      }
      if (left < 0) {
        return false;
      }
    }
    return true;
  }
}
