package io.bg3.core.keyspace;

import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Op;
import io.bg3.core.value.ValueGroup;
import io.bg3.storage.extent.Location;

/**
 * The large values of a leaf that a scan has copied: a thread that asks for one is likely to ask
 * for those that follow, so they are read together (R61).
 *
 * <p>The first group is the value that is asked for. A group whose values have all been asked for
 * is followed by one that is {@value #GROWTH} times as large, and one of which few have been by a
 * smaller one. So a thread that looks at some values only has few others read.
 *
 * <p>Belongs to one thread.
 */
public final class ScannedValues {
  private static final int GROWTH = 4;

  /** The records of a group take so many bytes at most, if there are several. */
  private static final long MOST_BYTES = 256 << 10;

  private final ValueGroup group = new ValueGroup();

  /** Where in the leaf the entries of the group stand. */
  private final int[] indexes = new int[ValueGroup.MOST];

  /** The value of the group that was asked for last, and how many were before. */
  private int at;

  private int asked;
  private int size = 1;

  /** Begins a scan. */
  void begin() {
    clear();
    size = 1;
  }

  /** Forgets the values: another leaf is copied. */
  void clear() {
    if (group.count() > 0) {
      boolean all = asked == group.count();
      size = all ? Math.min(ValueGroup.MOST, size * GROWTH) : Math.max(1, asked);
      group.clear();
      asked = 0;
    }
  }

  /** The values that are read together. */
  public ValueGroup group() {
    return group;
  }

  /**
   * Finds an entry of the leaf in the group.
   *
   * @return the index in the group; -1 if the entry is not in it
   */
  public int find(int index) {
    for (int i = at; i < group.count(); i++) {
      if (indexes[i] == index) {
        if (i > at) {
          at = i;
          asked++;
        }
        return i;
      }
    }
    return -1;
  }

  /**
   * Makes a group of the value of an entry, which is the first, and of those that follow in the
   * order of the scan.
   */
  public void gather(Entries page, int index, ScanOrder order) {
    clear();
    at = 0;
    asked = 1;
    int step = order == ScanOrder.BACKWARD ? -1 : 1;
    long bytes = 0;
    for (int i = index; i >= 0 && i < page.count() && group.count() < size; i += step) {
      if (Op.isLocation(page.op(i))) {
        long location = ValueStore.location(page.valueArray(), page.valueStart(i));
        bytes += Location.bytes(location);
        if (i != index && bytes > MOST_BYTES) {
          return;
        }
        indexes[group.count()] = i;
        group.add(page.key(i), location);
      }
    }
  }
}
