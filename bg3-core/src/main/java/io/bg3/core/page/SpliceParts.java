package io.bg3.core.page;

import io.bg3.core.entry.EdgeEntries;
import java.util.Arrays;

/** The parts of a splice's result: stretches of entries kept and of entries added. */
final class SpliceParts {
  int count;
  int[] from = new int[32];
  int[] to = new int[32];

  /** Whether the entries are the source's; else they were added. */
  boolean[] kept = new boolean[32];

  void add(boolean isKept, int first, int end) {
    if (count == from.length) {
      from = Arrays.copyOf(from, 2 * count);
      to = Arrays.copyOf(to, 2 * count);
      kept = Arrays.copyOf(kept, 2 * count);
    }
    from[count] = first;
    to[count] = end;
    kept[count] = isKept;
    count++;
  }

  /** The key of an entry of the result. */
  byte[] key(int i, EdgeLeaf source, EdgeEntries added) {
    int left = i;
    int part = 0;
    while (left >= to[part] - from[part]) {
      left -= to[part] - from[part];
      part++;
    }
    return kept[part] ? source.key(from[part] + left) : added.key(from[part] + left);
  }
}
