package io.bg3.core.graph;

import io.bg3.core.limit.Limit;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.PropertyId;
import io.bg3.core.record.ValueWriter;
import io.bg3.storage.format.CorruptionException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * Keys of the trees that the graph keeps beside the edges. All compare as unsigned bytes; an
 * internal id is written big-endian with its sign bit flipped, so that keys are in the order of the
 * numbers.
 *
 * <pre>
 *   VERTICES      internal id (8)
 *   EXTERNAL_IDS  1, UUID (16)  |  2, UTF-8 of the text         to internal id (8)
 *   EXTERNAL_OF   internal id (8)                               to a key of EXTERNAL_IDS
 *   EDGE_IDS      UTF-8 of the id's text                        to source (8), label (4), target (8), sequence (4)
 *   PROPERTIES    internal id (8), number (4), meta key or 0 (4)
 *   META          "variable/", UTF-8 of the variable's name
 *   META          "counting/", code of an edge label (4)        to the owner key where building goes on
 *   META          "ordering/", code of an edge label (4)        to the owner key where building goes on
 *   META          "loading"                                     to 1, while a GraphLoad has not ended
 * </pre>
 */
final class GraphKeys {
  private static final byte UUID_KEY = 1;
  private static final byte TEXT_KEY = 2;
  private static final byte[] VARIABLE = "variable/".getBytes(StandardCharsets.UTF_8);
  private static final byte[] COUNTING = "counting/".getBytes(StandardCharsets.UTF_8);
  private static final byte[] ORDERING = "ordering/".getBytes(StandardCharsets.UTF_8);
  private static final byte[] LOADING = "loading".getBytes(StandardCharsets.UTF_8);

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /** The length of an edge in a key or value. */
  static final int EDGE_BYTES = 2 * Long.BYTES + 2 * Integer.BYTES;

  private GraphKeys() {}

  static byte[] vertex(long vertex) {
    byte[] key = new byte[Long.BYTES];
    LONGS.set(key, 0, vertex ^ Long.MIN_VALUE);
    return key;
  }

  static long vertexOf(byte[] key) {
    if (key.length != Long.BYTES) {
      throw new CorruptionException("vertex key", 0, "8 bytes", key.length + " bytes");
    }
    return ByteBuffer.wrap(key).getLong() ^ Long.MIN_VALUE;
  }

  /** The key of a canonical id that is a UUID or String. */
  static byte[] externalId(Object id) {
    if (id instanceof UUID uuid) {
      return ByteBuffer.allocate(1 + 2 * Long.BYTES)
          .put(UUID_KEY)
          .putLong(uuid.getMostSignificantBits())
          .putLong(uuid.getLeastSignificantBits())
          .array();
    }
    byte[] text = ((String) id).getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(1 + text.length).put(TEXT_KEY).put(text).array();
  }

  /** The UUID or String of which this is the key. */
  static Object externalIdOf(byte[] key) {
    if (key.length == 1 + 2 * Long.BYTES && key[0] == UUID_KEY) {
      ByteBuffer from = ByteBuffer.wrap(key, 1, 2 * Long.BYTES);
      long high = from.getLong();
      return new UUID(high, from.getLong());
    }
    if (key.length > 1 && key[0] == TEXT_KEY) {
      return new String(key, 1, key.length - 1, StandardCharsets.UTF_8);
    }
    throw new CorruptionException(
        "external id", 0, "a UUID or a text", "kind " + (key.length == 0 ? "none" : key[0]));
  }

  /** The key of an id that the user gave to an edge, whatever its class. */
  static byte[] edgeId(Object canonical) {
    return canonical.toString().getBytes(StandardCharsets.UTF_8);
  }

  static byte[] edge(EdgeId edge) {
    return ByteBuffer.allocate(EDGE_BYTES)
        .putLong(edge.source() ^ Long.MIN_VALUE)
        .putInt(edge.label())
        .putLong(edge.target() ^ Long.MIN_VALUE)
        .putInt(edge.sequence())
        .array();
  }

  static EdgeId edgeOf(byte[] value) {
    if (value.length != EDGE_BYTES) {
      throw new CorruptionException(
          "edge id entry", 0, EDGE_BYTES + " bytes", value.length + " bytes");
    }
    ByteBuffer from = ByteBuffer.wrap(value);
    long source = from.getLong() ^ Long.MIN_VALUE;
    int label = from.getInt();
    long target = from.getLong() ^ Long.MIN_VALUE;
    return new EdgeId(source, label, target, from.getInt());
  }

  static byte[] property(long vertex, int number, int metaKey) {
    return ByteBuffer.allocate(Long.BYTES + 2 * Integer.BYTES)
        .putLong(vertex ^ Long.MIN_VALUE)
        .putInt(number)
        .putInt(metaKey)
        .array();
  }

  static PropertyId propertyOf(byte[] key) {
    if (key.length != Long.BYTES + 2 * Integer.BYTES) {
      throw new CorruptionException("property key", 0, "16 bytes", key.length + " bytes");
    }
    ByteBuffer from = ByteBuffer.wrap(key);
    return new PropertyId(from.getLong() ^ Long.MIN_VALUE, from.getInt());
  }

  static int metaKeyOf(byte[] key) {
    return ByteBuffer.wrap(key).getInt(Long.BYTES + Integer.BYTES);
  }

  /**
   * The key of a variable that is to be set.
   *
   * @throws io.bg3.core.limit.LimitExceededException if the name is too long
   * @throws IllegalArgumentException if it is empty or malformed
   */
  static byte[] newVariable(String name) {
    Limit.NAME_BYTES.check(name.length()); // before a copy is made
    byte[] text = ValueWriter.utf8(name);
    if (text == null || text.length == 0) {
      throw new IllegalArgumentException(
          "the name of a variable must be well-formed text of 1 to "
              + Limit.NAME_BYTES.most()
              + " bytes in UTF-8: length="
              + name.length());
    }
    Limit.NAME_BYTES.check(text.length);
    return variable(name);
  }

  static byte[] variable(String name) {
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(VARIABLE.length + text.length).put(VARIABLE).put(text).array();
  }

  /** The key of how far the counters of an edge label are built. */
  static byte[] counting(int label) {
    return ofLabel(COUNTING, label);
  }

  /** The key of how far the order of an edge label is built. */
  static byte[] ordering(int label) {
    return ofLabel(ORDERING, label);
  }

  private static byte[] ofLabel(byte[] what, int label) {
    return ByteBuffer.allocate(what.length + Integer.BYTES).put(what).putInt(label).array();
  }

  /** The key of the mark of a store that is being loaded. */
  static byte[] loading() {
    return LOADING.clone();
  }

  static byte[] variablesLow() {
    return VARIABLE.clone();
  }

  static byte[] variablesHigh() {
    byte[] high = VARIABLE.clone();
    high[high.length - 1]++;
    return high;
  }

  static String variableOf(byte[] key) {
    return new String(key, VARIABLE.length, key.length - VARIABLE.length, StandardCharsets.UTF_8);
  }
}
