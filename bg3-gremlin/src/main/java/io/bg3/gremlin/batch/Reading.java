package io.bg3.gremlin.batch;

import io.bg3.core.graph.EdgeLabel;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.Link;
import io.bg3.core.graph.LinkScan;
import io.bg3.core.graph.PropertyRecord;
import io.bg3.core.graph.SortOrder;
import io.bg3.core.graph.VertexRecord;
import java.util.Arrays;

/**
 * The operations that read, in one snapshot. Of properties they show those whose keys are among the
 * texts of the message, by their numbers.
 */
final class Reading {
  private static final int LOOK =
      64; // links from one look whether somebody still waits to the next

  private final GraphStore store;
  private final GraphTransaction transaction;
  private final int[] keys; // codes of the texts as property keys, 0 where there is none
  private final Runnable between;

  Reading(GraphStore store, GraphTransaction transaction, String[] texts, Runnable between) {
    this.store = store;
    this.transaction = transaction;
    this.keys = Arrays.stream(texts).mapToInt(store::findPropertyKey).toArray();
    this.between = between;
  }

  void links(String name, long source, long[] targets, Answer answer) {
    Writing.vertex(source);
    EdgeLabel label = store.declaredEdgeLabel(name);
    int at = answer.length();
    int count = 0;
    answer.i32(0);
    if (label != null) {
      for (long target : targets) {
        Link link = transaction.links().get(label, source, Writing.vertex(target));
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
      Answer answer) {
    Writing.vertex(source);
    EdgeLabel label = store.declaredEdgeLabel(name);
    int at = answer.length();
    int count = 0;
    answer.i32(0);
    if (label != null) {
      try (LinkScan scan =
          transaction.links().list(label, source, low, high, order, offset, limit)) {
        while (scan.next()) {
          put(scan.link(), answer);
          count++;
          if (count % LOOK == 0) {
            between.run();
          }
        }
      }
    }
    answer.i32At(at, count);
  }

  void count(String name, long source, Answer answer) {
    EdgeLabel label = store.declaredEdgeLabel(name);
    answer.i64(label == null ? 0 : transaction.links().count(label, Writing.vertex(source)));
  }

  void node(String label, long id, Answer answer) {
    VertexRecord vertex = found(store, transaction, label, Writing.vertex(id));
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

  private void put(Link link, Answer answer) {
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
  private boolean property(int key, Answer answer) {
    for (int i = 0; i < keys.length; i++) {
      if (keys[i] == key) {
        answer.u16(i);
        return true;
      }
    }
    return false;
  }

  /** The record of a vertex; null if it does not exist or has another label. */
  static VertexRecord found(GraphStore store, GraphTransaction transaction, String label, long id) {
    VertexRecord vertex = transaction.vertex(id);
    return vertex != null && store.vertexLabel(vertex.label(0)).equals(label) ? vertex : null;
  }
}
