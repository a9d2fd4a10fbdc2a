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

  /**
   * The location of the value in the VALUE stream, 0 if it stays in the page. Set while the commit
   * is prepared.
   */
  public long location;

  /** A write that has no large value stored. */
  public Write(byte[] key, byte[] value, long born) {
    this.key = key;
    this.value = value;
    this.born = born;
  }

  /** Whether it writes a value; otherwise it removes the key. */
  public boolean isPut() {
    return value != null;
  }
}
