package io.bg3.core.record;

/**
 * Reads one property out of the bytes of edge records, where it is a short, int or long, without
 * taking the other properties apart. Belongs to one thread.
 */
public final class WholeNumber {
  /** The kinds of property that a record may have under the key. */
  public enum Found {
    /** No property. */
    NOTHING,
    /** A short, int or long: {@link #value} is it. */
    NUMBER,
    /** A value of another class. */
    OTHER
  }

  private final int key;
  private long value;

  /** Reads the property with this key code. */
  public WholeNumber(int key) {
    this.key = key;
  }

  /**
   * Looks for the property in a record, and keeps its value.
   *
   * @throws io.bg3.storage.format.CorruptionException if the bytes up to the property are not valid
   */
  public Found read(byte[] record) {
    if (record.length == 0) {
      return Found.NOTHING;
    }
    RecordReader from = new RecordReader("edge record", record);
    if (from.number("flags", 0, 1) != 0) {
      from.skip(from.number("length", 1, from.remaining()));
    }
    for (int left = from.length("properties", 1); left > 0; left--) {
      int code = from.number("key", 1, EdgeId.MAX_LABEL);
      int length = from.number("length", 1, from.remaining());
      if (code == key) {
        return read(from);
      }
      from.skip(length);
    }
    return Found.NOTHING;
  }

  private Found read(RecordReader from) {
    ValueTag tag = ValueTag.of(from.u8());
    if (tag == ValueTag.LONG || tag == ValueTag.INT || tag == ValueTag.SHORT) {
      value = from.signed();
      return Found.NUMBER;
    }
    return Found.OTHER;
  }

  /** The number that was read last. */
  public long value() {
    return value;
  }
}
