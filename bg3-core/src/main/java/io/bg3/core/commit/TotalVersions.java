package io.bg3.core.commit;

import io.bg3.core.entry.Horizon;
import java.util.function.Supplier;

/**
 * The versions of one total, oldest first.
 *
 * <p>Threads: one adds at a time, any number read. A version is written behind the others and then
 * counted by a volatile write; a full array is replaced by a pruned copy, and a thread that still
 * reads the old one finds there all it needs.
 */
final class TotalVersions {
  private static final int CAPACITY = 16;

  private static final class Column {
    final long[] stamps;
    final long[] values;
    volatile int count;

    Column(int capacity) {
      stamps = new long[capacity];
      values = new long[capacity];
    }

    void append(long stamp, long value) {
      int at = count; // one writer
      stamps[at] = stamp;
      values[at] = value;
      count = at + 1;
    }
  }

  private volatile Column column;

  TotalVersions(long stamp, long value) {
    Column first = new Column(CAPACITY);
    first.append(stamp, value);
    column = first;
  }

  void add(long amount, long stamp, Supplier<Horizon> horizon) {
    Column now = column;
    if (now.count == now.stamps.length) {
      now = pruned(now, horizon.get());
      column = now;
    }
    now.append(stamp, now.values[now.count - 1] + amount);
  }

  /** The newest value at or below a snapshot. */
  long read(long snapshot) {
    Column now = column;
    for (int i = now.count - 1; i > 0; i--) {
      if (now.stamps[i] <= snapshot) {
        return now.values[i];
      }
    }
    return now.values[0];
  }

  int count() {
    return column.count;
  }

  /** A copy with what the horizon keeps, and room for as much again. */
  private static Column pruned(Column from, Horizon horizon) {
    int count = from.count;
    boolean[] kept = new boolean[count];
    int keptCount = 0;
    for (int i = 0; i < count; i++) {
      long newer = i + 1 < count ? from.stamps[i + 1] : Long.MAX_VALUE;
      kept[i] = keeps(horizon, from.stamps[i], newer);
      keptCount += kept[i] ? 1 : 0;
    }
    Column to = new Column(Math.max(CAPACITY, 2 * keptCount));
    for (int i = 0; i < count; i++) {
      if (kept[i]) {
        to.append(from.stamps[i], from.values[i]);
      }
    }
    return to;
  }

  private static boolean keeps(Horizon horizon, long stamp, long newer) {
    if (newer > horizon.cut()) {
      return true; // the newest at or below the cut, or above it
    }
    for (long snapshot : horizon.snapshots()) {
      if (stamp <= snapshot && snapshot < newer) {
        return true;
      }
    }
    return false;
  }
}
