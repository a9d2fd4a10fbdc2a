package io.bg3.core.transaction;

/**
 * Edge entries of a range, as one transaction sees them, pulled one by one. The rules of {@link
 * ByteCursor} about its own transaction's writes, pages and threads hold here too.
 */
public interface EdgeCursor extends AutoCloseable {
  /**
   * Goes to the next entry; false if there is none.
   *
   * @throws IllegalStateException if the cursor or its transaction is closed
   */
  boolean next();

  /** The vertex whose adjacency the entry belongs to. */
  long owner();

  /** Tag in the two highest bits, label code in the others. */
  int tagLabel();

  /** The sort key of an index entry; 0 for an entry of another tag. */
  long sortKey();

  /** The vertex at the other end. */
  long other();

  /** The number of the edge among the parallel ones; unsigned. */
  int sequence();

  /**
   * The value of the entry, large ones read from storage; null if the cursor was opened without
   * values. The caller must not change it.
   */
  byte[] value();

  /**
   * Lets go of the cursor, also of its entry. Entries that it has not reached count as not read.
   * Closing twice does nothing.
   */
  @Override
  void close();
}
