package io.bg3.core.transaction;

/**
 * The entries of a range of a byte-key tree, as one transaction sees them, pulled one by one.
 *
 * <p>A cursor starts before the first entry. It copies a page at a time and pins nothing in
 * between, so it may stay open for any length of time. It shows what was there when it was opened:
 * entries that its own transaction puts afterwards under new keys are not shown, so that a scan
 * that writes comes to an end; entries that its own transaction deletes meanwhile are no longer
 * shown, and values that it changes meanwhile are shown new. A steady cursor also shows the entries
 * that have been deleted since it was opened, with the values that they had. Ending the transaction
 * closes it.
 *
 * <p>Threads: belongs to the thread that uses the transaction.
 */
public interface ByteCursor extends AutoCloseable {
  /**
   * Goes to the next entry; false if there is none.
   *
   * @throws IllegalStateException if the cursor or its transaction is closed
   */
  boolean next();

  /** The key of the entry, valid after {@link #next} was true. The caller must not change it. */
  byte[] key();

  /** The value of the entry, large ones read from storage. The caller must not change it. */
  byte[] value();

  /**
   * Whether its transaction has deleted the entry since the cursor was opened: a steady cursor
   * alone shows such entries.
   */
  boolean isRemoved();

  /**
   * How many keys behind the entry, of those that the store holds, need no further page: for a
   * caller that announces what it is going to read. Is no read. The cursor need not show them, and
   * may show others between them: the transaction's own writes are not looked at. Forward only; 0
   * before the first entry.
   */
  int upcoming();

  /**
   * One of the keys that {@link #upcoming} counts. The caller must not change it.
   *
   * @param behind 1 for the next one, up to what {@link #upcoming} says now
   */
  byte[] upcoming(int behind);

  /**
   * Lets go of the cursor. Entries that it has not reached count as not read. Closing twice does
   * nothing.
   */
  @Override
  void close();
}
