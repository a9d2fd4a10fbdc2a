package io.bg3.core.keyspace;

import io.bg3.core.entry.Entries;
import io.bg3.core.snapshot.SnapshotClaim;
import io.bg3.core.tree.Tree;
import java.util.function.Supplier;

/**
 * Goes through what one tree holds of a range at a snapshot, copying one leaf at a time. Between
 * two leaves it holds nothing but the key to go on with; the tree is asked for anew for each leaf,
 * since an owner may have moved to another. Belongs to one thread.
 */
public final class LeafScan {
  /** A thread that wants more than so many entries is given all of each leaf. */
  public static final int LARGE = 256;

  private static final int GROWTH = 8;

  private final Supplier<Tree> route;
  private final long snapshot;
  private final SnapshotClaim claim;
  private final boolean values;
  private final ScanOrder order;
  private Entries page; // null when it has been given back
  private int most;
  private byte[] low;
  private byte[] high;
  private int at;
  private boolean last;

  /**
   * @param claim what keeps the versions of the snapshot; looked at after each leaf
   * @param most about so many entries are wanted
   * @param page columns for the copies; belong to this scan until {@link #release}
   */
  public LeafScan(
      Supplier<Tree> route,
      byte[] low,
      byte[] high,
      long snapshot,
      SnapshotClaim claim,
      boolean values,
      ScanOrder order,
      int most,
      Entries page) {
    this.route = route;
    this.low = low;
    this.high = high;
    this.snapshot = snapshot;
    this.claim = claim;
    this.values = values;
    this.order = order;
    this.most = most;
    this.page = page;
    page.clear();
    this.at = order == ScanOrder.FORWARD ? -1 : 0;
  }

  /** Goes to the next entry; false at the end. */
  boolean next() {
    while (true) {
      if (order == ScanOrder.FORWARD ? ++at < page.count() : --at >= 0) {
        return true;
      }
      if (last) {
        at =
            order == ScanOrder.FORWARD ? page.count() - 1 : 0; // stays there, also when asked again
        return false;
      }
      copyLeaf();
    }
  }

  private void copyLeaf() {
    page.clear();
    if (order == ScanOrder.FORWARD) {
      low = route.get().copyForward(low, high, snapshot, values, most, page);
      last = low == null;
      at = -1;
    } else {
      high = route.get().copyBackward(low, high, snapshot, values, most, page);
      last = high == null;
      at = page.count();
    }
    most = most > LARGE ? Integer.MAX_VALUE : most * GROWTH; // more were wanted than was said
    claim.check(); // a snapshot that was given up may lack versions
  }

  /** Gives the columns back: nothing of this scan may be asked for any more. */
  Entries release() {
    Entries columns = page;
    page = null;
    return columns;
  }

  /** The copied entries, of which {@link #index} is the current one. */
  Entries page() {
    return page;
  }

  int index() {
    return at;
  }
}
