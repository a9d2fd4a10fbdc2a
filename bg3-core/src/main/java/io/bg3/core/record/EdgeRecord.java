package io.bg3.core.record;

import io.bg3.core.limit.Limit;
import io.bg3.storage.format.CorruptionException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The value of an edge entry. An edge has two entries: the one under its source holds all of this,
 * the one under its target only the id that the user gave, if any. No bytes at all stand for an
 * edge with neither id nor properties.
 *
 * <pre>
 *   u8      flags       1 = an id that the user gave follows
 *   with flag 1: varint length, the id as an encoded value ({@link ValueCodec})
 *   varint  properties  how many; then for each: varint key code, varint length, encoded value
 * </pre>
 *
 * <p>Valid if and only if E1: it ends with its last property, and E2: no key stands twice.
 */
public final class EdgeRecord {
  private static final int USER_ID = 1;
  private static final int MIN_PROPERTY_BYTES = 3;
  private static final byte[] EMPTY = new byte[0];

  private final Object userId;
  private final List<PropertyCell> properties;

  /** A record without properties; a null id stands for the id that BG3 gives the edge. */
  public EdgeRecord(Object userId) {
    this(userId, new ArrayList<>());
  }

  private EdgeRecord(Object userId, List<PropertyCell> properties) {
    this.userId = userId;
    this.properties = properties;
  }

  /** The id that the user gave, of the class in which it was given; null if there is none. */
  public Object userId() {
    return userId;
  }

  /** The properties in the order they were set; a view. */
  public List<PropertyCell> properties() {
    return Collections.unmodifiableList(properties);
  }

  /** The property with this key, null if there is none. */
  public PropertyCell property(int key) {
    for (PropertyCell property : properties) {
      if (property.key() == key) {
        return property;
      }
    }
    return null;
  }

  /** The value of a property of this record. */
  public Object value(PropertyCell property) {
    return property.value();
  }

  /**
   * Sets a property where it stands, or behind the others.
   *
   * @throws io.bg3.core.limit.LimitExceededException if it would be one too many
   */
  public void set(PropertyCell cell) {
    for (int i = 0; i < properties.size(); i++) {
      if (properties.get(i).key() == cell.key()) {
        properties.set(i, cell);
        return;
      }
    }
    Limit.EDGE_PROPERTIES.check(properties.size() + 1L);
    properties.add(cell);
  }

  /**
   * Puts the sort key, which does not stand in the record, in front of the properties. It is taken
   * out again by {@link #remove} before the record is encoded.
   */
  public EdgeRecord withSortKey(int key, long sortKey) {
    byte[] value = ValueCodec.encode(sortKey);
    properties.add(0, new PropertyCell(key, value, 0, value.length));
    return this;
  }

  /** Removes the property with this key; false if there is none. */
  public boolean remove(int key) {
    return properties.removeIf(cell -> cell.key() == key);
  }

  /** The entry under the source. */
  public byte[] encode() {
    return encode(properties);
  }

  /** The entry under the target. */
  public byte[] encodeTopology() {
    return encode(List.of());
  }

  private byte[] encode(List<PropertyCell> cells) {
    if (userId == null && cells.isEmpty()) {
      return EMPTY;
    }
    RecordWriter to = new RecordWriter();
    to.u8(userId == null ? 0 : USER_ID);
    if (userId != null) {
      to.sized(ValueCodec.encode(userId));
    }
    to.varint(cells.size());
    for (PropertyCell cell : cells) {
      to.varint(cell.key());
      cell.writeBare(to);
    }
    return to.toBytes();
  }

  /**
   * Takes a value apart.
   *
   * @throws CorruptionException if the bytes are not valid
   */
  public static EdgeRecord decode(byte[] bytes) {
    if (bytes.length == 0) {
      return new EdgeRecord(null);
    }
    RecordReader from = new RecordReader("edge record", bytes);
    Object userId = userId(from, bytes);
    int count = from.length("properties", MIN_PROPERTY_BYTES);
    List<PropertyCell> properties = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int key = from.number("key", 1, EdgeId.MAX_LABEL);
      int length = from.number("length", 1, from.remaining());
      properties.add(new PropertyCell(key, bytes, from.skip(length), length));
    }
    from.end();
    return new EdgeRecord(userId, properties);
  }

  /** The bytes of a record with the id of one record and the properties of another. */
  public static byte[] withIdOf(byte[] named, byte[] record) {
    EdgeRecord properties = decode(record);
    return new EdgeRecord(userId(named), properties.properties).encode();
  }

  /** The bytes of what stands under the target, from those under the source. */
  public static byte[] topology(byte[] record) {
    return new EdgeRecord(userId(record)).encodeTopology();
  }

  /** The id that the user gave, null if there is none, without looking at the properties. */
  public static Object userId(byte[] bytes) {
    return bytes.length == 0 ? null : userId(new RecordReader("edge record", bytes), bytes);
  }

  private static Object userId(RecordReader from, byte[] bytes) {
    if (from.number("flags", 0, USER_ID) == 0) {
      return null;
    }
    int length = from.number("length", 1, from.remaining());
    return ValueCodec.decode(bytes, from.skip(length), length);
  }
}
