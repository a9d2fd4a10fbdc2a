package io.bg3.core.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Shorthands of the tests of indexes. */
public final class Indexes {
  private Indexes() {}

  /** Waits until no index is building or dropping; throws if the work on one has stopped. */
  public static void await(GraphStore graph) throws InterruptedException {
    for (List<IndexStatus> all = graph.indexes(); !isFinished(all); all = graph.indexes()) {
      Thread.sleep(1);
    }
  }

  private static boolean isFinished(List<IndexStatus> indexes) {
    for (IndexStatus index : indexes) {
      if (index.problem() != null) {
        throw new AssertionError(index.toString());
      }
      if (index.state() != IndexState.READY) {
        return false;
      }
    }
    return true;
  }

  /** The vertices that an index names for some values; null if none answers. */
  static List<Long> find(GraphTransaction graph, String key, Object... values) {
    return find(graph, key, Sought.anyOf(Arrays.asList(values)));
  }

  /** The vertices that an index names for what is sought; null if none answers. */
  static List<Long> find(GraphTransaction graph, String key, Sought sought) {
    try (VertexLookup lookup = graph.lookUp(key, sought)) {
      List<Long> found = lookup == null ? null : new ArrayList<>();
      while (lookup != null && lookup.next()) {
        found.add(lookup.vertex());
      }
      return found;
    }
  }
}
