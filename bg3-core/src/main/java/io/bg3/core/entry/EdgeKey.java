package io.bg3.core.entry;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The key of an edge entry: 24 bytes, 32 with the tag <i>index</i>, whose unsigned order is the
 * order of adjacency lists.
 *
 * <pre>
 *  offset  size  field
 *       0     8  owner      big-endian, sign bit flipped: the vertex whose adjacency this is
 *       8     4  tag+label  big-endian; the tag in the top 2 bits, the label in the other 30
 *     +12     8  sort key   only with tag 2: big-endian, sign bit flipped
 *      12     8  other      big-endian, sign bit flipped: the neighbour
 *      20     4  sequence   big-endian, unsigned: tells parallel edges apart
 *
 *  tag   0 out   1 in   2 index: ordered by a sort key   3 counter: other is 0, see DegreeKey
 * </pre>
 *
 * <p>The highest bit of the label says that the label has a time to live, so that its entries keep
 * their stamps (R13). No other label has it. The next 8 bits of such a label are its family: the
 * labels of a family have one time to live, and their entries trees of their own (R45). Of family 0
 * are the labels whose entries stand among the others. So the keys of a family are adjacent, within
 * an owner and tag. A family whose edges stay has {@link #LASTING} set as well in its labels, whose
 * entries keep no stamps.
 *
 * <p>With a sort key, other and sequence stand 8 bytes further on. A prefix of a key is a bound: it
 * stands below every key that begins with it.
 */
public final class EdgeKey {
  /** Length of a whole key without a sort key, in bytes. */
  public static final int LENGTH = 24;

  /** Length of a whole key with a sort key, in bytes. */
  public static final int INDEX_LENGTH = LENGTH + Long.BYTES;

  /** The owner is the edge's source. */
  public static final int OUT = 0;

  /** The owner is the edge's target. */
  public static final int IN = 1;

  /** An entry of a vertex-centric index: the owner is the source, the key has a sort key. */
  public static final int INDEX = 2;

  /** A counter of the owner and a label; its value is the count, see {@link DegreeKey}. */
  public static final int COUNTER = 3;

  /** The largest label. */
  public static final int MAX_LABEL = (1 << 30) - 1;

  /** The bit of a label that has a family, or a time to live. */
  public static final int TTL = 1 << 29;

  /** With {@link #TTL}, the bit of a label that has a family and no time to live. */
  public static final int LASTING = 1 << 20;

  /** The highest number of a family. */
  public static final int MAX_FAMILY = 255;

  /** The largest number of a label that has a family: what its bits leave. */
  public static final int MAX_TTL_NUMBER = LASTING - 1;

  private static final int FAMILY_SHIFT = 21;

  /** The offset of tag and label, four bytes in big-endian order. */
  public static final int TAG_LABEL = Long.BYTES;

  static final int OWNER = 0;
  public static final int OTHER = TAG_LABEL + Integer.BYTES;
  static final int SEQUENCE = OTHER + Long.BYTES;

  /** The offset of the sort key; the fields behind it are that much further on. */
  static final int SORT_KEY = TAG_LABEL + Integer.BYTES;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private EdgeKey() {}

  /** Tag and label in one number, compared unsigned. */
  public static int tagLabel(int tag, int label) {
    if (tag < OUT || tag > COUNTER || label < 0 || label > MAX_LABEL) {
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

  /** Whether the label, or that in a {@link #tagLabel}, has a time to live. */
  public static boolean hasTtl(int tagLabel) {
    return (tagLabel & (TTL | LASTING)) == TTL;
  }

  /**
   * Whether the label, or that in a {@link #tagLabel}, is above all that have neither a family nor
   * a time to live.
   */
  public static boolean isApart(int tagLabel) {
    return (tagLabel & TTL) != 0;
  }

  /** The label with a number that has a time to live and is of a family. */
  public static int ttlLabel(int family, int number) {
    if (family < 0 || family > MAX_FAMILY || number < 1 || number > MAX_TTL_NUMBER) {
      throw new IllegalArgumentException(
          "family or number out of range: family=" + family + ", number=" + number);
    }
    return TTL | family << FAMILY_SHIFT | number;
  }

  /** The label with a number that is of a family and has no time to live. */
  public static int lastingLabel(int family, int number) {
    assert family > 0 : family;
    return ttlLabel(family, number) | LASTING;
  }

  /** The family of the label, or of that in a {@link #tagLabel}; 0 for none. */
  public static int family(int tagLabel) {
    return isApart(tagLabel) ? tagLabel >>> FAMILY_SHIFT & MAX_FAMILY : 0;
  }

  /** The number of a label, or of that in a {@link #tagLabel}, without what is added to it. */
  public static int number(int tagLabel) {
    return isApart(tagLabel) ? tagLabel & MAX_TTL_NUMBER : label(tagLabel);
  }

  /** The smallest {@link #tagLabel} of the family of another, with its tag. */
  public static int familyStart(int tagLabel) {
    int family = family(tagLabel);
    int tag = tagLabel & ~MAX_LABEL;
    return family == 0 ? tag : tag | TTL | family << FAMILY_SHIFT;
  }

  /**
   * The smallest {@link #tagLabel} above those of the family of another with its tag, as a positive
   * number; {@code 1L << 32} behind the last one.
   */
  public static long familyEnd(int tagLabel) {
    long tag = Integer.toUnsignedLong(tagLabel & ~MAX_LABEL);
    return tag + TTL + ((family(tagLabel) + 1L) << FAMILY_SHIFT);
  }

  /** Length of the keys with this tag and label. */
  public static int length(int tagLabel) {
    return isIndex(tagLabel) ? INDEX_LENGTH : LENGTH;
  }

  /** Whether keys with this tag and label have a sort key. */
  public static boolean isIndex(int tagLabel) {
    return tag(tagLabel) == INDEX;
  }

  /** The whole key, without a sort key. */
  public static byte[] encode(long owner, int tagLabel, long other, int sequence) {
    assert !isIndex(tagLabel) : "a key without its sort key: owner=" + owner;
    byte[] key = new byte[LENGTH];
    put(owner, tagLabel, other, sequence, key);
    return key;
  }

  /** Writes a whole key without a sort key into an array of its length. */
  public static void put(long owner, int tagLabel, long other, int sequence, byte[] into) {
    LONGS.set(into, OWNER, owner ^ Long.MIN_VALUE);
    INTS.set(into, TAG_LABEL, tagLabel);
    LONGS.set(into, OTHER, other ^ Long.MIN_VALUE);
    INTS.set(into, SEQUENCE, sequence);
  }

  /** The whole key of an entry of an index. */
  public static byte[] encode(long owner, int tagLabel, long sortKey, long other, int sequence) {
    assert isIndex(tagLabel) : "a sort key in a key that has none: owner=" + owner;
    byte[] key = new byte[INDEX_LENGTH];
    LONGS.set(key, OWNER, owner ^ Long.MIN_VALUE);
    INTS.set(key, TAG_LABEL, tagLabel);
    LONGS.set(key, SORT_KEY, sortKey ^ Long.MIN_VALUE);
    LONGS.set(key, OTHER + Long.BYTES, other ^ Long.MIN_VALUE);
    INTS.set(key, SEQUENCE + Long.BYTES, sequence);
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

  /** Writes {@link #prefix(long, int)} into an array of its length. */
  public static void putPrefix(long owner, int tagLabel, byte[] into) {
    LONGS.set(into, OWNER, owner ^ Long.MIN_VALUE);
    INTS.set(into, TAG_LABEL, tagLabel);
  }

  /**
   * The bound below all parallel edges between an owner and a neighbour; with the tag of an index,
   * below all its entries from this sort key on.
   */
  public static byte[] prefix(long owner, int tagLabel, long next) {
    byte[] key = new byte[SEQUENCE];
    LONGS.set(key, OWNER, owner ^ Long.MIN_VALUE);
    INTS.set(key, TAG_LABEL, tagLabel);
    LONGS.set(key, OTHER, next ^ Long.MIN_VALUE);
    return key;
  }

  /**
   * The smallest bound above every key that begins with {@code prefix}, or null if there is none:
   * the upper end of the range of a prefix, whatever tree it is of.
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

  /** The sort key in a key of an index, or a prefix of at least 20 bytes. */
  public static long sortKey(byte[] key) {
    return (long) LONGS.get(key, SORT_KEY) ^ Long.MIN_VALUE;
  }

  /** The neighbour in a whole key. */
  public static long other(byte[] key) {
    return (long) LONGS.get(key, OTHER + shift(key)) ^ Long.MIN_VALUE;
  }

  /** The sequence in a whole key. */
  public static int sequence(byte[] key) {
    return (int) INTS.get(key, SEQUENCE + shift(key));
  }

  /** The distance by which the fields behind the tag stand further on than in other keys. */
  private static int shift(byte[] key) {
    return length(tagLabel(key)) - LENGTH;
  }

  /**
   * For messages: owner, tag, label, the sort key if there is one, neighbour and sequence of a
   * whole key.
   */
  public static String toString(byte[] key) {
    int tagLabel = tagLabel(key);
    String tag =
        switch (tag(tagLabel)) {
          case OUT -> "out";
          case IN -> "in";
          case INDEX -> "index";
          default -> "counter";
        };
    return owner(key)
        + " "
        + tag
        + " "
        + label(tagLabel)
        + (isIndex(tagLabel) ? " " + sortKey(key) : "")
        + " "
        + other(key)
        + " "
        + Integer.toUnsignedString(sequence(key));
  }
}
