package io.bg3.core.graph;

import io.bg3.core.record.IndexKey;
import io.bg3.core.record.PropertyRecord;
import io.bg3.core.record.VertexRecord;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.format.Varints;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;

/**
 * A property index of vertices: what it holds, and how its definition is stored.
 *
 * <pre>
 *   META   "index/", number (4, big-endian)     to the definition:
 *            u8      version   1
 *            u8      state     1 building, 2 ready, 3 dropping
 *            varint  label     code of the first label of its vertices, 0 for all vertices
 *            varint  key       code of the property key
 *   META   "index/"                             to the number of the next index (varint)
 *   META   "built/", number (4, big-endian)     while it is built, to the vertex key at which
 *                                               building goes on
 * </pre>
 *
 * @param number never used for another index
 * @param label code, 0 for all vertices
 * @param key code
 * @param readySince the snapshots from this stamp on find all entries
 */
record VertexIndex(int number, int label, int key, IndexState state, long readySince) {
  static final byte[] DEFINITIONS = "index/".getBytes(StandardCharsets.US_ASCII);
  static final byte[] PROGRESS = "built/".getBytes(StandardCharsets.US_ASCII);
  static final int VERSION = 1;

  byte[] definitionKey() {
    return key(DEFINITIONS, number);
  }

  byte[] progressKey() {
    return key(PROGRESS, number);
  }

  private static byte[] key(byte[] prefix, int number) {
    return ByteBuffer.allocate(prefix.length + Integer.BYTES).put(prefix).putInt(number).array();
  }

  VertexIndex with(IndexState next, long since) {
    return new VertexIndex(number, label, key, next, since);
  }

  byte[] encode() {
    ByteBuffer to = ByteBuffer.allocate(2 + 2 * Varints.MAX_BYTES);
    to.put((byte) VERSION).put((byte) code(state));
    Varints.put(to, label);
    Varints.put(to, key);
    return Arrays.copyOf(to.array(), to.position());
  }

  /** Reads what {@link #encode} wrote under {@link #definitionKey}. */
  static VertexIndex decode(byte[] key, byte[] bytes) {
    try {
      int number = ByteBuffer.wrap(key).getInt(DEFINITIONS.length);
      ByteBuffer from = ByteBuffer.wrap(bytes);
      int version = from.get();
      IndexState state = state(from.get());
      int label = (int) Varints.get(from);
      int property = (int) Varints.get(from);
      if (version == VERSION && state != null && label >= 0 && property > 0) {
        return new VertexIndex(number, label, property, state, 0);
      }
    } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
      // reported below
    }
    throw new CorruptionException(
        "META tree", 0, "a definition of an index of version " + VERSION, Arrays.toString(bytes));
  }

  /** Stands on disk, so it does not follow the order of the constants. */
  private static int code(IndexState state) {
    return switch (state) {
      case BUILDING -> 1;
      case READY -> 2;
      case DROPPING -> 3;
    };
  }

  private static IndexState state(int code) {
    for (IndexState state : IndexState.values()) {
      if (code(state) == code) {
        return state;
      }
    }
    return null;
  }

  /** Adds the keys of the entries that a vertex has in this index. */
  void addEntries(long vertex, VertexRecord record, Collection<byte[]> keys) {
    if (label != 0 && record.label(0) != label) {
      return;
    }
    for (PropertyRecord property : record.withKey(key)) {
      keys.add(IndexKey.entry(number, property, vertex));
    }
  }
}
