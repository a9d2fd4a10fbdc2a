package io.bg3.core.record;

import io.bg3.core.limit.Limit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A vertex property inside a {@link VertexRecord}: key, number, value, the id that the user gave,
 * and meta-properties.
 */
public final class PropertyRecord extends PropertyCell {
  static final int MIN_BYTES = 4;
  private static final int MIN_META_BYTES = 3;

  private final int number;
  private final Object userId;
  private volatile List<PropertyCell> metas;

  /** A property of a vertex without meta-properties. */
  public PropertyRecord(int number, Object userId, PropertyCell value) {
    super(value);
    this.number = number;
    this.userId = userId;
    this.metas = List.of();
  }

  /** The number of this property within its vertex; see {@link PropertyId}. */
  public int number() {
    return number;
  }

  /** The id that the user gave, of the class in which it was given; null if there is none. */
  public Object userId() {
    return userId;
  }

  /** The meta-properties in the order they were set; a view. */
  public List<PropertyCell> metas() {
    return Collections.unmodifiableList(metas);
  }

  /** The meta-property with this key, null if there is none. */
  public PropertyCell meta(int key) {
    for (PropertyCell meta : metas) {
      if (meta.key() == key) {
        return meta;
      }
    }
    return null;
  }

  /** Throws LimitExceededException if there is no room for another meta-property. */
  public void requireRoom() {
    Limit.META_PROPERTIES.check(metas.size() + 1L);
  }

  /** Sets a meta-property; the one with its key is replaced. */
  public void setMeta(PropertyCell meta) {
    List<PropertyCell> changed = new ArrayList<>(metas);
    changed.removeIf(cell -> cell.key() == meta.key());
    changed.add(meta);
    metas = changed;
  }

  /** Removes the meta-property with this key, if there is one. */
  public void removeMeta(int key) {
    List<PropertyCell> changed = new ArrayList<>(metas);
    changed.removeIf(cell -> cell.key() == key);
    metas = changed;
  }

  void write(RecordWriter to) {
    to.varint(key()).varint(number);
    writeValue(
        to,
        (metas.isEmpty() ? 0 : VertexRecord.META) | (userId == null ? 0 : VertexRecord.USER_ID));
    if (userId != null) {
      to.sized(ValueCodec.encode(userId));
    }
    if (!metas.isEmpty()) {
      to.varint(metas.size());
      for (PropertyCell meta : metas) {
        to.varint(meta.key());
        meta.writeValue(to, 0);
      }
    }
  }

  static PropertyRecord read(RecordReader from, byte[] bytes, int next) {
    return read(from.number("key", 1, EdgeId.MAX_LABEL), from, bytes, next);
  }

  /** Reads the next property if it has this key, else goes over it and returns null. */
  static PropertyRecord readIf(int wanted, RecordReader from, byte[] bytes, int next) {
    int key = from.number("key", 1, EdgeId.MAX_LABEL);
    if (key == wanted) {
      return read(key, from, bytes, next);
    }
    from.number("number", 1, next - 1L);
    int flags = flags(from);
    skipValue(from, flags);
    if ((flags & VertexRecord.USER_ID) != 0) {
      from.skip(from.number("length", 1, from.remaining()));
    }
    skipMetas(from, flags);
    return null;
  }

  /** Goes over the meta-properties of a property with these flags. */
  static void skipMetas(RecordReader from, int flags) {
    if ((flags & VertexRecord.META) != 0) {
      int count = from.length("meta-properties", MIN_META_BYTES);
      for (int i = 0; i < count; i++) {
        from.number("meta key", 1, EdgeId.MAX_LABEL);
        skipValue(from, from.number("flags", 0, VertexRecord.LARGE));
      }
    }
  }

  private static void skipValue(RecordReader from, int flags) {
    if ((flags & VertexRecord.LARGE) != 0) {
      from.number("length", 1, ValueCodec.MAX_BYTES);
    } else {
      from.skip(from.number("length", 1, from.remaining()));
    }
  }

  /** The flags of a property. */
  static int flags(RecordReader from) {
    return from.number("flags", 0, VertexRecord.LARGE | VertexRecord.META | VertexRecord.USER_ID);
  }

  private static PropertyRecord read(int key, RecordReader from, byte[] bytes, int next) {
    int number = from.number("number", 1, next - 1L);
    int flags = flags(from);
    PropertyCell value = PropertyCell.read(from, bytes, key, flags);
    Object userId = null;
    if ((flags & VertexRecord.USER_ID) != 0) {
      int length = from.number("length", 1, from.remaining());
      userId = ValueCodec.decode(bytes, from.skip(length), length);
    }
    PropertyRecord property = new PropertyRecord(number, userId, value);
    if ((flags & VertexRecord.META) != 0) {
      int count = from.length("meta-properties", MIN_META_BYTES);
      List<PropertyCell> metas = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        int metaKey = from.number("meta key", 1, EdgeId.MAX_LABEL);
        int metaFlags = from.number("flags", 0, VertexRecord.LARGE);
        metas.add(PropertyCell.read(from, bytes, metaKey, metaFlags));
      }
      property.metas = metas;
    }
    return property;
  }
}
