package io.bg3.gremlin.batch;

import io.bg3.batch.BatchProperties;
import io.bg3.batch.PriorState;
import io.bg3.core.graph.Cardinality;
import io.bg3.core.graph.DenseVertexIds;
import io.bg3.core.graph.EdgeLabel;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.GraphUpdates;
import io.bg3.core.record.LinkState;
import io.bg3.core.record.PropertyBytes;
import io.bg3.core.record.VertexId;
import java.util.function.Function;

/**
 * The operations that write, each a commit of its own that is not waited for. They return what is
 * answered: a {@link LinkState} as a number, an id, or 0 and 1 for no and yes.
 */
final class BatchWrites {
  private final GraphStore store;
  private final GraphUpdates updates;
  private final Function<GraphStore, DenseVertexIds> ids;
  private final Runnable between;
  private final PropertyBytes bytes = new PropertyBytes();

  /**
   * Operations on a store.
   *
   * @param between called now and then by an operation that takes long; what it throws ends the
   *     operation, of which nothing is done then
   */
  BatchWrites(
      GraphStore store,
      GraphUpdates updates,
      Function<GraphStore, DenseVertexIds> ids,
      Runnable between) {
    this.store = store;
    this.updates = updates;
    this.ids = ids;
    this.between = between;
  }

  long addLink(
      String name,
      long source,
      long target,
      long sortKey,
      boolean visible,
      BatchProperties properties) {
    EdgeLabel label = BatchLabels.declared(store, name);
    bytes.clear();
    for (int i = 0; i < properties.count(); i++) {
      int key = store.makePropertyKey(properties.key(i));
      Object value = properties.value(i);
      if (value instanceof Integer number) {
        bytes.putInt(key, number);
      } else if (value instanceof byte[] content) {
        bytes.putBytes(key, content);
      } else {
        bytes.put(key, value);
      }
    }
    return number(
        updates.update(
            owners(label, source, target),
            transaction ->
                transaction.links().put(label, source, target, sortKey, visible, bytes)));
  }

  long deleteLink(String name, long source, long target, boolean expunge) {
    EdgeLabel label = store.declaredEdgeLabel(name);
    if (label == null) {
      return number(LinkState.ABSENT);
    }
    return number(
        updates.update(
            owners(label, source, target),
            transaction ->
                expunge
                    ? transaction.links().expunge(label, source, target)
                    : transaction.links().hide(label, source, target)));
  }

  long addNode(String label, BatchProperties properties) {
    long id = ids.apply(store).take(1);
    updates.update(
        new long[] {id},
        transaction -> {
          transaction.addVertex(id, label);
          set(transaction, id, properties);
          return null;
        });
    return id;
  }

  long updateNode(String label, long id, BatchProperties properties) {
    return ifThere(label, id, transaction -> set(transaction, id, properties));
  }

  long deleteNode(String label, long id) {
    ids.apply(store).removing(vertex(id));
    return ifThere(
        label,
        id,
        transaction -> {
          transaction.removeVertex(id, between);
          return null;
        });
  }

  private long ifThere(String label, long id, Function<GraphTransaction, Void> work) {
    return updates.update(
        new long[] {vertex(id)},
        transaction -> {
          if (BatchLabels.vertex(store, transaction, label, id) == null) {
            return 0L;
          }
          work.apply(transaction);
          return 1L;
        });
  }

  private static Void set(GraphTransaction transaction, long id, BatchProperties properties) {
    for (int i = 0; i < properties.count(); i++) {
      transaction.setProperty(id, Cardinality.SINGLE, properties.key(i), properties.value(i), null);
    }
    return null;
  }

  private static long number(LinkState state) {
    PriorState prior =
        switch (state) {
          case ABSENT -> PriorState.ABSENT;
          case HIDDEN -> PriorState.HIDDEN;
          case VISIBLE -> PriorState.VISIBLE;
        };
    return prior.number();
  }

  /** Those under whose locks a link between two vertices is changed, which both have to be some. */
  private static long[] owners(EdgeLabel label, long source, long target) {
    vertex(source);
    vertex(target);
    return BatchLabels.owners(label, source, target);
  }

  /** The id of a vertex that has a number for an id. */
  static long vertex(long id) {
    if (VertexId.isReserved(id)) {
      throw new IllegalArgumentException(
          "a vertex has no such number for an id: id=" + id + ", least=" + VertexId.RESERVED_END);
    }
    return id;
  }
}
