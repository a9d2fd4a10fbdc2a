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
 *            u8      version   2
 *            u8      state     1 building, also while it is verified; 2 ready, 3 dropping
 *            u8      form      0, or 1 for a unique index
 *            varint  label     code of the first label of its vertices, 0 for all vertices
 *            varint  count     of property keys, 1
 *            varint  key       code of the property key
 *   META   "index/"                             to the number of the next index (varint)
 *   META   "built/", number (4, big-endian)     while it is built, to the vertex key at which
 *                                               building goes on
 * </pre>
 *
 * <p>Version 1 has neither form nor count: its indexes are not unique.
 *
 * @param number never used for another index
 * @param label code, 0 for all vertices
 * @param key code
 * @param unique whether no two of its vertices may have a value in common
 * @param readySince the snapshots from this stamp on find all entries
 */
record VertexIndex(
    int number, int label, int key, boolean unique, IndexState state, long readySince) {
  static final byte[] DEFINITIONS = "index/".getBytes(StandardCharsets.US_ASCII);
  static final byte[] PROGRESS = "built/".getBytes(StandardCharsets.US_ASCII);
  static final int VERSION = 2;
  private static final int PLAIN_VERSION = 1;
  private static final int UNIQUE = 1;

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
    return new VertexIndex(number, label, key, unique, next, since);
  }

  byte[] encode() {
    ByteBuffer to = ByteBuffer.allocate(4 + 2 * Varints.MAX_BYTES);
    to.put((byte) VERSION).put((byte) code(state)).put((byte) (unique ? UNIQUE : 0));
    Varints.put(to, label);
    Varints.put(to, 1);
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
      int form = version == PLAIN_VERSION ? 0 : from.get();
      int label = (int) Varints.get(from);
      long count = version == PLAIN_VERSION ? 1 : Varints.get(from);
      int property = (int) Varints.get(from);
      boolean isKnown = version == PLAIN_VERSION || version == VERSION;
      if (isKnown && state != null && isForm(form) && label >= 0 && count == 1 && property > 0) {
        return new VertexIndex(number, label, property, form == UNIQUE, state, 0);
      }
    } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
      // reported below
    }
    throw new CorruptionException(
        "META tree",
        0,
        "a definition of an index of version 1 or " + VERSION,
        Arrays.toString(bytes));
  }

  private static boolean isForm(int form) {
    return form == 0 || form == UNIQUE;
  }

  /** Stands on disk, so it does not follow the order of the constants. */
  private static int code(IndexState state) {
    return switch (state) {
      case BUILDING, VERIFYING -> 1; // an opening verifies anew
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
      keys.add(IndexKey.entry(number, property, vertex, unique));
    }
  }

  /** Whether commits refuse a second vertex with a value. */
  boolean isEnforced() {
    return unique && (state == IndexState.VERIFYING || state == IndexState.READY);
  }

  /** The property of a vertex that has an entry with this key; null if none has. */
  PropertyRecord propertyOf(byte[] entry, VertexRecord record) {
    long vertex = IndexKey.vertexOf(entry);
    for (PropertyRecord property : record.withKey(key)) {
      if (Arrays.equals(entry, IndexKey.entry(number, property, vertex, unique))) {
        return property;
      }
    }
    return null;
  }
}
