package io.bg3.core.graph;

import io.bg3.core.record.EdgeRecord;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The bytes that a load sorts for an edge under its source, beside the key.
 *
 * <pre>
 *   …    record     without the sort key, if the label is ordered
 *   i64  place      where the caller has the edge from; only if the record has a user's id
 *   i64  sort key   only if the label is ordered
 * </pre>
 *
 * @param record as in the entries of edges
 * @param id that the user gave, null if there is none
 * @param place 0 without an id
 * @param sortKey 0 if the label is not ordered
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record LoadedEdge(byte[] record, Object id, long place, long sortKey) {
  /** The bytes to sort. */
  byte[] encode(boolean ordered) {
    int length = record.length;
    int suffix = (id == null ? 0 : Long.BYTES) + (ordered ? Long.BYTES : 0);
    if (suffix == 0) {
      return record;
    }
    ByteBuffer bytes = ByteBuffer.wrap(Arrays.copyOf(record, length + suffix)).position(length);
    if (id != null) {
      bytes.putLong(place);
    }
    if (ordered) {
      bytes.putLong(sortKey);
    }
    return bytes.array();
  }

  /** The edge of bytes that were sorted. */
  static LoadedEdge decode(byte[] bytes, boolean ordered) {
    int length = bytes.length;
    long sortKey = 0;
    if (ordered) {
      length -= Long.BYTES;
      sortKey = ByteBuffer.wrap(bytes).getLong(length);
    }
    Object id = length == 0 ? null : EdgeRecord.userId(bytes);
    long place = 0;
    if (id != null) {
      length -= Long.BYTES;
      place = ByteBuffer.wrap(bytes).getLong(length);
    }
    byte[] record = length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    return new LoadedEdge(record, id, place, sortKey);
  }
}
