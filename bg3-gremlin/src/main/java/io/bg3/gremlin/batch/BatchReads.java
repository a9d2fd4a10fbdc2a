package io.bg3.gremlin.batch;

import io.bg3.batch.ResponseEncoder;
import io.bg3.core.graph.EdgeLabel;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.Link;
import io.bg3.core.graph.LinkScan;
import io.bg3.core.graph.Links;
import io.bg3.core.graph.SortOrder;
import io.bg3.core.record.PropertyRecord;
import io.bg3.core.record.VertexRecord;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The operations that read, in one snapshot. Of properties they show those whose keys are among the
 * texts of the message, by their numbers.
 */
final class BatchReads {
  /** Links between two checks whether a client still waits. */
  private static final int LOOK = 64;

  private final GraphStore store;
  private final GraphTransaction transaction;
  private final long[] keys; // in order: the code of a property key, and the number of its text
  private final Runnable between;

  BatchReads(GraphStore store, GraphTransaction transaction, String[] texts, Runnable between) {
    this.store = store;
    this.transaction = transaction;
    this.keys =
        IntStream.range(0, texts.length)
            .mapToLong(i -> (long) store.findPropertyKey(texts[i]) << Integer.SIZE | i)
            .filter(key -> code(key) != 0)
            .sorted()
            .toArray();
    this.between = between;
  }

  void links(String name, long source, long[] targets, ResponseEncoder answer) {
    BatchWrites.vertex(source);
    EdgeLabel label = store.declaredEdgeLabel(name);
    answer.beginLinks();
    if (label != null) {
      for (int i = 0; i < targets.length; i++) {
        if (i % LOOK == 0) {
          between.run();
          int end = Math.min(targets.length, i + LOOK);
          transaction.links().prefetch(label, source, Arrays.copyOfRange(targets, i, end));
        }
        Link link = transaction.links().get(label, source, BatchWrites.vertex(targets[i]));
        if (link != null) {
          put(link, answer);
        }
      }
    }
    answer.endLinks();
  }

  void list(
      String name,
      long source,
      long low,
      long high,
      SortOrder order,
      int offset,
      int limit,
      ResponseEncoder answer) {
    BatchWrites.vertex(source);
    Links.requireRange(offset, limit);
    EdgeLabel label = store.declaredEdgeLabel(name);
    answer.beginLinks();
    if (label != null) {
      int most = (int) Math.min(Integer.MAX_VALUE, (long) offset + limit);
      try (LinkScan scan = transaction.links().list(label, source, low, high, order, 0, most)) {
        for (int seen = 1; scan.next(); seen++) {
          if (seen > offset) {
            put(scan.link(), answer);
          }
          if (seen % LOOK == 0) {
            between.run(); // what is left out takes time too
          }
        }
      }
    }
    answer.endLinks();
  }

  void count(String name, long source, ResponseEncoder answer) {
    EdgeLabel label = store.declaredEdgeLabel(name);
    answer.number(label == null ? 0 : transaction.links().count(label, BatchWrites.vertex(source)));
  }

  void node(String label, long id, ResponseEncoder answer) {
    VertexRecord vertex = BatchLabels.vertex(store, transaction, label, BatchWrites.vertex(id));
    answer.node(vertex != null);
    if (vertex != null) {
      for (PropertyRecord property : vertex.properties()) {
        int text = text(property.key());
        if (text >= 0) {
          answer.property(text, transaction.value(id, property));
        }
      }
      answer.endProperties();
    }
  }

  private void put(Link link, ResponseEncoder answer) {
    answer.link(link.target(), link.sortKey(), link.isVisible());
    link.properties()
        .each(
            (value, key) -> {
              int text = text(key);
              if (text >= 0) {
                answer.property(text, value);
              }
            });
    answer.endProperties();
  }

  /** The number of the first text that is a property's key; negative if none is. */
  private int text(int key) {
    int at = Arrays.binarySearch(keys, (long) key << Integer.SIZE);
    int first = at < 0 ? ~at : at;
    return first == keys.length || code(keys[first]) != key ? -1 : (int) keys[first];
  }

  private static int code(long key) {
    return (int) (key >>> Integer.SIZE);
  }
}
