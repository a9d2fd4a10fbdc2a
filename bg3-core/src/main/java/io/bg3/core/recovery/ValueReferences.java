package io.bg3.core.recovery;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which VALUE records the images of the last checkpoint refer to, by page: a value is wanted while
 * an image that a checkpoint names refers to it (protocol rule 7).
 *
 * <p>A split moves a reference from one page to another in one checkpoint, so references are
 * counted by location.
 *
 * <p>Threads: the checkpoint's, and opening.
 */
final class ValueReferences {
  private static final long[] NONE = new long[0];

  private final Map<Integer, long[]> byPage = new HashMap<>();
  private final Map<Long, Integer> counts = new HashMap<>();

  /**
   * Locations that lost a reference since {@link #takeUnreferenced}; some may have gained another
   * since.
   */
  private final Set<Long> suspects = new HashSet<>();

  /** Says what the newest image of a page refers to. */
  void replace(int page, long[] locations) {
    for (long location : locations) {
      counts.merge(location, 1, Integer::sum);
    }
    long[] old = locations.length == 0 ? byPage.remove(page) : byPage.put(page, locations);
    for (long location : old == null ? NONE : old) {
      counts.computeIfPresent(location, (l, count) -> count == 1 ? null : count - 1);
      suspects.add(location);
    }
  }

  /**
   * Says that a value was written to a page before the checkpoint noted it; it may have been
   * overwritten since.
   */
  void written(long location) {
    suspects.add(location);
  }

  /** The values that nobody wants any more, each once. */
  List<Long> takeUnreferenced() {
    List<Long> unreferenced = new ArrayList<>();
    for (long location : suspects) {
      if (!counts.containsKey(location)) {
        unreferenced.add(location);
      }
    }
    suspects.clear();
    return unreferenced;
  }

  /** All values that are referred to. */
  Set<Long> all() {
    return counts.keySet();
  }
}
