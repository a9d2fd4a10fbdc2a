package io.bg3.server.dispatch;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes of heap that requests may take together from the moment at which they are decoded until
 * they have ended.
 *
 * <ul>
 *   <li>M1: a small request is always let in, and counted: workers hold only so many at once, and a
 *       client that fills the budget must not shut out the others. A request that is kept for
 *       longer than a worker runs has to ask {@link #fits} before.
 *   <li>M2: all requests that are not small take the limit at most, and those of one owner a
 *       quarter of it. An owner that holds no more than a small request may have one that is larger
 *       than its share.
 * </ul>
 *
 * <p>Threads: any.
 */
public final class Budget {
  /** Bytes of a request that needs no room. */
  public static final long SMALL = 256 << 10;

  /** The share of an owner is this part of the limit. */
  private static final int SHARE = 4;

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

  /** Takes so many bytes for a client; false if there is no room for them. */
  public boolean take(Client client, long bytes) {
    AtomicLong own = client.owner.decoded;
    long ownBefore = own.getAndAdd(bytes);
    if (bytes <= SMALL) {
      used.addAndGet(bytes);
      return true;
    }
    boolean isOver = ownBefore > SMALL && ownBefore + bytes > share();
    if (isOver || !takeLarge(bytes)) {
      own.addAndGet(-bytes);
      return false;
    }
    return true;
  }

  private boolean takeLarge(long bytes) {
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

  /**
   * Whether a client may keep what it has taken for longer than a worker runs: its owner has its
   * share at most, and when more is taken than there is, no more than a small request.
   */
  public boolean fits(Client client) {
    long own = client.owner.decoded.get();
    return own <= SMALL || (own <= share() && used.get() <= limit);
  }

  /** Gives back bytes that the client took. */
  public void give(Client client, long bytes) {
    used.addAndGet(-bytes);
    client.owner.decoded.addAndGet(-bytes);
  }

  /** Bytes that are taken. */
  public long used() {
    return used.get();
  }

  /** Bytes that the owner of a client has taken. */
  public long used(Client client) {
    return client.owner.decoded.get();
  }

  /** Bytes that there are. */
  public long limit() {
    return limit;
  }

  /** Bytes that one owner may take. */
  public long share() {
    return limit / SHARE;
  }
}
