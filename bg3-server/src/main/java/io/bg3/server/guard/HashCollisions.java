package io.bg3.server.guard;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Detects collections whose hash codes collide. A hash table of the JDK compares a key with every
 * other key of equal hash code, unless their class is {@link Comparable}, which lists are not. A
 * client that sends many lists with equal hash codes therefore makes one call take quadratic time,
 * without a check for interrupts.
 *
 * <p>The rule: inserting a collection into a table takes at most {@value #EACH} comparisons per
 * element. Ordinary data takes less than one.
 *
 * <p>Threads: any.
 */
final class HashCollisions {
  /** The most comparisons per element, on average. */
  private static final int EACH = 32;

  /** Collections up to this size pass without a check. */
  private static final int SMALL = 2 * EACH;

  /** The most keys of equal hash code that pass without counting comparisons. */
  private static final int FEW = 8;

  private HashCollisions() {}

  /** Whether the cost of a hash table of these elements is linear in their number. */
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
   * Counts the comparisons that inserting the elements takes, and stops at the limit. Equal
   * elements are no collision.
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
