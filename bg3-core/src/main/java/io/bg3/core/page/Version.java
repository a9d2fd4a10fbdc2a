package io.bg3.core.page;

import io.bg3.core.entry.Op;

/**
 * One version of a key, filled by {@link LeafFormat#get}. A thread that uses it for the next
 * look-up too allocates nothing but the value. Belongs to one thread.
 */
public final class Version {
  private byte op;
  private byte[] value;
  private long stamp;

  void set(byte newOp, byte[] newValue, long newStamp) {
    op = newOp;
    value = newValue;
    stamp = newStamp;
  }

  /** The stamp of an entry that may expire (R13); 0 for all others. */
  public long stamp() {
    return stamp;
  }

  /**
   * The op of the version: {@link Op#PUT}, {@link Op#TOMBSTONE} or {@link Op#LOCATION}, no other
   * bits.
   */
  public byte op() {
    return op;
  }

  /**
   * A copy of the value of its own; empty if there is none, 8 bytes if the op is a location.
   *
   * @throws IllegalStateException if the look-up has read no value
   */
  public byte[] value() {
    if (value == null) {
      throw new IllegalStateException("the look-up did not read the value");
    }
    return value;
  }

  /** Whether the key is absent in this version. */
  public boolean isTombstone() {
    return Op.isTombstone(op);
  }

  @Override
  public String toString() {
    return "Version[" + Op.toString(op) + ", bytes=" + (value == null ? 0 : value.length) + "]";
  }
}
