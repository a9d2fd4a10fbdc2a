package io.bg3.core.graph;

import io.bg3.core.forest.TreeIds;
import io.bg3.storage.format.Varints;
import java.nio.ByteBuffer;
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

  /**
   * Registers an index as an earlier release did: its values are not in order. Nobody else may use
   * the store meanwhile.
   *
   * @param of keys and a label that the store knows
   */
  public static void createOlder(GraphStore graph, IndexedKeys of, boolean unique) {
    byte[] next = GraphIndex.DEFINITIONS;
    graph.retry(
        in -> {
          byte[] before = in.transaction().get(TreeIds.META, next);
          int number = before == null ? 1 : (int) Varints.get(ByteBuffer.wrap(before));
          ByteBuffer after = ByteBuffer.allocate(Varints.MAX_BYTES);
          Varints.put(after, number + 1L);
          in.transaction().put(TreeIds.META, next, Arrays.copyOf(after.array(), after.position()));
          GraphIndex older =
              new GraphIndex(
                  number,
                  of.kind(),
                  of.label() == null ? 0 : graph.dictionary().find(of.kind().labels(), of.label()),
                  of.keys().stream().map(graph::findPropertyKey).toList(),
                  unique,
                  false,
                  IndexState.BUILDING,
                  0);
          in.transaction().put(TreeIds.META, older.definitionKey(), older.encode());
          return null;
        });
    graph.graphIndexes().load();
    graph.graphIndexes().start();
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
