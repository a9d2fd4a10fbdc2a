package io.bg3.core.transaction;

import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Op;
import io.bg3.core.keyspace.KeySpace;
import io.bg3.core.keyspace.MergingScan;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.keyspace.SpaceWrites;
import io.bg3.core.keyspace.Write;
import java.util.Arrays;

/**
 * A range of a key space as one transaction sees it: what the trees hold at its snapshot, merged
 * with its own writes.
 *
 * <p>Own writes are looked up by key at each step, not iterated, so the transaction may write while
 * it scans. A key that it put after the scan was opened is shown only where the trees hold it too;
 * a removal hides at once.
 *
 * <p>What was passed is noted as read when the scan is closed: from the beginning to the last key
 * shown, or the whole range if its end was reached. Belongs to one thread.
 */
final class TransactionScan {
  private static final long UNKNOWN = -1;

  private enum Base {
    /** The next entry has not been fetched. */
    BEHIND,
    /** The current entry of the trees is due, or has just been shown. */
    AT,
    END
  }

  private final Transaction transaction;
  private final int space;
  private final byte[] low;
  private final byte[] high;
  private final ScanOrder order;
  private final MergingScan base;
  private final long opened;

  private Base state = Base.BEHIND;
  private Write own; // shown now, or null when the trees' entry is
  private byte[] lastKey; // shown or passed last, unless that is as follows

  /** Whether the trees' current entry was shown last, and {@code lastKey} is older. */
  private boolean isKeyThere;

  /** The first own write behind what was shown, as of when the transaction had written so often. */
  private Write nextOwn;

  private long nextOwnAsOf = UNKNOWN;
  private boolean onBase;
  private boolean ended;
  private boolean failed; // in the middle of the way to the next entry
  private boolean closed;

  /**
   * @param opened keys that the transaction has put later than at this moment are not shown
   */
  TransactionScan(
      Transaction transaction,
      int space,
      byte[] low,
      byte[] high,
      ScanOrder order,
      MergingScan base,
      long opened) {
    this.transaction = transaction;
    this.space = space;
    this.low = low;
    this.high = high;
    this.order = order;
    this.base = base;
    this.opened = opened;
  }

  boolean next() {
    if (closed) {
      throw new IllegalStateException("the cursor is closed: " + transaction);
    }
    if (ended) {
      return false;
    }
    SpaceWrites writes = transaction.writes().space(space);
    failed = true;
    boolean found = writes == null ? nextOfBase() : nextMerged(writes);
    failed = false;
    ended = !found;
    return found;
  }

  /**
   * Goes past the next entries, as {@link #next} does.
   *
   * @return how many there were; fewer than {@code most} if there are no more
   */
  int skip(int most) {
    if (transaction.writes().space(space) != null || closed || ended || most <= 0) {
      int skipped = 0;
      while (skipped < most && next()) {
        skipped++;
      }
      return skipped;
    }
    failed = true;
    int skipped = base.skip(most);
    failed = false;
    onBase = skipped == most;
    isKeyThere = onBase;
    ended = !onBase;
    state = onBase ? Base.BEHIND : Base.END;
    return skipped;
  }

  /** Without own writes: the trees' entries as they come. */
  private boolean nextOfBase() {
    onBase = base.next();
    isKeyThere = onBase;
    state = onBase ? Base.BEHIND : Base.END;
    return onBase;
  }

  private boolean nextMerged(SpaceWrites writes) {
    while (true) {
      Write write = nextWrite(writes);
      fetchBase();
      if (write == null && state == Base.END) {
        return false;
      }
      int compared = write == null ? -1 : state == Base.END ? 1 : compareBaseTo(write);
      if (compared < 0) {
        showBase();
        return true;
      }
      lastKey = write.key;
      isKeyThere = false;
      nextOwnAsOf = UNKNOWN;
      if (compared == 0) {
        state = Base.BEHIND;
      }
      if (write.isPut() && (compared == 0 || write.born <= opened)) {
        own = write;
        onBase = false;
        return true;
      }
    }
  }

  private void fetchBase() {
    if (state == Base.BEHIND) {
      if (isKeyThere && isLastOfPage()) {
        keepKey(); // of an entry that is gone, also if the next page cannot be read
      }
      state = base.next() ? Base.AT : Base.END;
    }
  }

  private boolean isLastOfPage() {
    return index() == (order == ScanOrder.FORWARD ? page().count() - 1 : 0);
  }

  private void keepKey() {
    lastKey = page().key(index());
    isKeyThere = false;
  }

  private void showBase() {
    own = null;
    onBase = true;
    isKeyThere = true;
    state = Base.BEHIND;
  }

  /**
   * The first own write behind what was shown and inside the range. Looked for only if the
   * transaction has written since the last time: else it is the one that was found then.
   */
  private Write nextWrite(SpaceWrites writes) {
    long now = transaction.writes().now();
    if (nextOwnAsOf != now) {
      if (isKeyThere) {
        keepKey();
      }
      nextOwn = findWrite(writes);
      nextOwnAsOf = now;
    }
    return nextOwn;
  }

  private Write findWrite(SpaceWrites writes) {
    boolean forward = order == ScanOrder.FORWARD;
    Write write;
    if (lastKey != null) {
      write = writes.next(lastKey, false, order);
    } else {
      write = forward ? writes.next(low, true, order) : writes.next(high, false, order);
    }
    if (write == null) {
      return null;
    }
    boolean inside =
        forward
            ? high == null || Arrays.compareUnsigned(write.key, high) < 0
            : low == null || Arrays.compareUnsigned(write.key, low) >= 0;
    return inside ? write : null;
  }

  /** Negative if the trees' entry comes first, 0 if both have the same key. */
  private int compareBaseTo(Write write) {
    int compared = base.page().compareKey(base.index(), write.key);
    return order == ScanOrder.FORWARD ? compared : -compared;
  }

  /** The transaction's own write that is shown, null if what is shown comes from the trees. */
  Write own() {
    return own;
  }

  /**
   * The columns in which the shown entry stands, at {@link #index}, unless it is an {@link #own}
   * write.
   */
  Entries page() {
    return base.page();
  }

  int index() {
    return base.index();
  }

  byte[] key() {
    return own == null ? page().key(index()) : own.key;
  }

  /** The value shown; a large one is read from storage. */
  byte[] value() {
    if (own != null) {
      return own.value;
    }
    byte[] value = page().value(index());
    return Op.isLocation(page().op(index()))
        ? transaction.valueAt(page().key(index()), space)
        : value;
  }

  /** Shows where the value stands; a large one is read from storage. */
  void value(ValueView into) {
    if (own != null) {
      into.set(own.value, 0, own.value.length);
      return;
    }
    Entries page = page();
    int i = index();
    if (Op.isLocation(page.op(i))) {
      byte[] value = transaction.valueAt(page.key(i), space);
      into.set(value, 0, value.length);
    } else {
      into.set(page.valueArray(), page.valueStart(i), page.valueLength(i));
    }
  }

  /**
   * Notes what was read and lets go.
   *
   * @return the columns that it copied into, for another scan of the space; null if there are none
   *     to give
   */
  Entries close(ReadSet reads) {
    closed = true;
    if (reads != null) {
      note(reads);
    }
    return base.release();
  }

  private void note(ReadSet reads) {
    if (ended || failed) {
      reads.addRange(space, low, high);
    } else if (own != null || onBase) {
      byte[] last = key();
      if (order == ScanOrder.FORWARD) {
        reads.addRange(space, low, KeySpace.successor(last));
      } else {
        reads.addRange(space, last, high);
      }
    }
  }

  int space() {
    return space;
  }

  boolean isClosed() {
    return closed;
  }
}
