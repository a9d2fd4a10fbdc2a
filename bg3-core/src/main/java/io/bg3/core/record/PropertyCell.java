package io.bg3.core.record;

/**
 * A key and its encoded value inside a record. A large value stands in the PROPERTIES tree; then
 * the cell knows only how long it is.
 */
public class PropertyCell {
  private final int key;
  private final int length;
  private final byte[] bytes;
  private final int offset;

  /** A value that stands in {@code bytes} from {@code offset} on; null bytes for a large one. */
  public PropertyCell(int key, byte[] bytes, int offset, int length) {
    assert key > 0 && length > 0 : key + ", " + length;
    this.key = key;
    this.bytes = bytes;
    this.offset = offset;
    this.length = length;
  }

  /** A copy of a cell. */
  public PropertyCell(PropertyCell same) {
    this(same.key, same.bytes, same.offset, same.length);
  }

  /** The code of the key. */
  public int key() {
    return key;
  }

  /** The number of bytes of the encoded value. */
  public int length() {
    return length;
  }

  /** Whether the value stands in an entry of its own. */
  public boolean isLarge() {
    return bytes == null;
  }

  /** The value, which must not be large. */
  public Object value() {
    assert !isLarge() : key;
    return ValueCodec.decode(bytes, offset, length);
  }

  void writeValue(RecordWriter to, int flags) {
    to.u8(flags | (isLarge() ? VertexRecord.LARGE : 0)).varint(length);
    if (!isLarge()) {
      to.raw(bytes, offset, length);
    }
  }

  /** Writes length and value without flags. */
  void writeBare(RecordWriter to) {
    assert !isLarge() : key;
    to.varint(length).raw(bytes, offset, length);
  }

  /** Reads what {@link #writeValue} wrote; the caller has read key and flags. */
  static PropertyCell read(RecordReader from, byte[] bytes, int key, int flags) {
    if ((flags & VertexRecord.LARGE) != 0) {
      return new PropertyCell(key, null, 0, from.number("length", 1, ValueCodec.MAX_BYTES));
    }
    int length = from.number("length", 1, from.remaining());
    int offset = from.skip(length);
    return new PropertyCell(key, bytes, offset, length);
  }
}
