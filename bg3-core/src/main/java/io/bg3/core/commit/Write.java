package io.bg3.core.commit;

/** One buffered write: the last one of its transaction for its key. */
final class Write {
  final byte[] key;

  /** Null for a removal. */
  final byte[] value;

  /**
   * When its transaction first put the key, counted in its writes; kept by later puts. A cursor
   * opened before shows the key only if it was there before the transaction.
   */
  final long born;

  /**
   * Where the value lies in the VALUE stream, 0 if it stays in the page. Set while the commit is
   * prepared.
   */
  long location;

  Write(byte[] key, byte[] value, long born) {
    this.key = key;
    this.value = value;
    this.born = born;
  }

  boolean isPut() {
    return value != null;
  }
}
