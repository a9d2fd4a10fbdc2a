package io.bg3.core.record;

import io.bg3.core.limit.Limit;
import io.bg3.storage.format.Varints;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Properties on their way into a record, as bytes from the beginning: for a caller that writes many
 * edges and knows the codes of the keys. A key may be put once. Can be used again after {@link
 * #clear}.
 *
 * <p>Belongs to one thread.
 */
public final class PropertyBytes {
  private static final int START = 64;

  /** So many keys are searched from the first to the last. */
  private static final int FEW = 32;

  private int[] keys = new int[4];
  private int[] starts = new int[4];
  private int[] lengths = new int[4];
  private int count;
  private final Set<Integer> many = new HashSet<>(); // the keys, where they are more than a few
  private final RecordWriter cells = new RecordWriter(START, Limit.COMMIT_BYTES);
  private final RecordWriter value = new RecordWriter(START, Limit.VALUE_BYTES);

  /** No properties. */
  public PropertyBytes() {}

  /** Forgets all properties. */
  public PropertyBytes clear() {
    count = 0;
    many.clear();
    cells.clear();
    return this;
  }

  /** Adds a property that is a long. */
  public PropertyBytes putLong(int key, long number) {
    value.clear();
    value.u8(ValueTag.LONG.code()).signed(number);
    return put(key);
  }

  /** Adds a property that is an int. */
  public PropertyBytes putInt(int key, int number) {
    value.clear();
    value.u8(ValueTag.INT.code()).signed(number);
    return put(key);
  }

  /** Adds a property that is an array of bytes. */
  public PropertyBytes putBytes(int key, byte[] bytes) {
    value.clear();
    value.u8(ValueTag.BYTES.code()).sized(bytes);
    return put(key);
  }

  /**
   * Adds a property of any class.
   *
   * @throws UnsupportedValueException if it cannot be stored
   */
  public PropertyBytes put(int key, Object object) {
    byte[] encoded = ValueCodec.encode(object);
    value.clear();
    value.raw(encoded);
    return put(key);
  }

  private PropertyBytes put(int key) {
    value.checkLength();
    Limit.VERTEX_PROPERTIES.check(count + 1L);
    if (key < 1 || key > EdgeId.MAX_LABEL || has(key)) {
      throw new IllegalArgumentException(
          "a key must have a code and be put once: key=" + key + ", count=" + count);
    }
    if (count == keys.length) {
      keys = Arrays.copyOf(keys, 2 * count);
      starts = Arrays.copyOf(starts, 2 * count);
      lengths = Arrays.copyOf(lengths, 2 * count);
    }
    keys[count] = key;
    if (count >= FEW) {
      for (int i = many.size(); i <= count; i++) {
        many.add(keys[i]);
      }
    }
    cells.varint(key).varint(value.length());
    starts[count] = cells.length();
    lengths[count] = value.length();
    cells.raw(value);
    count++;
    return this;
  }

  /** The number of properties. */
  public int count() {
    return count;
  }

  /** The key of a property, in the order in which they were put. */
  public int key(int i) {
    return keys[i];
  }

  /** The start of a property's encoded value in {@link #cells}. */
  public int valueStart(int i) {
    return starts[i];
  }

  /** The number of bytes of a property's encoded value. */
  public int valueLength(int i) {
    return lengths[i];
  }

  /** A copy of what all values stand in. */
  public byte[] cells() {
    return cells.toBytes();
  }

  /** Whether there is a property with this key. */
  public boolean has(int key) {
    if (count > FEW) {
      return many.contains(key);
    }
    for (int i = 0; i < count; i++) {
      if (keys[i] == key) {
        return true;
      }
    }
    return false;
  }

  /** The edge record ({@link EdgeRecord}) that has these properties and no id. */
  public byte[] record() {
    if (count == 0) {
      return new byte[0];
    }
    Limit.EDGE_PROPERTIES.check(count);
    Limit.ENTRY_BYTES.check(cells.length());
    int head = 1 + Varints.size(count); // flags: no id
    byte[] record = new byte[head + cells.length()];
    Varints.put(ByteBuffer.wrap(record, 1, head - 1), count);
    cells.copyTo(record, head);
    return record;
  }
}
