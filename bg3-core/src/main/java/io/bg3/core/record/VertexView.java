package io.bg3.core.record;

import io.bg3.storage.format.CorruptionException;
import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * Labels and properties of a vertex ({@link VertexRecord}), read where they stand. Of a key with
 * several values the first is shown, and no meta-properties.
 *
 * <p>Belongs to one thread.
 */
public final class VertexView extends EncodedProperties {
  private int[] labels = new int[1];
  private int labelCount;
  private int[] keys = new int[4];
  private int[] starts = new int[4];
  private int[] lengths = new int[4];
  private int count;
  private byte[] record;

  /** The values that stand apart, by property; null where there are none. */
  private byte[][] large;

  /** A view of nothing yet. */
  public VertexView() {
    super("vertex record");
  }

  /**
   * Looks at a record.
   *
   * @param large gives the encoded value that stands apart, by the property's number
   * @throws CorruptionException if it is not one
   */
  public VertexView on(byte[] vertex, IntFunction<byte[]> large) {
    record = vertex;
    bytes = vertex;
    end = vertex.length;
    at = 1;
    labelCount = 0;
    count = 0;
    this.large = null;
    try {
      if (vertex[0] != VertexRecord.VERSION) {
        throw corrupt(null);
      }
      for (int left = (int) next(); left > 0; left--) {
        addLabel((int) next());
      }
      next(); // the number of the next property
      for (int left = (int) next(); left > 0; left--) {
        addProperty(large);
      }
    } catch (IndexOutOfBoundsException e) {
      throw corrupt(e);
    }
    return this;
  }

  private void addLabel(int label) {
    if (labelCount == labels.length) {
      labels = Arrays.copyOf(labels, 2 * labelCount);
    }
    labels[labelCount++] = label;
  }

  private void addProperty(IntFunction<byte[]> apart) {
    int key = (int) next();
    int number = (int) next();
    int flags = bytes[at++];
    int length = (int) next();
    if (count == keys.length) {
      keys = Arrays.copyOf(keys, 2 * count);
      starts = Arrays.copyOf(starts, 2 * count);
      lengths = Arrays.copyOf(lengths, 2 * count);
    }
    keys[count] = key;
    starts[count] = at;
    lengths[count] = length;
    if ((flags & VertexRecord.LARGE) == 0) {
      skip(length);
    } else {
      keepLarge(apart.apply(number));
    }
    count++;
    if ((flags & VertexRecord.USER_ID) != 0) {
      skip((int) next());
    }
    if ((flags & VertexRecord.META) != 0) {
      for (int left = (int) next(); left > 0; left--) {
        next(); // key
        int metaFlags = bytes[at++];
        int metaLength = (int) next();
        skip((metaFlags & VertexRecord.LARGE) != 0 ? 0 : metaLength);
      }
    }
  }

  private void keepLarge(byte[] value) {
    if (large == null || large.length < keys.length) {
      large = large == null ? new byte[keys.length][] : Arrays.copyOf(large, keys.length);
    }
    large[count] = value;
  }

  private void skip(int length) {
    requireInside(length);
    at += length;
  }

  /** Whether this label is one of the vertex's. */
  public boolean hasLabel(int code) {
    for (int i = 0; i < labelCount; i++) {
      if (labels[i] == code) {
        return true;
      }
    }
    return false;
  }

  @Override
  int find(int key) {
    for (int i = 0; i < count; i++) {
      if (keys[i] == key) {
        boolean apart = large != null && i < large.length && large[i] != null;
        bytes = apart ? large[i] : record;
        at = apart ? 0 : starts[i];
        end = bytes.length;
        return lengths[i];
      }
    }
    return 0;
  }
}
