package io.bg3.core.transaction;

/**
 * Where the value of a cursor's entry stands: a part of an array that belongs to the cursor. A
 * thread that reads many values keeps one view and copies nothing. Valid until the cursor goes on
 * or is closed. Belongs to one thread.
 */
public final class ValueView {
  static final byte[] NOTHING = {};

  private byte[] array = NOTHING;
  private int start;
  private int length;

  /** A view of nothing yet. */
  public ValueView() {}

  /** The array that holds the value. The caller must not change it. */
  public byte[] array() {
    return array;
  }

  /** Index of the value's first byte. */
  public int start() {
    return start;
  }

  /** Bytes of the value. */
  public int length() {
    return length;
  }

  void set(byte[] newArray, int newStart, int newLength) {
    array = newArray;
    start = newStart;
    length = newLength;
  }
}
