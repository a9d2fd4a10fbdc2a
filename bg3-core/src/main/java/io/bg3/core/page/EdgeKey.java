package io.bg3.core.page;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The key of an edge entry: 24 bytes whose unsigned order is the order of adjacency lists.
 *
 * <pre>
 *  offset  size  field
 *       0     8  owner      big-endian, sign bit flipped: the vertex whose adjacency this is
 *       8     4  tag+label  big-endian; the tag in the top 2 bits (0 out, 1 in, 2 index), the label in the other 30
 *      12     8  other      big-endian, sign bit flipped: the neighbour
 *      20     4  sequence   big-endian, unsigned: tells parallel edges apart
 * </pre>
 *
 * <p>A prefix of a key is a bound: it stands below every key that begins with it.
 */
public final class EdgeKey {
  /** Length of a whole key in bytes. */
  public static final int LENGTH = 24;

  /** The owner is the edge's source. */
  public static final int OUT = 0;

  /** The owner is the edge's target. */
  public static final int IN = 1;

  /** An entry of a vertex-centric index. */
  public static final int INDEX = 2;

  /** The largest label. */
  public static final int MAX_LABEL = (1 << 30) - 1;

  static final int OWNER = 0;
  static final int TAG_LABEL = OWNER + Long.BYTES;
  static final int OTHER = TAG_LABEL + Integer.BYTES;
  static final int SEQUENCE = OTHER + Long.BYTES;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private EdgeKey() {}

  /** Tag and label in one number, compared unsigned. */
  public static int tagLabel(int tag, int label) {
    if (tag < OUT || tag > INDEX || label < 0 || label > MAX_LABEL) {
      throw new IllegalArgumentException(
          "tag or label out of range: tag=" + tag + ", label=" + label);
    }
    return (tag << 30) | label;
  }

  /** The tag in a {@link #tagLabel}. */
  public static int tag(int tagLabel) {
    return tagLabel >>> 30;
  }

  /** The label in a {@link #tagLabel}. */
  public static int label(int tagLabel) {
    return tagLabel & MAX_LABEL;
  }

  /** The whole key. */
  public static byte[] encode(long owner, int tagLabel, long other, int sequence) {
    byte[] key = new byte[LENGTH];
    LONGS.set(key, OWNER, owner ^ Long.MIN_VALUE);
    INTS.set(key, TAG_LABEL, tagLabel);
    LONGS.set(key, OTHER, other ^ Long.MIN_VALUE);
    INTS.set(key, SEQUENCE, sequence);
    return key;
  }

  /** The bound below all entries of an owner. */
  public static byte[] prefix(long owner) {
    byte[] key = new byte[TAG_LABEL];
    LONGS.set(key, OWNER, owner ^ Long.MIN_VALUE);
    return key;
  }

  /** The bound below all entries of an owner with a tag and label. */
  public static byte[] prefix(long owner, int tagLabel) {
    byte[] key = new byte[OTHER];
    LONGS.set(key, OWNER, owner ^ Long.MIN_VALUE);
    INTS.set(key, TAG_LABEL, tagLabel);
    return key;
  }

  /** The bound below all parallel edges between an owner and a neighbour. */
  public static byte[] prefix(long owner, int tagLabel, long other) {
    byte[] key = new byte[SEQUENCE];
    LONGS.set(key, OWNER, owner ^ Long.MIN_VALUE);
    INTS.set(key, TAG_LABEL, tagLabel);
    LONGS.set(key, OTHER, other ^ Long.MIN_VALUE);
    return key;
  }

  /**
   * The smallest bound above every key that begins with {@code prefix}, or null if there is none:
   * the upper end of the range of a prefix.
   */
  public static byte[] after(byte[] prefix) {
    int length = prefix.length;
    while (length > 0 && prefix[length - 1] == (byte) 0xFF) {
      length--;
    }
    if (length == 0) {
      return null;
    }
    byte[] after = java.util.Arrays.copyOf(prefix, length);
    after[length - 1]++;
    return after;
  }

  /** The owner in a key or prefix of at least 8 bytes. */
  public static long owner(byte[] key) {
    return (long) LONGS.get(key, OWNER) ^ Long.MIN_VALUE;
  }

  /** Tag and label in a key or prefix of at least 12 bytes. */
  public static int tagLabel(byte[] key) {
    return (int) INTS.get(key, TAG_LABEL);
  }

  /** The neighbour in a key or prefix of at least 20 bytes. */
  public static long other(byte[] key) {
    return (long) LONGS.get(key, OTHER) ^ Long.MIN_VALUE;
  }

  /** The sequence in a key of at least 24 bytes. */
  public static int sequence(byte[] key) {
    return (int) INTS.get(key, SEQUENCE);
  }

  /** For messages: {@code owner>label>other>sequence} with the tag in front. */
  public static String toString(long owner, int tagLabel, long other, int sequence) {
    String tag =
        switch (tag(tagLabel)) {
          case OUT -> "out";
          case IN -> "in";
          case INDEX -> "index";
          default -> "tag3";
        };
    return owner
        + " "
        + tag
        + " "
        + label(tagLabel)
        + " "
        + other
        + " "
        + Integer.toUnsignedString(sequence);
  }
}
