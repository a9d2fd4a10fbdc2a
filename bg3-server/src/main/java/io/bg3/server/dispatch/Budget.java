package io.bg3.server.dispatch;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes of heap that requests may take together from the moment at which they are decoded until
 * they have ended.
 *
 * <p>Small requests are always let in, and counted: workers hold only so many at once, and a client
 * that fills the budget must not shut out the others. A request that is kept for longer than a
 * worker runs has to ask {@link #fits} before.
 *
 * <p>Threads: any.
 */
public final class Budget {
  /** Bytes of a request that needs no room. */
  public static final long SMALL = 256 << 10;

  private final AtomicLong used = new AtomicLong();
  private final long limit;

  /**
   * A budget of which nothing is used.
   *
   * @param limit bytes; a request alone may exceed it
   */
  public Budget(long limit) {
    this.limit = limit;
  }

  /** Takes so many bytes; false if there is no room for them. */
  public boolean take(long bytes) {
    if (bytes <= SMALL) {
      used.addAndGet(bytes);
      return true;
    }
    while (true) {
      long before = used.get();
      if (before > 0 && before + bytes > limit) {
        return false;
      }
      if (used.compareAndSet(before, before + bytes)) {
        return true;
      }
    }
  }

  /** Whether no more is taken than there is. */
  public boolean fits() {
    return used.get() <= limit;
  }

  /** Gives back what was taken. */
  public void give(long bytes) {
    used.addAndGet(-bytes);
  }

  /** Bytes that are taken. */
  public long used() {
    return used.get();
  }

  /** Bytes that there are. */
  public long limit() {
    return limit;
  }
}
