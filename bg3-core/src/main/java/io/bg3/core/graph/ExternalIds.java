package io.bg3.core.graph;

import io.bg3.core.forest.TreeIds;
import io.bg3.core.record.VertexId;
import io.bg3.core.transaction.Transaction;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The UUID or String that stands behind an internal id of the reserved range. An internal id is
 * given to one id and never to another, also not after the vertex is gone or its transaction was
 * rolled back; that is why a cached answer needs no transaction to be true.
 *
 * <p>Threads: any; {@code known} is a concurrent map, and a lost entry only costs a look-up.
 */
final class ExternalIds {
  private static final int LIMIT = 1 << 16;

  private final ConcurrentHashMap<Long, Object> known = new ConcurrentHashMap<>();

  /** The internal id of a canonical UUID or String, null if no vertex has it. */
  static Long find(Transaction transaction, Object id) {
    byte[] value = transaction.get(TreeIds.EXTERNAL_IDS, GraphKeys.externalId(id));
    return value == null ? null : (Long) GraphKeys.vertexOf(value);
  }

  void put(Transaction transaction, Object id, long internal) {
    byte[] key = GraphKeys.externalId(id);
    transaction.put(TreeIds.EXTERNAL_IDS, key, GraphKeys.vertex(internal));
    transaction.put(TreeIds.EXTERNAL_OF, GraphKeys.vertex(internal), key);
    remember(internal, id);
  }

  void remove(Transaction transaction, long internal) {
    Object id = of(transaction, internal);
    transaction.delete(TreeIds.EXTERNAL_IDS, GraphKeys.externalId(id));
    transaction.delete(TreeIds.EXTERNAL_OF, GraphKeys.vertex(internal));
  }

  /**
   * The id behind an internal id.
   *
   * @throws MissingElementException if its vertex has been removed and the id is no longer known
   */
  Object of(Transaction transaction, long internal) {
    Object id = known.get(internal);
    if (id == null) {
      byte[] key = transaction.get(TreeIds.EXTERNAL_OF, GraphKeys.vertex(internal));
      if (key == null) {
        key = transaction.removed(TreeIds.EXTERNAL_OF, GraphKeys.vertex(internal));
      }
      if (key == null) {
        throw new MissingElementException("vertex", "x" + VertexId.reservedNumber(internal));
      }
      id = GraphKeys.externalIdOf(key);
      remember(internal, id);
    }
    return id;
  }

  private void remember(long internal, Object id) {
    if (known.size() >= LIMIT) {
      known.clear();
    }
    known.put(internal, id);
  }
}
