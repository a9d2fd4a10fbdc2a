package io.bg3.core.graph;

import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.record.IndexKey;
import io.bg3.core.record.VertexId;
import io.bg3.core.record.VertexRecord;
import io.bg3.core.transaction.ByteCursor;
import io.bg3.core.transaction.Transaction;
import java.util.Arrays;

/**
 * Looks whether a value of a unique index has one element, as one transaction sees it (R33).
 *
 * <p>Belongs to one transaction.
 */
final class UniqueValues {
  private final GraphIndexes indexes;
  private final Transaction transaction;

  UniqueValues(GraphIndexes indexes, Transaction transaction) {
    this.indexes = indexes;
    this.transaction = transaction;
  }

  /**
   * Requires that an element to which the transaction gives a value is the only one that has it.
   *
   * @param entry of the element, buffered by the transaction
   * @throws DuplicateValueException if it is not
   */
  void requireOnly(GraphIndex index, byte[] entry) {
    byte[] element = IndexKey.elementOf(entry, index.elementBytes());
    requireTold(index, entry);
    IndexKey.Range range = IndexKey.ofValueOf(entry, index.elementBytes());
    try (ByteCursor cursor = transaction.guardEntries(range.low(), range.high())) {
      while (cursor.next()) {
        byte[] other = IndexKey.elementOf(cursor.key(), index.elementBytes());
        if (!Arrays.equals(other, element)) {
          throw twice(index, entry, other);
        }
      }
    }
  }

  /**
   * Requires that a value has one element at most.
   *
   * @param entry one that has the value, or had it
   * @throws DuplicateValueException if it has two
   */
  void requireOne(GraphIndex index, byte[] entry) {
    IndexKey.Range range = IndexKey.ofValueOf(entry, index.elementBytes());
    try (ByteCursor cursor =
        transaction.scan(TreeIds.INDEX_ENTRIES, range.low(), range.high(), ScanOrder.FORWARD)) {
      if (cursor.next()) {
        byte[] first = cursor.key();
        requireTold(index, first);
        if (cursor.next()) {
          throw twice(index, cursor.key(), IndexKey.elementOf(first, index.elementBytes()));
        }
      }
    }
  }

  private void requireTold(GraphIndex index, byte[] entry) {
    if (IndexKey.isUntold(entry)) {
      Object element = id(index, IndexKey.elementOf(entry, index.elementBytes()), true);
      if (index.keys().size() > 1) {
        throw DuplicateValueException.untold(index.kind(), indexes.describe(index), element);
      }
      Object value = value(index, entry);
      String kind =
          value == null || index.isOfEdges()
              ? "of more than 1,024 bytes, or of another kind"
              : value.getClass().getSimpleName();
      throw DuplicateValueException.untold(index.kind(), indexes.describe(index), kind, element);
    }
  }

  private DuplicateValueException twice(GraphIndex index, byte[] entry, byte[] other) {
    return DuplicateValueException.twice(
        index.kind(),
        indexes.describe(index),
        value(index, entry),
        id(index, IndexKey.elementOf(entry, index.elementBytes()), true),
        id(index, other, false));
  }

  private Object value(GraphIndex index, byte[] entry) {
    if (index.isOfEdges()) {
      EdgeId edge = GraphKeys.edgeOf(IndexKey.elementOf(entry, GraphKeys.EDGE_BYTES));
      EdgeRecord record = indexes.edges(transaction).record(edge);
      return record == null ? null : index.valueOf(entry, edge, record);
    }
    byte[] record = transaction.get(TreeIds.VERTICES, GraphKeys.vertex(IndexKey.vertexOf(entry)));
    return record == null ? null : index.valueOf(entry, VertexRecord.decode(record));
  }

  /**
   * The id by which the user knows an element: of an edge the one that it has without one from the
   * user. Null if an update has not the locks to read it.
   *
   * @param isOwn whether the transaction has changed the element
   */
  private Object id(GraphIndex index, byte[] element, boolean isOwn) {
    if (index.isOfEdges()) {
      return GraphKeys.edgeOf(element);
    }
    long vertex = GraphKeys.vertexOf(element);
    if (!VertexId.isReserved(vertex)) {
      return vertex;
    }
    return transaction.isUpdate() && !isOwn ? null : new ExternalIds().of(transaction, vertex);
  }
}
