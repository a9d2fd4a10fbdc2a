package io.bg3.core.entry;

import java.util.Arrays;

/** Entries whose keys are any bytes, in unsigned lexicographic order. */
public final class ByteEntries extends Entries {
  private byte[][] keys = {};

  /** No entries. */
  public ByteEntries() {}

  @Override
  public byte[] key(int i) {
    return keys[i].clone();
  }

  @Override
  public int compareKeys(int i, Entries that, int j) {
    return Arrays.compareUnsigned(keys[i], ((ByteEntries) that).keys[j]);
  }

  @Override
  public int compareKey(int i, byte[] key) {
    return Arrays.compareUnsigned(keys[i], key);
  }

  /** The key itself, not to be changed. */
  public byte[] sharedKey(int i) {
    return keys[i];
  }

  /** Adds a key that is not copied. */
  void appendSharedKey(byte[] key) {
    ensure(1);
    keys[count] = key;
  }

  /** The keys themselves, not to be changed. */
  public byte[][] sharedKeys() {
    return keys;
  }

  /** Puts a key that is not copied at {@code offset} behind the last entry, where there is room. */
  public void shareKey(int offset, byte[] key) {
    keys[count + offset] = key;
  }

  @Override
  void appendKey(Entries from, int i) {
    appendSharedKey(((ByteEntries) from).keys[i]);
  }

  @Override
  void appendKey(byte[] key) {
    appendSharedKey(key.clone());
  }

  @Override
  void appendKeys(Entries from, int first, int end) {
    System.arraycopy(((ByteEntries) from).keys, first, keys, count, end - first);
  }

  @Override
  void appendKeys(Entries from, int[] indexes, int more) {
    byte[][] their = ((ByteEntries) from).keys;
    for (int i = 0; i < more; i++) {
      keys[count + i] = their[indexes[i]];
    }
  }

  @Override
  void moveKey(int from, int to) {
    keys[to] = keys[from];
  }

  @Override
  void growKeys(int capacity) {
    keys = Arrays.copyOf(keys, capacity);
  }
}
