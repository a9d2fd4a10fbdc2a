package io.bg3.cli;

import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.IndexState;
import io.bg3.core.graph.IndexStatus;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * The property indexes of a store that a command has opened: it creates them, verifies and rebuilds
 * them, and waits for the store's thread that builds them. If the command is ended while it waits,
 * the next opening of the store goes on.
 *
 * <p>Used by one thread.
 */
final class PropertyIndexes {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /**
   * An index as an option names it.
   *
   * @param label null for all vertices
   */
  record Name(String label, String key) {
    /**
     * Reads {@code label.key}, or {@code *.key} for all vertices. The label ends at the first dot.
     *
     * @throws IllegalArgumentException if a part is missing
     */
    static Name of(String text) {
      int dot = text.indexOf('.');
      if (dot < 1 || dot == text.length() - 1) {
        throw new IllegalArgumentException(
            "an index is label.key, or *.key for all vertices: index=" + text);
      }
      String label = text.substring(0, dot);
      return new Name(label.equals("*") ? null : label, text.substring(dot + 1));
    }

    static Name of(IndexStatus index) {
      return new Name(index.label(), index.key());
    }

    @Override
    public String toString() {
      return (label == null ? "*" : label) + "." + key;
    }
  }

  private final GraphStore graph;
  private final PrintWriter out;

  PropertyIndexes(GraphStore graph, PrintWriter out) {
    this.graph = graph;
    this.out = out;
  }

  /**
   * Creates indexes, waits until they are built, and prints each.
   *
   * @return whether all are ready
   */
  boolean create(List<Name> names, boolean unique) {
    for (Name name : names) {
      if (unique) {
        graph.createUniqueIndex(name.label, name.key);
      } else {
        graph.createIndex(name.label, name.key);
      }
    }
    return names.isEmpty() || printed(await(), names);
  }

  /**
   * Verifies all indexes, builds those anew that have a fault, and prints each with its faults.
   *
   * @param progress is told how many things of an index have been looked at so far
   * @return whether all are ready
   */
  boolean verify(LongConsumer progress) {
    List<Name> rebuilt = new ArrayList<>();
    for (IndexStatus index : await()) {
      if (index.state() == IndexState.READY) {
        Name name = Name.of(index);
        List<String> faults = graph.checkIndex(name.label, name.key, progress);
        faults.forEach(out::println);
        if (faults.isEmpty()) {
          out.println("index " + name + ": sound");
        } else {
          out.println("index " + name + ": faults=" + faults.size() + ", building it anew");
          graph.rebuildIndex(name.label, name.key);
          rebuilt.add(name);
        }
      }
    }
    return printed(await(), rebuilt);
  }

  /** Prints those indexes that have a name of these, and all on which work has stopped. */
  private boolean printed(List<IndexStatus> indexes, List<Name> names) {
    boolean ready = true;
    for (IndexStatus index : indexes) {
      if (index.problem() != null) {
        out.println("index " + Name.of(index) + ": " + index.problem());
        ready = false;
      } else if (names.contains(Name.of(index))) {
        out.println("index " + Name.of(index) + ": ready");
      }
    }
    return ready;
  }

  /** Waits until no index is built or removed any more, and returns them. */
  private List<IndexStatus> await() {
    List<IndexStatus> indexes = graph.indexes();
    while (indexes.stream().anyMatch(PropertyIndexes::isUnfinished)) {
      LockSupport.parkNanos(PAUSE_NANOS);
      indexes = graph.indexes();
    }
    return indexes;
  }

  private static boolean isUnfinished(IndexStatus index) {
    return index.state() != IndexState.READY && index.problem() == null;
  }
}
