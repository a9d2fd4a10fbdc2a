package io.bg3.core.graph;

import io.bg3.storage.format.CorruptionException;
import java.util.Arrays;
import java.util.function.ObjIntConsumer;

/**
 * The properties in an edge record ({@link EdgeRecord}), read where they stand: no object is made
 * of one that is not asked for.
 *
 * <p>Belongs to one thread.
 */
public final class PropertyView {
  private static final byte[] NOTHING = {};
  private static final int USER_ID = 1;
  private static final long LOW_BITS = 0x7F;

  private byte[] bytes = NOTHING;
  private int first; // of the first property
  private int count;
  private int at;

  PropertyView() {}

  /**
   * Looks at a record.
   *
   * @throws CorruptionException if it does not begin like one
   */
  PropertyView on(byte[] record) {
    bytes = record;
    first = 0;
    count = 0;
    if (record.length > 0) {
      at = 0;
      try {
        if ((next() & USER_ID) != 0) {
          int length = (int) next();
          at += length;
        }
        count = (int) next();
        first = at;
      } catch (IndexOutOfBoundsException e) {
        throw corrupt(e);
      }
    }
    return this;
  }

  /**
   * The long that is the property with this key; {@code absent} if there is none, or it is of
   * another class.
   */
  public long longValue(int key, long absent) {
    return number(key, ValueTag.LONG, absent);
  }

  /** The same for an int. */
  public int intValue(int key, int absent) {
    return (int) number(key, ValueTag.INT, absent);
  }

  private long number(int key, ValueTag tag, long absent) {
    try {
      if (find(key) == 0 || bytes[at++] != tag.code()) {
        return absent;
      }
      long zigzag = next();
      return (zigzag >>> 1) ^ -(zigzag & 1);
    } catch (IndexOutOfBoundsException e) {
      throw corrupt(e);
    }
  }

  /**
   * A copy of the array of bytes that is the property with this key; null if there is none, or it
   * is of another class.
   */
  public byte[] bytesValue(int key) {
    try {
      if (find(key) == 0 || bytes[at++] != ValueTag.BYTES.code()) {
        return null;
      }
      int length = (int) next();
      if (length < 0 || length > bytes.length - at) {
        throw corrupt(null);
      }
      return Arrays.copyOfRange(bytes, at, at + length);
    } catch (IndexOutOfBoundsException e) {
      throw corrupt(e);
    }
  }

  /** The property with this key, whatever its class; null if there is none. */
  public Object value(int key) {
    try {
      int length = find(key);
      return length == 0 ? null : ValueCodec.decode(bytes, at, length);
    } catch (IndexOutOfBoundsException e) {
      throw corrupt(e);
    }
  }

  /** Shows all properties and the codes of their keys. */
  public void each(ObjIntConsumer<Object> visitor) {
    try {
      at = first;
      for (int i = 0; i < count; i++) {
        int key = (int) next();
        int length = (int) next();
        if (length <= 0 || length > bytes.length - at) {
          throw corrupt(null);
        }
        Object value = ValueCodec.decode(bytes, at, length);
        int behind = at + length;
        visitor.accept(value, key);
        at = behind;
      }
    } catch (IndexOutOfBoundsException e) {
      throw corrupt(e);
    }
  }

  /** Goes to the value of a key and says how many bytes it has, 0 if there is none. */
  private int find(int key) {
    at = first;
    for (int i = 0; i < count; i++) {
      long found = next();
      int length = (int) next();
      if (length <= 0 || length > bytes.length - at) {
        throw corrupt(null);
      }
      if (found == key) {
        return length;
      }
      at += length;
    }
    return 0;
  }

  private long next() {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      byte b = bytes[at++];
      value |= (b & LOW_BITS) << shift;
      if (b >= 0) {
        return value;
      }
    }
    throw corrupt(null);
  }

  private CorruptionException corrupt(RuntimeException cause) {
    CorruptionException corruption =
        new CorruptionException("edge record", at, "properties inside the record", "none");
    if (cause != null) {
      corruption.addSuppressed(cause);
    }
    return corruption;
  }
}
