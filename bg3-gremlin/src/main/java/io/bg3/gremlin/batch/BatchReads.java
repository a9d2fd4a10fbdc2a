package io.bg3.gremlin.batch;

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
  /** Links from one look whether somebody still waits to the next. */
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

  void links(String name, long source, long[] targets, BatchAnswer answer) {
    BatchWrites.vertex(source);
    EdgeLabel label = store.declaredEdgeLabel(name);
    int at = answer.length();
    int count = 0;
    answer.i32(0);
    if (label != null) {
      for (int i = 0; i < targets.length; i++) {
        if (i % LOOK == 0) {
          between.run();
        }
        Link link = transaction.links().get(label, source, BatchWrites.vertex(targets[i]));
        if (link != null) {
          put(link, answer);
          count++;
        }
      }
    }
    answer.i32At(at, count);
  }

  void list(
      String name,
      long source,
      long low,
      long high,
      SortOrder order,
      int offset,
      int limit,
      BatchAnswer answer) {
    BatchWrites.vertex(source);
    Links.requireRange(offset, limit);
    EdgeLabel label = store.declaredEdgeLabel(name);
    int at = answer.length();
    int count = 0;
    answer.i32(0);
    if (label != null) {
      int most = (int) Math.min(Integer.MAX_VALUE, (long) offset + limit);
      try (LinkScan scan = transaction.links().list(label, source, low, high, order, 0, most)) {
        for (int seen = 1; scan.next(); seen++) {
          if (seen > offset) {
            put(scan.link(), answer);
            count++;
          }
          if (seen % LOOK == 0) {
            between.run(); // what is left out takes time too
          }
        }
      }
    }
    answer.i32At(at, count);
  }

  void count(String name, long source, BatchAnswer answer) {
    EdgeLabel label = store.declaredEdgeLabel(name);
    answer.i64(label == null ? 0 : transaction.links().count(label, BatchWrites.vertex(source)));
  }

  void node(String label, long id, BatchAnswer answer) {
    VertexRecord vertex = BatchLabels.vertex(store, transaction, label, BatchWrites.vertex(id));
    if (vertex == null) {
      answer.u8(0);
      return;
    }
    answer.u8(1);
    int at = answer.length();
    int count = 0;
    answer.u16(0);
    for (PropertyRecord property : vertex.properties()) {
      if (property(property.key(), answer)) {
        answer.value(transaction.value(id, property));
        count++;
      }
    }
    answer.u16At(at, count);
  }

  private void put(Link link, BatchAnswer answer) {
    answer.i64(link.target()).i64(link.sortKey()).u8(link.isVisible() ? 1 : 0);
    int at = answer.length();
    answer.u16(0);
    int[] count = new int[1];
    link.properties()
        .each(
            (value, key) -> {
              if (property(key, answer)) {
                answer.value(value);
                count[0]++;
              }
            });
    answer.u16At(at, count[0]);
  }

  /** Whether a property is shown; then its number has been put. */
  private boolean property(int key, BatchAnswer answer) {
    int at = Arrays.binarySearch(keys, (long) key << Integer.SIZE);
    int first = at < 0 ? ~at : at;
    if (first == keys.length || code(keys[first]) != key) {
      return false;
    }
    answer.u16((int) keys[first]);
    return true;
  }

  private static int code(long key) {
    return (int) (key >>> Integer.SIZE);
  }
}
