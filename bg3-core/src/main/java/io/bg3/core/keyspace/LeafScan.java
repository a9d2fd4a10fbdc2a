package io.bg3.core.keyspace;

import io.bg3.core.entry.Entries;
import io.bg3.core.snapshot.SnapshotClaim;
import io.bg3.core.thread.PerThread;
import io.bg3.core.tree.LeafPrefetch;
import io.bg3.core.tree.LeafSource;

/**
 * Goes through what one tree, or the tree of one owner, holds of a range at a snapshot, copying one
 * leaf at a time. Between two leaves it holds nothing but the key to go on with: an owner may have
 * moved to another tree. Belongs to one thread.
 */
public final class LeafScan {
  /** A thread that wants more than so many entries is given all of each leaf. */
  public static final int LARGE = 256;

  private static final int GROWTH = 8;

  private final PerThread<ReadBuffers> buffers;
  private final LeafSource source;
  private final long snapshot;
  private final SnapshotClaim claim;
  private final boolean values;
  private final ScanOrder order;
  private Entries page; // null when it has been given back
  private ScannedValues large; // null before one is asked for, and as page
  private int most;
  private byte[] low;
  private byte[] high;
  private int at;
  private boolean last;
  private int leaves;
  private int fetched; // so many leaves have been asked for
  private int ahead = 1;

  /**
   * @param buffers of the threads that scan, one after the other
   * @param claim what keeps the versions of the snapshot; looked at after each leaf
   * @param most about so many entries are wanted
   * @param page columns for the copies; belong to this scan until {@link #release}
   */
  public LeafScan(
      PerThread<ReadBuffers> buffers,
      LeafSource source,
      byte[] low,
      byte[] high,
      long snapshot,
      SnapshotClaim claim,
      boolean values,
      ScanOrder order,
      int most,
      Entries page) {
    this.buffers = buffers;
    this.source = source;
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

  /**
   * Goes past the next entries, one after the other or a leaf's at once.
   *
   * @return how many there were; fewer than {@code most} at the end
   */
  int skip(int most) {
    int left = most;
    while (true) {
      int here = Math.min(left, order == ScanOrder.FORWARD ? page.count() - 1 - at : at);
      if (here > 0) {
        at += order == ScanOrder.FORWARD ? here : -here;
        left -= here;
      }
      if (left == 0 || !next()) {
        return most - left;
      }
      left--;
    }
  }

  private void copyLeaf() {
    ReadBuffers mine = buffers.get();
    page.clear();
    if (large != null) {
      large.clear();
    }
    if (order == ScanOrder.FORWARD) {
      readAhead();
      low = source.copyForward(low, high, snapshot, values, most, page, mine.read);
      last = low == null;
    } else {
      high = source.copyBackward(low, high, snapshot, values, most, page);
      last = high == null;
    }
    mine.tally.addPage(page.count());
    claim.expiry().drop(page);
    at = order == ScanOrder.FORWARD ? -1 : page.count();
    most = most > LARGE ? Integer.MAX_VALUE : most * GROWTH; // more were wanted than was said
    claim.check(); // a snapshot that was given up may lack versions
  }

  /** Has the next leaves loaded together, more of them the longer the scan is. */
  private void readAhead() {
    if (most == Integer.MAX_VALUE && ++leaves > fetched) {
      if (ahead > 1) {
        source.prefetch(low, high, values, ahead);
      }
      fetched += ahead;
      ahead = Math.min(LeafPrefetch.AHEAD, 2 * ahead);
    }
  }

  /** Gives the columns back: nothing of this scan may be asked for any more. */
  Entries release() {
    if (large != null) {
      buffers.get().giveLarge(large);
      large = null;
    }
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

  /** Large values of the copied entries. */
  ScannedValues large() {
    if (large == null) {
      large = buffers.get().takeLarge();
    }
    return large;
  }
}
