package io.bg3.cli;

import io.bg3.core.graph.ElementKind;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.IndexState;
import io.bg3.core.graph.IndexStatus;
import io.bg3.core.graph.IndexedKeys;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * The property indexes of a store that a command has opened: it verifies and rebuilds them, and
 * waits for the store's thread that builds them. If the command is ended while it waits, the next
 * opening of the store goes on.
 *
 * <p>Used by one thread.
 */
final class PropertyIndexes {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final GraphStore graph;
  private final PrintWriter out;

  PropertyIndexes(GraphStore graph, PrintWriter out) {
    this.graph = graph;
    this.out = out;
  }

  /**
   * Reads the name of an index: {@code label.key}, {@code *.key} for all vertices, {@code
   * label.key+key} for several keys, and the same behind {@code edge:} for edges. The label ends at
   * the first dot.
   *
   * @throws IllegalArgumentException if a part is missing, or a key comes twice
   */
  static IndexedKeys parse(String name) {
    boolean isOfEdges = name.startsWith(IndexedKeys.EDGES);
    String text = isOfEdges ? name.substring(IndexedKeys.EDGES.length()) : name;
    int dot = text.indexOf('.');
    List<String> keys = Arrays.asList(text.substring(dot + 1).split("\\+", -1));
    if (dot < 1 || keys.contains("")) {
      throw new IllegalArgumentException(
          "an index is label.key, label.key+key for several keys, *.key for all vertices, or one"
              + " of these behind 'edge:' for edges: index="
              + name);
    }
    String label = text.substring(0, dot);
    ElementKind kind = isOfEdges ? ElementKind.EDGE : ElementKind.VERTEX;
    return new IndexedKeys(kind, label.equals("*") ? null : label, keys);
  }

  /**
   * Verifies all indexes, builds those anew that have a fault, and prints each with its faults.
   *
   * @param progress is told how many things of an index have been looked at so far
   * @return whether all are ready
   */
  boolean verify(LongConsumer progress) {
    List<IndexedKeys> rebuilt = new ArrayList<>();
    for (IndexStatus index : await()) {
      if (index.state() == IndexState.READY) {
        IndexedKeys name = index.of();
        List<String> faults = graph.checkIndex(name, progress);
        faults.forEach(out::println);
        if (faults.isEmpty()) {
          out.println("index " + name + ": sound");
        } else {
          out.println("index " + name + ": faults=" + faults.size() + ", building it anew");
          graph.rebuildIndex(name);
          rebuilt.add(name);
        }
      }
    }
    return printed(await(), rebuilt);
  }

  /** Prints those indexes that have a name of these, and all on which work has stopped. */
  private boolean printed(List<IndexStatus> indexes, List<IndexedKeys> names) {
    boolean ready = true;
    for (IndexStatus index : indexes) {
      if (index.problem() != null) {
        out.println("index " + index.of() + ": " + index.problem());
        ready = false;
      } else if (names.contains(index.of())) {
        out.println("index " + index.of() + ": ready");
      }
    }
    return ready;
  }

  /** Waits until no index is built or removed any more, and returns them. */
  private List<IndexStatus> await() {
    List<IndexStatus> indexes = graph.indexes();
    while (indexes.stream().anyMatch(IndexStatus::isWorking)) {
      LockSupport.parkNanos(PAUSE_NANOS);
      indexes = graph.indexes();
    }
    return indexes;
  }
}
