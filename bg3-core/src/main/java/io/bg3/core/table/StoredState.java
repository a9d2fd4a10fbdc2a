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
 * <p>A leaf may be in storage with its topology in memory as well, for readers that want no values.
 * Its state is then the address of the block, which is a multiple of 16, with bit 1 set. The values
 * that such a block and its base refer to are not there. A commit may add a delta with entries that
 * are not stored yet. All other threads treat the page as one that is in storage only.
 *
 * <p>The newest stamp is not below any stamp in the page that a registered snapshot may tell from
 * one that is settled; 0 if all are settled. It is kept to the last bit: the first snapshots behind
 * an opening are the newest stamp in the store, which all of its pages carry, and would find each
 * of them changed if it were rounded up.
 */
public final class StoredState {
  private static final long TOPOLOGY = 2;

  private StoredState() {}

  /** The state of a stored page whose topology is in memory at this address. */
  public static long ofTopology(long block) {
    assert block > 0 && (block & TOPOLOGY) == 0 : block;
    return block | TOPOLOGY;
  }

  /** Whether a state is that of a page in storage with its topology in memory. */
  public static boolean hasTopology(long state) {
    return state > 0 && (state & TOPOLOGY) != 0;
  }

  /** The address of the topology, for a state that has one; other states as they are. */
  public static long topology(long state) {
    return hasTopology(state) ? state & ~TOPOLOGY : state;
  }

  /**
   * The state of a stored page.
   *
   * @param newest the newest stamp in the page; 0 if all are settled
   */
  public static long of(long newest) {
    assert newest >= 0 : newest;
    return Long.MIN_VALUE | newest;
  }

  /** Whether a state is that of a page that is in storage, and in memory not or not as a whole. */
  public static boolean isStored(long state) {
    return state < 0 || hasTopology(state);
  }

  /**
   * Whether nothing in a page of this state, which is a stored one, is newer than a stamp. Where
   * the topology is in memory the state does not say so.
   */
  public static boolean isUnchangedSince(long state, long stamp) {
    assert isStored(state) : state;
    return state < 0 && (state & Long.MAX_VALUE) <= stamp;
  }
}
