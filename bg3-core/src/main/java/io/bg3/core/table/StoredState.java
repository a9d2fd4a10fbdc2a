package io.bg3.core.table;

/**
 * The state of a page that is in storage only, as one word of the page table. A validator learns
 * from it whether anything in the page can be newer than a stamp, without loading the page.
 *
 * <pre>
 *  bits    field
 *    63    1: the only states that are negative
 *  62..20  the newest stamp in the page, rounded up to a multiple of 2^20: its milliseconds
 *  19..0   0
 * </pre>
 *
 * <p>The newest stamp is not below any stamp in the page that a registered snapshot may tell from
 * one that is settled; 0 if all are settled. It is rounded up and never down: a page that may hold
 * something newer is loaded and looked at.
 */
public final class StoredState {
  private static final long UNIT = 1L << 20;

  /** No commit has a stamp that is above it. */
  private static final long LARGEST = Long.MAX_VALUE & -UNIT;

  private StoredState() {}

  /**
   * The state of a stored page.
   *
   * @param newest the newest stamp in the page; 0 if all are settled
   */
  public static long of(long newest) {
    return Long.MIN_VALUE | roundedUp(newest);
  }

  private static long roundedUp(long newest) {
    return newest > LARGEST ? LARGEST : (newest + UNIT - 1) & -UNIT;
  }

  /** Whether a state is that of a page in storage only. */
  public static boolean isStored(long state) {
    return state < 0;
  }

  /** Whether nothing in a page of this state, which is a stored one, is newer than a stamp. */
  public static boolean isUnchangedSince(long state, long stamp) {
    assert isStored(state) : state;
    return (state & Long.MAX_VALUE) <= stamp;
  }
}
