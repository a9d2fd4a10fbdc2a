package io.bg3.core.graph;

import io.bg3.core.transaction.EdgeCursor;

/**
 * Visible links of one source and label, in their order, pulled one by one.
 *
 * <p>Threads: those that may use the transaction.
 */
public final class LinkScan implements AutoCloseable {
  private static final int STEP = 1024; // links that are passed over under the lock at once

  private final Object lock;
  private final EdgeLabel label;
  private final EdgeCursor cursor;
  private final Link link = new Link();
  private long skip;
  private int left;

  LinkScan(Object lock, EdgeLabel label, EdgeCursor cursor, long offset, int limit) {
    this.lock = lock;
    this.label = label;
    this.cursor = cursor;
    this.skip = offset;
    this.left = limit;
  }

  /**
   * Goes to the next link; false if there is none.
   *
   * @throws IllegalStateException if the scan is closed or the transaction has ended
   */
  public boolean next() {
    return next(() -> {});
  }

  /**
   * Goes to the next link, as {@link #next()} does. Before the first one the scan passes as many
   * links as it was told to.
   *
   * @param pause called after each 1,024 links that were passed over, outside of the lock; what it
   *     throws ends the search
   */
  public boolean next(Runnable pause) {
    while (true) {
      synchronized (lock) {
        for (int read = 0; read < STEP; read++) {
          if (left == 0) {
            return false;
          }
          if (!cursor.next()) {
            left = 0;
            return false;
          }
          if (skip == 0) {
            left--;
            link.set(
                cursor.owner(),
                cursor.other(),
                label.sorted(cursor.sortKey()),
                true,
                cursor.value());
            return true;
          }
          skip--;
        }
      }
      pause.run();
    }
  }

  /** The current link: one object, which {@link #next} overwrites. */
  public Link link() {
    return link;
  }

  /** Lets go of the scan. Links that it has not reached count as not read. */
  @Override
  public void close() {
    synchronized (lock) {
      cursor.close();
    }
  }
}
