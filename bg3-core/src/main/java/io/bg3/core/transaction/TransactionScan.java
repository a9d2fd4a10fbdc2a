package io.bg3.core.transaction;

import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Op;
import io.bg3.core.keyspace.KeySpace;
import io.bg3.core.keyspace.MergingScan;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.keyspace.ScannedValues;
import io.bg3.core.keyspace.SpaceWrites;
import io.bg3.core.keyspace.Write;
import io.bg3.core.keyspace.WriteSet;
import io.bg3.core.value.ValueGroup;
import java.util.Arrays;

/**
 * A range of a key space as one transaction sees it: what the trees hold at its snapshot, merged
 * with its own writes.
 *
 * <p>Own writes are looked up by key at each step, not iterated, so the transaction may write while
 * it scans. A key that it put after the scan was opened is shown only where the trees hold it too;
 * a removal hides at once. A steady scan shows exactly the keys that were there when it was opened,
 * also those that have been removed since, with the values that they had last.
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
  private final WriteSet writes;
  private final int space;
  private final byte[] low;
  private final byte[] high;
  private final ScanOrder order;
  private final MergingScan base;
  private final long opened;
  private final boolean steady;

  private Base state = Base.BEHIND;

  /** The trees' columns and the current entry in them; the trees may still be at one before it. */
  private Entries page;

  private int index;

  /**
   * The entries of the columns up to here follow the current one, with no own write in between, for
   * as long as the transaction has written so often.
   */
  private int plainEnd;

  private long plainAsOf;
  private Write own; // shown now, or null when the trees' entry is
  private byte[] lastKey; // shown or passed last, unless that is as follows

  /** Whether the trees' current entry was shown last, and {@code lastKey} is older. */
  private boolean isKeyThere;

  /** The first own write behind what was shown, as of when the transaction had written so often. */
  private Write nextOwn;

  private long nextOwnAsOf = UNKNOWN;
  private boolean onBase;
  private boolean removed; // what is shown
  private boolean ended;
  private boolean failed; // in the middle of the way to the next entry
  private boolean closed;

  /**
   * @param opened keys that the transaction has put later than at this moment are not shown
   * @param steady whether those that it has removed later are shown; then the writes of the
   *     transaction were told of the moment ({@link WriteSet#keepNow})
   */
  TransactionScan(
      Transaction transaction,
      int space,
      byte[] low,
      byte[] high,
      ScanOrder order,
      MergingScan base,
      long opened,
      boolean steady) {
    this.transaction = transaction;
    this.writes = transaction.writes();
    this.space = space;
    this.low = low;
    this.high = high;
    this.order = order;
    this.base = base;
    this.opened = opened;
    this.steady = steady;
  }

  boolean next() {
    if (index + 1 < plainEnd && writes.now() == plainAsOf) {
      index++;
      return true;
    }
    return nextOfTrees();
  }

  private boolean nextOfTrees() {
    if (closed) {
      throw new IllegalStateException("the cursor is closed: " + transaction);
    }
    if (ended) {
      return false;
    }
    catchUp();
    SpaceWrites ofSpace = writes.space(space);
    failed = true;
    boolean found = ofSpace == null ? nextOfBase() : nextMerged(ofSpace);
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
    if (writes.space(space) != null || closed || ended || most <= 0) {
      int skipped = 0;
      while (skipped < most && next()) {
        skipped++;
      }
      return skipped;
    }
    catchUp();
    failed = true;
    int skipped = base.skip(most);
    failed = false;
    ended = !arrive(skipped == most);
    return skipped;
  }

  /** Without own writes: the trees' entries as they come. */
  private boolean nextOfBase() {
    boolean found = arrive(base.next());
    if (found && order == ScanOrder.FORWARD && base.isOfOneTree()) {
      plainEnd = page.count();
      plainAsOf = writes.now();
    }
    return found;
  }

  /** Shows the entry that the trees have come to, if there is one. */
  private boolean arrive(boolean found) {
    own = null;
    removed = false;
    onBase = found;
    isKeyThere = found;
    state = found ? Base.BEHIND : Base.END;
    if (found) {
      lookAtBase();
    }
    return found;
  }

  private void lookAtBase() {
    page = base.page();
    index = base.index();
  }

  /** Has the trees go on to the current entry, where {@link #next} has passed some without them. */
  private void catchUp() {
    if (plainEnd > 0) {
      plainEnd = 0;
      int behind = index - base.index();
      if (behind > 0) {
        base.skip(behind);
      }
    }
  }

  private boolean nextMerged(SpaceWrites ofSpace) {
    while (true) {
      Write write = nextWrite(ofSpace);
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
      if (isShown(write, compared == 0)) {
        removed = !write.isPut();
        own = removed ? write.asOf(opened) : write; // null if the trees had it
        onBase = own == null;
        return true;
      }
    }
  }

  /** Whether the key of an own write is shown. */
  private boolean isShown(Write write, boolean isInTrees) {
    if (!steady) {
      return write.isPut() && (isInTrees || write.born <= opened);
    }
    Write then = write.asOf(opened);
    return then == null ? isInTrees : then.isPut();
  }

  private void fetchBase() {
    if (state == Base.BEHIND) {
      if (isKeyThere && isLastOfPage()) {
        keepKey(); // of an entry that is gone, also if the next page cannot be read
      }
      state = base.next() ? Base.AT : Base.END;
      if (state == Base.AT) {
        lookAtBase();
      }
    }
  }

  private boolean isLastOfPage() {
    return index == (order == ScanOrder.FORWARD ? page.count() - 1 : 0);
  }

  private void keepKey() {
    lastKey = page.key(index);
    isKeyThere = false;
  }

  private void showBase() {
    own = null;
    removed = false;
    onBase = true;
    isKeyThere = true;
    state = Base.BEHIND;
  }

  /**
   * The first own write behind what was shown and inside the range. Looked for only if the
   * transaction has written since the last time: else it is the one that was found then.
   */
  private Write nextWrite(SpaceWrites ofSpace) {
    long now = writes.now();
    if (nextOwnAsOf != now) {
      if (isKeyThere) {
        keepKey();
      }
      nextOwn = findWrite(ofSpace);
      nextOwnAsOf = now;
    }
    return nextOwn;
  }

  private Write findWrite(SpaceWrites ofSpace) {
    boolean forward = order == ScanOrder.FORWARD;
    Write write;
    if (lastKey != null) {
      write = ofSpace.next(lastKey, false, order);
    } else {
      write = forward ? ofSpace.next(low, true, order) : ofSpace.next(high, false, order);
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
    int compared = page.compareKey(index, write.key);
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
    return page;
  }

  int index() {
    return index;
  }

  byte[] key() {
    return own == null ? page.key(index) : own.key;
  }

  /** The entries that were copied from the trees together with the current one, and follow it. */
  int upcoming() {
    boolean isKnown = page != null && state != Base.END && order != ScanOrder.BACKWARD;
    return isKnown ? page.count() - 1 - index : 0;
  }

  /**
   * The key of an entry that follows in the columns.
   *
   * @param behind 1 for the next one
   */
  byte[] upcoming(int behind) {
    return page.key(index + behind);
  }

  /** The value shown; a large one is read from storage. */
  byte[] value() {
    if (own != null) {
      return own.value;
    }
    if (Op.isLocation(page.op(index))) {
      ScannedValues large = base.large();
      return large.group().value(read(large));
    }
    return page.value(index);
  }

  /** Shows where the value stands; a large one is read from storage. */
  void value(ValueView into) {
    if (own != null) {
      into.set(own.value, 0, own.value.length);
      return;
    }
    if (Op.isLocation(page.op(index))) {
      ScannedValues large = base.large();
      ValueGroup group = large.group();
      int at = read(large);
      into.set(group.array(at), group.start(at), group.length(at));
    } else {
      into.set(page.valueArray(), page.valueStart(index), page.valueLength(index));
    }
  }

  private int read(ScannedValues large) {
    return transaction.lookups().copied(space, page, index, order, large);
  }

  /**
   * Notes what was read and lets go.
   *
   * @return the columns that it copied into, for another scan of the space; null if there are none
   *     to give
   */
  Entries close(ReadSet reads) {
    closed = true;
    plainEnd = 0;
    if (reads != null) {
      note(reads);
    }
    page = null;
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

  /** Whether the transaction has removed the key that is shown since the scan was opened. */
  boolean isRemoved() {
    return removed;
  }

  int space() {
    return space;
  }

  boolean isClosed() {
    return closed;
  }
}
