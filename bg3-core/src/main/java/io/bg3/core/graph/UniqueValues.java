package io.bg3.core.graph;

import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.record.IndexKey;
import io.bg3.core.record.PropertyRecord;
import io.bg3.core.record.VertexId;
import io.bg3.core.record.VertexRecord;
import io.bg3.core.transaction.ByteCursor;
import io.bg3.core.transaction.Transaction;

/**
 * Looks whether a value of a unique index has one vertex, as one transaction sees it (R33).
 *
 * <p>Belongs to one transaction.
 */
final class UniqueValues {
  private final VertexIndexes indexes;
  private final Transaction transaction;

  UniqueValues(VertexIndexes indexes, Transaction transaction) {
    this.indexes = indexes;
    this.transaction = transaction;
  }

  /**
   * Requires that a vertex to which the transaction gives a value is the only one that has it.
   *
   * @param entry of the vertex, buffered by the transaction
   * @throws DuplicateValueException if it is not
   */
  void requireOnly(VertexIndex index, byte[] entry) {
    long vertex = IndexKey.vertexOf(entry);
    requireTold(index, entry);
    IndexKey.Range range = IndexKey.ofValueOf(entry);
    try (ByteCursor cursor = transaction.guardEntries(range.low(), range.high())) {
      while (cursor.next()) {
        long other = IndexKey.vertexOf(cursor.key());
        if (other != vertex) {
          throw twice(index, entry, other);
        }
      }
    }
  }

  /**
   * Requires that a value has one vertex at most.
   *
   * @param entry one that has the value, or had it
   * @throws DuplicateValueException if it has two
   */
  void requireOne(VertexIndex index, byte[] entry) {
    IndexKey.Range range = IndexKey.ofValueOf(entry);
    try (ByteCursor cursor =
        transaction.scan(TreeIds.INDEX_ENTRIES, range.low(), range.high(), ScanOrder.FORWARD)) {
      if (cursor.next()) {
        byte[] first = cursor.key();
        requireTold(index, first);
        if (cursor.next()) {
          throw twice(index, cursor.key(), IndexKey.vertexOf(first));
        }
      }
    }
  }

  private void requireTold(VertexIndex index, byte[] entry) {
    if (IndexKey.isUntold(entry)) {
      PropertyRecord property = property(index, entry);
      String kind =
          property == null || property.isLarge()
              ? "of more than 1,024 bytes"
              : property.value().getClass().getSimpleName();
      throw DuplicateValueException.untold(
          indexes.describe(index), kind, id(IndexKey.vertexOf(entry)));
    }
  }

  private DuplicateValueException twice(VertexIndex index, byte[] entry, long other) {
    PropertyRecord property = property(index, entry);
    return DuplicateValueException.twice(
        indexes.describe(index),
        property == null ? null : property.value(),
        id(IndexKey.vertexOf(entry)),
        transaction.isUpdate() && VertexId.isReserved(other) ? null : id(other));
  }

  private PropertyRecord property(VertexIndex index, byte[] entry) {
    byte[] record = transaction.get(TreeIds.VERTICES, GraphKeys.vertex(IndexKey.vertexOf(entry)));
    return record == null ? null : index.propertyOf(entry, VertexRecord.decode(record));
  }

  /** The id by which the user knows a vertex. */
  private Object id(long vertex) {
    return VertexId.isReserved(vertex) ? new ExternalIds().of(transaction, vertex) : vertex;
  }
}
