package io.bg3.core.graph;

import io.bg3.core.record.EdgeId;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.record.OrderedEntry;
import io.bg3.core.transaction.EdgeCursor;
import java.util.function.IntFunction;

/**
 * Edges of one vertex, or of all, as one transaction sees them: one range of entries after the
 * other. Edges that its own transaction adds while the scan is open are not shown, edges that it
 * removes are skipped, or shown by a scan that is steady.
 *
 * <p>Threads: those that may use the transaction.
 */
public final class EdgeScan implements AutoCloseable {
  /** The entries of its ranges that a scan shows. */
  enum Shown {
    /** Every entry. */
    EACH,
    /** Of entries with all tags the one by which an edge is read. */
    ONCE,
    /** Of entries out of their source those whose edges are not hidden. */
    VISIBLE
  }

  /** So many entries that are not shown are read under the lock at once. */
  static final int STEP = 1024;

  private final Object lock;
  private final IntFunction<EdgeCursor> ranges;
  private final int count;
  private final Edges edges;
  private final Shown shown;
  private int range;
  private EdgeCursor cursor;

  /**
   * A scan over {@code count} ranges, each opened when the one before it is done, that shows every
   * entry. Records cannot be asked for where a label is ordered.
   */
  EdgeScan(Object lock, int count, IntFunction<EdgeCursor> ranges) {
    this(lock, count, ranges, null, Shown.EACH);
  }

  /**
   * A scan that can read records of every label and shows a choice of entries.
   *
   * @param shown with {@link Shown#VISIBLE} the ranges must have values
   */
  EdgeScan(Object lock, int count, IntFunction<EdgeCursor> ranges, Edges edges, Shown shown) {
    this.lock = lock;
    this.count = count;
    this.ranges = ranges;
    this.edges = edges;
    this.shown = shown;
  }

  /**
   * Goes to the next edge; false if there is none.
   *
   * @throws IllegalStateException if the transaction has ended
   */
  public boolean next() {
    return next(() -> {});
  }

  /**
   * Goes to the next edge, as {@link #next()} does. The next one may be far away, behind entries
   * that the scan does not show.
   *
   * @param pause called after each 1,024 entries that were not shown, outside of the lock; what it
   *     throws ends the search
   */
  public boolean next(Runnable pause) {
    while (true) {
      synchronized (lock) {
        if (advance(STEP)) {
          return true;
        }
        if (cursor == null) {
          return false;
        }
      }
      pause.run();
    }
  }

  /**
   * Goes past the next edges without showing them.
   *
   * @return how many there were; fewer than {@code most} if there are no more
   */
  int skip(int most) {
    synchronized (lock) {
      int skipped = 0;
      while (skipped < most && advance(Long.MAX_VALUE)) {
        skipped++;
        if (shown == Shown.EACH) {
          skipped += cursor.skip(most - skipped);
        }
      }
      return skipped;
    }
  }

  /**
   * Goes to the next edge; false if there is none, and then there is no cursor, or if so many
   * entries were passed over.
   */
  private boolean advance(long most) {
    long passed = 0;
    while (true) {
      if (cursor == null) {
        if (range == count) {
          return false;
        }
        cursor = ranges.apply(range++);
      }
      while (cursor.next()) {
        if (shown == Shown.EACH || isShown()) {
          return true;
        }
        if (++passed == most) {
          return false;
        }
      }
      cursor.close();
      cursor = null;
    }
  }

  private boolean isShown() {
    return switch (EdgeTags.tag(cursor.tagLabel())) {
      case EdgeTags.OUT ->
          edges.orderedLabel(label()) == null
              || (shown == Shown.VISIBLE && !OrderedEntry.decode(cursor.value()).isHidden());
      case EdgeTags.INDEX -> edges.orderedLabel(label()) != null; // else it is shown already
      default -> false;
    };
  }

  /** The vertex whose entry this is. */
  public long owner() {
    return cursor.owner();
  }

  /** The vertex at the other end. */
  public long other() {
    return cursor.other();
  }

  /** Whether the edge leaves its owner; false: it enters it. */
  public boolean isOut() {
    return EdgeTags.tag(cursor.tagLabel()) != EdgeTags.IN;
  }

  /** The code of the edge's label. */
  public int label() {
    return EdgeTags.label(cursor.tagLabel());
  }

  /** The sort key of the edge. The scan must go through the order of its label. */
  public long sortKey() {
    return edges.label(label()).sorted(cursor.sortKey());
  }

  /** The edge, seen from its source. */
  public EdgeId edge() {
    return isOut()
        ? new EdgeId(cursor.owner(), label(), cursor.other(), cursor.sequence())
        : new EdgeId(cursor.other(), label(), cursor.owner(), cursor.sequence());
  }

  /**
   * The part of the edge that the entry holds: all of it if it leaves its owner, only the id that
   * the user gave if it enters it. The scan must have been opened with values, and not be steady
   * unless the entry {@link #holdsRecord}.
   */
  public EdgeRecord record() {
    synchronized (lock) {
      assert !cursor.isRemoved();
      if (EdgeTags.tag(cursor.tagLabel()) == EdgeTags.INDEX) {
        return EdgeRecord.decode(cursor.value())
            .withSortKey(edges.label(label()).sortKeyCode(), sortKey());
      }
      return orderedLabel() == null ? EdgeRecord.decode(cursor.value()) : edges.record(edge());
    }
  }

  /**
   * Whether the entry holds the record that an edge which leaves its owner has now; else it is
   * looked up. That of an edge that was removed does not, nor where an order had the edge before.
   */
  public boolean holdsRecord() {
    return !cursor.isRemoved() && isWhole();
  }

  /** Whether the scan is steady, and the edge was removed since it was opened or has moved. */
  public boolean isRemoved() {
    return cursor.isRemoved();
  }

  private boolean isWhole() {
    return EdgeTags.tag(cursor.tagLabel()) == EdgeTags.INDEX || orderedLabel() == null;
  }

  /** The bytes of the entry; the scan must have been opened with values, and is locked. */
  byte[] value() {
    assert Thread.holdsLock(lock);
    return cursor.value();
  }

  /**
   * The id that the user gave, null if there is none. The scan must have been opened with values.
   */
  public Object userId() {
    synchronized (lock) {
      if (isWhole()) {
        return EdgeRecord.userId(cursor.value());
      }
      if (!OrderedEntry.decode(cursor.value()).isNamed()) {
        return null;
      }
      EdgeRecord record = cursor.isRemoved() ? edges.before(edge()) : edges.record(edge());
      return record == null ? null : record.userId();
    }
  }

  /** The label of an entry under the source if it is ordered, else null. */
  private EdgeLabel orderedLabel() {
    return edges == null || !isOut() ? null : edges.orderedLabel(label());
  }

  /** Whether the edge is loose: the vertices at its ends need not exist. */
  public boolean isLoose() {
    return edges != null && edges.isLoose(label());
  }

  /** Lets go of the scan. Edges that it has not reached count as not read. */
  @Override
  public void close() {
    synchronized (lock) {
      range = count;
      if (cursor != null) {
        cursor.close();
        cursor = null;
      }
    }
  }
}
