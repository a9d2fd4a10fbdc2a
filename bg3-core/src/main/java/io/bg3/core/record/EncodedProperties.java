package io.bg3.core.record;

import io.bg3.storage.format.CorruptionException;
import java.util.Arrays;

/**
 * Encoded properties, read where they stand: no object is made of one that is not asked for.
 *
 * <p>Belongs to one thread.
 */
abstract class EncodedProperties {
  private static final byte[] NOTHING = {};
  private static final long LOW_BITS = 0x7F;

  private final String what;

  /** The record, from {@link #at} up to {@link #end}; subclasses move at. */
  byte[] bytes = NOTHING;

  int at;
  int end;

  /**
   * @param what names the kind of record in messages
   */
  EncodedProperties(String what) {
    this.what = what;
  }

  /**
   * The long that is the property with this key; {@code absent} if there is none, or it is of
   * another class.
   */
  public final long longValue(int key, long absent) {
    return number(key, ValueTag.LONG, absent);
  }

  /** The int that is the property with this key; {@code absent} as for {@link #longValue}. */
  public final int intValue(int key, int absent) {
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
  public final byte[] bytesValue(int key) {
    try {
      if (find(key) == 0 || bytes[at++] != ValueTag.BYTES.code()) {
        return null;
      }
      int length = (int) next();
      requireInside(length);
      return Arrays.copyOfRange(bytes, at, at + length);
    } catch (IndexOutOfBoundsException e) {
      throw corrupt(e);
    }
  }

  /** The property with this key, whatever its class; null if there is none. */
  public final Object value(int key) {
    try {
      int length = find(key);
      return length == 0 ? null : ValueCodec.decode(bytes, at, length);
    } catch (IndexOutOfBoundsException e) {
      throw corrupt(e);
    }
  }

  /** Goes to the value of a key and says how many bytes it has, 0 if there is none. */
  abstract int find(int key);

  /** Reads a varint. */
  final long next() {
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

  final void requireInside(int length) {
    if (length < 0 || length > end - at) {
      throw corrupt(null);
    }
  }

  final CorruptionException corrupt(RuntimeException cause) {
    CorruptionException corruption =
        new CorruptionException(what, at, "properties inside the record", "none");
    if (cause != null) {
      corruption.addSuppressed(cause);
    }
    return corruption;
  }
}
