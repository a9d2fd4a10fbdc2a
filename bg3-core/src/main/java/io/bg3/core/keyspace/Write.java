package io.bg3.core.keyspace;

/** One buffered write: the last one of its transaction for its key. */
public final class Write {
  /** The key; not to be changed. */
  public final byte[] key;

  /** Null for a removal. */
  public final byte[] value;

  /**
   * When its transaction first put the key, counted in its writes; kept by later puts. A cursor
   * opened before shows the key only if it was there before the transaction. Of a removal, when the
   * key was first removed.
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
   * The write before {@code born}, if a cursor that shows what is removed later was opened while it
   * was the last one: a put before a removal, or a removal before a put. Else null.
   */
  private final Write earlier;

  /**
   * The location of the value in the VALUE stream, 0 if it stays in the page. Set while the commit
   * is prepared.
   */
  public long location;

  /** A write that has no large value stored, to a key that had none before. */
  public Write(byte[] key, byte[] value, long born) {
    this(key, value, born, false);
  }

  /** A write that has no large value stored, to a key that had none before. */
  Write(byte[] key, byte[] value, long born, boolean isNew) {
    this(key, value, born, born, isNew, null);
  }

  private Write(byte[] key, byte[] value, long born, long at, boolean isNew, Write earlier) {
    this.key = key;
    this.value = value;
    this.born = born;
    this.at = at;
    this.isNew = isNew;
    this.earlier = earlier;
  }

  /**
   * The write of the same key that comes after this one.
   *
   * @param newValue null for a removal
   * @param now number of the write in its transaction
   * @param kept the last moment at which a cursor was opened that shows what is removed later
   */
  Write replacedBy(byte[] newValue, long now, long kept) {
    boolean isSameKind = isPut() == (newValue != null);
    Write before = isSameKind || born > kept ? earlier : this;
    return new Write(key, newValue, isSameKind ? born : now, now, isNew, before);
  }

  /**
   * The write that was the last one at a moment, or has replaced it and is of its kind; null if
   * there was none. The moment is one at which a cursor was opened that shows what is removed
   * later.
   */
  public Write asOf(long moment) {
    Write write = this;
    while (write != null && write.born > moment) {
      write = write.earlier;
    }
    return write;
  }

  /** The put before this removal, where one is kept; else null. */
  public Write removed() {
    Write write = isPut() ? null : earlier;
    while (write != null && !write.isPut()) {
      write = write.earlier;
    }
    return write;
  }

  /** Whether it writes a value; otherwise it removes the key. */
  public boolean isPut() {
    return value != null;
  }
}
