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

  /**
   * Goes past the next entries, as so many calls of {@link #next} do, and in less time.
   *
   * @param most of them; none is passed if it is not above 0
   * @return how many there were; fewer than {@code most} if there are no more
   * @throws IllegalStateException if the cursor or its transaction is closed
   */
  default int skip(int most) {
    int skipped = 0;
    while (skipped < most && next()) {
      skipped++;
    }
    return skipped;
  }

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
   * Shows where the value of the entry stands, which spares the copy that {@link #value()} makes.
   *
   * @param into shows it until the cursor goes on or is closed; nothing if the cursor was opened
   *     without values
   */
  default void value(ValueView into) {
    byte[] value = value();
    into.set(value == null ? ValueView.NOTHING : value, 0, value == null ? 0 : value.length);
  }

  /** Whether the entry has been removed, as {@link ByteCursor#isRemoved} says. */
  boolean isRemoved();

  /**
   * Lets go of the cursor, also of its entry. Entries that it has not reached count as not read.
   * Closing twice does nothing.
   */
  @Override
  void close();
}
