package io.bg3.core.graph;

import io.bg3.core.transaction.EdgeCursor;

/**
 * Visible links of one source and label, in their order, pulled one by one.
 *
 * <p>Threads: those that may use the transaction.
 */
public final class LinkScan implements AutoCloseable {
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
    synchronized (lock) {
      if (left == 0) {
        return false;
      }
      while (cursor.next()) {
        if (skip > 0) {
          skip--;
          continue;
        }
        left--;
        link.set(
            cursor.owner(), cursor.other(), label.sorted(cursor.sortKey()), true, cursor.value());
        return true;
      }
      left = 0;
      return false;
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
