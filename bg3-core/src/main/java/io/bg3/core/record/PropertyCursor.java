package io.bg3.core.record;

/**
 * The properties of a vertex where they stand in its record ({@link VertexRecord}), one after the
 * other in the order they were set. No object is made of one but the value that is asked for.
 *
 * <p>Belongs to one thread. The cursor does not show later changes of the transaction.
 */
public final class PropertyCursor {
  private static final int NONE = 0;

  private final byte[] bytes;
  private final RecordReader from;
  private final int nextNumber;
  private int left;
  private int key;
  private int number;
  private boolean large;
  private int offset;
  private int length;
  private int idOffset;
  private int idLength;

  /** In front of the properties that begin at {@code start}. */
  PropertyCursor(String what, byte[] bytes, int start, int nextNumber) {
    this.bytes = bytes;
    this.from = new RecordReader(what, bytes, start, bytes.length - start);
    this.nextNumber = nextNumber;
    this.left = from.length("properties", PropertyRecord.MIN_BYTES);
  }

  /**
   * Goes to the next property; false if there is none.
   *
   * @throws io.bg3.storage.format.CorruptionException if the record is not valid there
   */
  public boolean next() {
    if (left == 0) {
      from.end();
      return false;
    }
    left--;
    key = from.number("key", 1, EdgeId.MAX_LABEL);
    number = from.number("number", 1, nextNumber - 1L);
    int flags = PropertyRecord.flags(from);
    large = (flags & VertexRecord.LARGE) != 0;
    length = from.number("length", 1, large ? ValueCodec.MAX_BYTES : from.remaining());
    offset = large ? NONE : from.skip(length);
    idLength = NONE;
    if (flags > VertexRecord.LARGE) {
      readRest(flags);
    }
    return true;
  }

  private void readRest(int flags) {
    if ((flags & VertexRecord.USER_ID) != 0) {
      idLength = from.number("length", 1, from.remaining());
      idOffset = from.skip(idLength);
    }
    PropertyRecord.skipMetas(from, flags);
  }

  /** The number of properties behind this one. */
  int left() {
    return left;
  }

  /** The code of the property's key. */
  public int key() {
    return key;
  }

  /** The number of the property within its vertex; see {@link PropertyId}. */
  public int number() {
    return number;
  }

  /** Whether the value stands in an entry of its own. */
  public boolean isLarge() {
    return large;
  }

  /** The value, which must not be large. */
  public Object value() {
    assert !large : key;
    return ValueCodec.decode(bytes, offset, length);
  }

  /** The id that the user gave, of the class in which it was given; null if there is none. */
  public Object userId() {
    return idLength == NONE ? null : ValueCodec.decode(bytes, idOffset, idLength);
  }
}
