package io.bg3.core.table;

/**
 * The state of a page that is in storage only, as one word of the page table. A validator learns
 * from it whether anything in the page can be newer than a stamp, without loading the page.
 *
 * <pre>
 *  bits    field
 *    63    1: the only states that are negative
 *  62..0   the newest stamp in the page
 * </pre>
 *
 * <p>The newest stamp is not below any stamp in the page that a registered snapshot may tell from
 * one that is settled; 0 if all are settled. It is kept to the last bit: the first snapshots behind
 * an opening are the newest stamp in the store, which all of its pages carry, and would find each
 * of them changed if it were rounded up.
 */
public final class StoredState {
  private StoredState() {}

  /**
   * The state of a stored page.
   *
   * @param newest the newest stamp in the page; 0 if all are settled
   */
  public static long of(long newest) {
    assert newest >= 0 : newest;
    return Long.MIN_VALUE | newest;
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
