package io.bg3.core.keyspace;

/** One buffered write: the last one of its transaction for its key. */
public final class Write {
  /** The key; not to be changed. */
  public final byte[] key;

  /** Null for a removal. */
  public final byte[] value;

  /**
   * When its transaction first put the key, counted in its writes; kept by later puts. A cursor
   * opened before shows the key only if it was there before the transaction.
   */
  public final long born;

  /** When its transaction last wrote the key, counted in its writes. */
  public final long at;

  /**
   * Whether its transaction knows that the key was absent at its snapshot. Since the first
   * committer wins, it is absent too when the write is committed. False where the transaction has
   * not looked.
   */
  public final boolean isNew;

  /**
   * The location of the value in the VALUE stream, 0 if it stays in the page. Set while the commit
   * is prepared.
   */
  public long location;

  /** A write that has no large value stored, to a key that had none before. */
  public Write(byte[] key, byte[] value, long born) {
    this(key, value, born, born, false);
  }

  /** A write that has no large value stored. */
  Write(byte[] key, byte[] value, long born, long at, boolean isNew) {
    this.key = key;
    this.value = value;
    this.born = born;
    this.at = at;
    this.isNew = isNew;
  }

  /** Whether it writes a value; otherwise it removes the key. */
  public boolean isPut() {
    return value != null;
  }
}
