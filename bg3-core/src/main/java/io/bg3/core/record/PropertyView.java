package io.bg3.core.record;

import io.bg3.storage.format.CorruptionException;
import java.util.function.ObjIntConsumer;

/**
 * The properties in an edge record ({@link EdgeRecord}), read where they stand: no object is made
 * of one that is not asked for.
 *
 * <p>Belongs to one thread.
 */
public final class PropertyView extends EncodedProperties {
  private static final int USER_ID = 1;

  private int first; // of the first property
  private int count;

  /** A view of nothing yet. */
  public PropertyView() {
    super("edge record");
  }

  /**
   * Looks at a record.
   *
   * @throws CorruptionException if it does not begin like one
   */
  public PropertyView on(byte[] record) {
    return on(record, 0, record.length);
  }

  /** Looks at a record that stands in a part of an array. */
  public PropertyView on(byte[] array, int from, int length) {
    bytes = array;
    end = from + length;
    at = from;
    first = from;
    count = 0;
    if (length > 0) {
      try {
        if ((next() & USER_ID) != 0) {
          int idLength = (int) next();
          at += idLength;
        }
        count = (int) next();
        first = at;
      } catch (IndexOutOfBoundsException e) {
        throw corrupt(e);
      }
    }
    return this;
  }

  /** Shows all properties and the codes of their keys. */
  public void each(ObjIntConsumer<Object> visitor) {
    try {
      at = first;
      for (int i = 0; i < count; i++) {
        int key = (int) next();
        int length = nextLength();
        Object value = ValueCodec.decode(bytes, at, length);
        int behind = at + length;
        visitor.accept(value, key);
        at = behind;
      }
    } catch (IndexOutOfBoundsException e) {
      throw corrupt(e);
    }
  }

  @Override
  int find(int key) {
    at = first;
    for (int i = 0; i < count; i++) {
      long found = next();
      int length = nextLength();
      if (found == key) {
        return length;
      }
      at += length;
    }
    return 0;
  }

  private int nextLength() {
    int length = (int) next();
    if (length <= 0) {
      throw corrupt(null);
    }
    requireInside(length);
    return length;
  }
}
