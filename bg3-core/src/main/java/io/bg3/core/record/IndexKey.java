package io.bg3.core.record;

import io.bg3.core.limit.Limit;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Keys of the entries of property indexes, and the ranges of keys in which sought entries stand.
 *
 * <pre>
 *   4  number of the index, big-endian
 *   …  for each property key of the index its value ({@link IndexValue})
 *   …  only of a unique index of several keys: for each what its value has more, then 0
 *   …  element    of a vertex 8 bytes: internal id, big-endian, its sign bit flipped; of an edge
 *                 24: source and target as a vertex, label and sequence, as source, label, target,
 *                 sequence
 * </pre>
 *
 * <p>An entry of an index of several keys is that of a combination of values, one of each key. It
 * has a value of the first key; the others may be absent. If a value of a combination is not told
 * from others, or if an element has more combinations than are kept, the entry says no more than
 * that: it has the kind <i>not told from others</i> in place of all values.
 *
 * <p>The values of a unique index are exact: two elements have entries with one value, or one
 * combination, if and only if the values are the same number, or equal and of one class.
 */
public final class IndexKey {
  /** The longest name of an element. */
  private static final int ELEMENT_BYTES = 24;

  /** No entry has values that are longer together. */
  private static final int MOST_BYTES =
      (int) Limit.KEY_BYTES.most() - Integer.BYTES - ELEMENT_BYTES;

  /**
   * The keys from {@code low} on and below {@code high}.
   *
   * @param oneValue whether they differ in their elements alone; then they are in their order
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Range(byte[] low, byte[] high, boolean oneValue) {}

  private IndexKey() {}

  /**
   * The key of the entry of an element for one of its properties.
   *
   * @param element its bytes
   * @param form that of the index
   */
  public static byte[] entry(int index, PropertyCell property, byte[] element, IndexForm form) {
    return join(index, IndexValue.of(property, form), element);
  }

  /**
   * The key of the entry of an element for a combination of its properties.
   *
   * @param element its bytes
   * @param properties null for one that is absent, but not the first
   * @param form that of the index
   */
  public static byte[] entry(
      int index, List<? extends PropertyCell> properties, byte[] element, IndexForm form) {
    ByteArrayOutputStream values = new ByteArrayOutputStream();
    for (PropertyCell property : properties) {
      byte[] value = IndexValue.of(property, form.inexact());
      if (value[0] == IndexValue.UNTOLD) {
        return untold(index, element);
      }
      values.writeBytes(value);
    }
    for (int i = 0; form.exact() && i < properties.size(); i++) {
      byte[] rest = IndexValue.rest(properties.get(i), form);
      if (values.size() + rest.length > MOST_BYTES) {
        return untold(index, element);
      }
      values.writeBytes(rest);
    }
    return join(index, values.toByteArray(), element);
  }

  /** The key of an entry that tells no value of an element from others. */
  public static byte[] untold(int index, byte[] element) {
    return join(index, new byte[] {IndexValue.UNTOLD}, element);
  }

  /** Whether the value of an entry is not told from others. */
  public static boolean isUntold(byte[] key) {
    return key[Integer.BYTES] == IndexValue.UNTOLD;
  }

  /** Whether some of several values of an entry is absent. */
  public static boolean isPartial(byte[] key, int values) {
    int at = Integer.BYTES;
    for (int i = 0; values > 1 && i < values && !isUntold(key); i++) {
      if (key[at] == IndexValue.ABSENT) {
        return true;
      }
      at = IndexValue.end(key, at);
    }
    return false;
  }

  /**
   * Whether two entries are of one index and have one value.
   *
   * @param elementBytes the length of an element
   */
  public static boolean haveOneValue(byte[] key, byte[] other, int elementBytes) {
    int length = key.length - elementBytes;
    return key.length == other.length && Arrays.mismatch(key, 0, length, other, 0, length) < 0;
  }

  /** All entries with the value of an entry. */
  public static Range ofValueOf(byte[] key, int elementBytes) {
    return range(Arrays.copyOf(key, key.length - elementBytes));
  }

  /** The bytes of the element that an entry names. */
  public static byte[] elementOf(byte[] key, int elementBytes) {
    return Arrays.copyOfRange(key, key.length - elementBytes, key.length);
  }

  /** The vertex that an entry names. */
  public static long vertexOf(byte[] key) {
    return ByteBuffer.wrap(key).getLong(key.length - Long.BYTES) ^ Long.MIN_VALUE;
  }

  /** The number of the index that an entry belongs to. */
  public static int indexOf(byte[] key) {
    return ByteBuffer.wrap(key).getInt(0);
  }

  /** All entries of an index. */
  public static Range all(int index) {
    return new Range(beginning(index), beginning(index + 1), false);
  }

  /** The entries of values that may equal anything. */
  public static Range untold(int index) {
    return range(append(beginning(index), new byte[] {IndexValue.UNTOLD}));
  }

  /** The beginning of the keys of an index. */
  public static byte[] beginning(int index) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(index).array();
  }

  /** The beginning of the keys that have one more value. */
  public static byte[] append(byte[] beginning, byte[] value) {
    byte[] longer = Arrays.copyOf(beginning, beginning.length + value.length);
    System.arraycopy(value, 0, longer, beginning.length, value.length);
    return longer;
  }

  /**
   * The entries whose keys begin with some values and have a value of an interval next.
   *
   * @param isLast whether no value comes behind it
   * @param hasRests whether it says behind the values what these have more
   */
  public static Range range(
      byte[] beginning, IndexValue.Interval interval, boolean isLast, boolean hasRests) {
    byte[] low = append(beginning, interval.low());
    if (!interval.isOneValue()) {
      return new Range(low, append(beginning, interval.high()), false);
    }
    if (!isLast) {
      return new Range(low, above(low), false);
    }
    return hasRests ? new Range(low, IndexValue.next(low), false) : range(low);
  }

  /**
   * Those of the entries of a range whose elements begin with some bytes.
   *
   * @param entries that have one value
   */
  public static Range beginningWith(Range entries, byte[] element) {
    byte[] values = Arrays.copyOf(entries.low(), entries.low().length - Long.BYTES);
    byte[] low = append(values, element);
    byte[] high = Arrays.copyOf(low, values.length + ELEMENT_BYTES + 1);
    Arrays.fill(high, low.length, values.length + ELEMENT_BYTES, (byte) 0xFF);
    return new Range(low, high, true);
  }

  /** A bound above all keys that have these bytes and then a kind or the text of a number. */
  static byte[] above(byte[] bytes) {
    return append(bytes, new byte[] {(byte) 0xFF});
  }

  /** All entries whose keys have nothing but their elements behind these bytes. */
  private static Range range(byte[] values) {
    byte[] high = Arrays.copyOf(values, values.length + ELEMENT_BYTES + 1);
    Arrays.fill(high, values.length, values.length + ELEMENT_BYTES, (byte) 0xFF);
    return new Range(Arrays.copyOf(values, values.length + Long.BYTES), high, true);
  }

  private static byte[] join(int index, byte[] value, byte[] element) {
    return ByteBuffer.allocate(Integer.BYTES + value.length + element.length)
        .putInt(index)
        .put(value)
        .put(element)
        .array();
  }
}
