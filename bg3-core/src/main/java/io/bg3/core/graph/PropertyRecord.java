package io.bg3.core.graph;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A vertex property inside a {@link VertexRecord}: key, number, value and meta-properties. */
public final class PropertyRecord extends PropertyCell {
  static final int MIN_BYTES = 4;
  private static final int MIN_META_BYTES = 3;

  private final int number;
  private volatile List<PropertyCell> metas;

  PropertyRecord(int number, PropertyCell value) {
    super(value);
    this.number = number;
    this.metas = List.of();
  }

  /** The number of this property within its vertex; see {@link PropertyId}. */
  public int number() {
    return number;
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

  void setMeta(PropertyCell meta) {
    List<PropertyCell> changed = new ArrayList<>(metas);
    changed.removeIf(cell -> cell.key() == meta.key());
    changed.add(meta);
    metas = changed;
  }

  void removeMeta(int key) {
    List<PropertyCell> changed = new ArrayList<>(metas);
    changed.removeIf(cell -> cell.key() == key);
    metas = changed;
  }

  void write(RecordWriter to) {
    to.varint(key()).varint(number);
    writeValue(to, metas.isEmpty() ? 0 : VertexRecord.META);
    if (!metas.isEmpty()) {
      to.varint(metas.size());
      for (PropertyCell meta : metas) {
        to.varint(meta.key());
        meta.writeValue(to, 0);
      }
    }
  }

  static PropertyRecord read(RecordReader from, byte[] bytes, int next) {
    int key = from.number("key", 1, EdgeId.MAX_LABEL);
    int number = from.number("number", 1, next - 1L);
    int flags = from.number("flags", 0, VertexRecord.LARGE | VertexRecord.META);
    PropertyCell value = PropertyCell.read(from, bytes, key, flags);
    PropertyRecord property = new PropertyRecord(number, value);
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
