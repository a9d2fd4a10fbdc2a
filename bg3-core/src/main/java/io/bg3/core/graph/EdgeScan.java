package io.bg3.core.graph;

import io.bg3.core.commit.EdgeCursor;
import java.util.function.IntFunction;

/**
 * Edges of one vertex, or of all, as one transaction sees them: one range of entries after the
 * other. What its own transaction adds while the scan is open is not shown, what it removes
 * meanwhile is skipped.
 *
 * <p>Threads: those that may use the transaction.
 */
public final class EdgeScan implements AutoCloseable {
  private final Object lock;
  private final IntFunction<EdgeCursor> ranges;
  private final int count;
  private int range;
  private EdgeCursor cursor;

  /** A scan over {@code count} ranges, each opened when the one before it is done. */
  EdgeScan(Object lock, int count, IntFunction<EdgeCursor> ranges) {
    this.lock = lock;
    this.count = count;
    this.ranges = ranges;
  }

  /**
   * Goes to the next edge; false if there is none.
   *
   * @throws IllegalStateException if the transaction has ended
   */
  public boolean next() {
    synchronized (lock) {
      while (true) {
        if (cursor == null) {
          if (range == count) {
            return false;
          }
          cursor = ranges.apply(range++);
        }
        if (cursor.next()) {
          return true;
        }
        cursor.close();
        cursor = null;
      }
    }
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
    return Tags.tag(cursor.tagLabel()) == Tags.OUT;
  }

  /** The code of the edge's label. */
  public int label() {
    return Tags.label(cursor.tagLabel());
  }

  /** The edge, seen from its source. */
  public EdgeId edge() {
    return isOut()
        ? new EdgeId(cursor.owner(), label(), cursor.other(), cursor.sequence())
        : new EdgeId(cursor.other(), label(), cursor.owner(), cursor.sequence());
  }

  /**
   * What the entry says about the edge: all of it if it leaves its owner, only the id that the user
   * gave if it enters it. The scan must have been opened with values.
   */
  public EdgeRecord record() {
    synchronized (lock) {
      return EdgeRecord.decode(cursor.value());
    }
  }

  /**
   * The id that the user gave, null if there is none. The scan must have been opened with values.
   */
  public Object userId() {
    synchronized (lock) {
      return EdgeRecord.userId(cursor.value());
    }
  }

  /** Lets go of the scan. What it has not reached counts as not read. */
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
