package io.bg3.core.keyspace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The buffered writes of one transaction in one key space, in key order. Belongs to one thread.
 *
 * <p>They stand in an array while each new one has its place near the end, as few always have, and
 * many that were sorted; else in a tree.
 */
public final class SpaceWrites {
  /** So many writes are moved up in the array for a new one, at most. */
  static final int MOST_MOVED = 2_048;

  /** The space whose keys are written. */
  public final int space;

  private Write[] sorted = new Write[4];
  private int count;

  /** When the last of them was buffered. */
  private long last;

  /** Null while the array is used. */
  private TreeMap<byte[], Write> tree;

  SpaceWrites(int space) {
    this.space = space;
  }

  /**
   * Buffers a write over an earlier one of the same key.
   *
   * @param value null for a removal
   * @param now number of the write in its transaction
   * @param isNew {@link Write#isNew}; if there is an earlier write, what that says counts
   * @param kept the last moment at which a cursor was opened that shows what is removed later
   */
  void add(byte[] key, byte[] value, long now, boolean isNew, long kept) {
    int at = tree == null ? find(key) : -1;
    Write earlier = tree != null ? tree.get(key) : at >= 0 ? sorted[at] : null;
    Write write =
        earlier == null ? new Write(key, value, now, isNew) : earlier.replacedBy(value, now, kept);
    last = now;
    if (tree == null && at >= 0) {
      sorted[at] = write;
    } else if (tree == null && count + 1 + at <= MOST_MOVED) {
      insert(write, -1 - at);
    } else {
      growTree();
      tree.put(key, write);
    }
  }

  /**
   * Buffers removals over earlier writes of the same keys, as {@link #add} does one after the
   * other; those of keys that have no write yet in one pass.
   *
   * @param keys ascending, no two alike
   * @param now number of the first removal in its transaction
   * @param kept as {@link #add} has it
   */
  void removeKeys(List<byte[]> keys, long now, long kept) {
    List<Write> more = new ArrayList<>(keys.size());
    long number = now;
    for (byte[] key : keys) {
      if (tree == null && find(key) < 0) {
        more.add(new Write(key, null, number));
      } else {
        add(key, null, number, false, kept);
      }
      number++;
    }
    last = number - 1;
    addAll(more);
  }

  /** Buffers writes to keys that have none so far, ascending: all in one pass from the end. */
  void addAll(List<Write> more) {
    if (tree != null) {
      more.forEach(write -> tree.put(write.key, write));
      return;
    }
    int from = count - 1;
    int to = count + more.size();
    if (to > sorted.length) {
      sorted = Arrays.copyOf(sorted, Math.max(to, 2 * sorted.length));
    }
    count = to; // behind what may fail for want of memory
    for (int i = more.size() - 1; i >= 0; i--) {
      Write write = more.get(i);
      while (from >= 0 && Arrays.compareUnsigned(sorted[from].key, write.key) > 0) {
        sorted[--to] = sorted[from--];
      }
      sorted[--to] = write;
    }
  }

  private void insert(Write write, int at) {
    if (count == sorted.length) {
      sorted = Arrays.copyOf(sorted, 2 * count);
    }
    System.arraycopy(sorted, at, sorted, at + 1, count - at);
    sorted[at] = write;
    count++;
  }

  private void growTree() {
    if (tree == null) {
      tree = new TreeMap<>(Arrays::compareUnsigned);
      for (int i = 0; i < count; i++) {
        tree.put(sorted[i].key, sorted[i]);
      }
      sorted = null;
    }
  }

  /** The index of a key in the array; -1 - i if it is absent and belongs before the key at i. */
  private int find(byte[] key) {
    int low = 0;
    int high = count;
    if (count > 0 && Arrays.compareUnsigned(sorted[count - 1].key, key) < 0) {
      low = count;
    }
    while (low < high) {
      int middle = (low + high) >>> 1;
      int order = Arrays.compareUnsigned(sorted[middle].key, key);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return -1 - low;
  }

  /** Takes back the writes of some keys, ascending: all in one pass. */
  void removeAll(Iterable<byte[]> keys) {
    if (tree != null) {
      keys.forEach(tree::remove);
      return;
    }
    int from = 0;
    int to = 0;
    for (byte[] key : keys) {
      while (from < count && Arrays.compareUnsigned(sorted[from].key, key) < 0) {
        sorted[to++] = sorted[from++];
      }
      if (from < count && Arrays.equals(sorted[from].key, key)) {
        from++;
      }
    }
    System.arraycopy(sorted, from, sorted, to, count - from);
    to += count - from;
    Arrays.fill(sorted, to, count, null);
    count = to;
  }

  Write get(byte[] key) {
    if (tree != null) {
      return tree.get(key);
    }
    int at = find(key);
    return at < 0 ? null : sorted[at];
  }

  /** The keys that were written after so many writes of the transaction, ascending. */
  public List<byte[]> writtenSince(long since) {
    if (last <= since) {
      return List.of();
    }
    List<byte[]> keys = new ArrayList<>();
    Iterable<Write> all = tree != null ? tree.values() : Arrays.asList(sorted).subList(0, count);
    for (Write write : all) {
      if (write.at > since) {
        keys.add(write.key);
      }
    }
    return keys;
  }

  /** Whether any key was written after so many writes of the transaction. */
  public boolean isWrittenSince(long since) {
    return last > since;
  }

  /** The first write in a direction from a bound on; null if there is none. */
  public Write next(byte[] from, boolean inclusive, ScanOrder order) {
    boolean forward = order == ScanOrder.FORWARD;
    if (tree != null) {
      Map.Entry<byte[], Write> found = nextInTree(from, inclusive, forward);
      return found == null ? null : found.getValue();
    }
    int next;
    if (from == null) {
      next = forward ? 0 : count - 1;
    } else {
      int at = find(from);
      if (at >= 0) {
        next = inclusive ? at : forward ? at + 1 : at - 1;
      } else {
        next = forward ? -1 - at : -2 - at;
      }
    }
    return next < 0 || next >= count ? null : sorted[next];
  }

  private Map.Entry<byte[], Write> nextInTree(byte[] from, boolean inclusive, boolean forward) {
    if (from == null) {
      return forward ? tree.firstEntry() : tree.lastEntry();
    }
    if (forward) {
      return inclusive ? tree.ceilingEntry(from) : tree.higherEntry(from);
    }
    return inclusive ? tree.floorEntry(from) : tree.lowerEntry(from);
  }

  /**
   * The write at an index, in key order: for a caller that looks at all of them when no more come.
   */
  public Write at(int i) {
    if (tree != null) {
      sorted = tree.values().toArray(new Write[0]);
      count = sorted.length;
      tree = null;
    }
    return sorted[i];
  }

  /** Number of keys that are written. */
  public int count() {
    return tree != null ? tree.size() : count;
  }
}
