package io.bg3.core.transaction;

import io.bg3.core.entry.DegreeKey;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.keyspace.KeySpace;
import io.bg3.core.keyspace.Write;
import io.bg3.core.tree.Tree;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The counts of owners that were applied last: degrees, and counters of labels. Looked up, or
 * remembered of owners whose degrees are kept and which have been written lately (R43).
 *
 * <pre>
 *   a commit that keeps degrees      {@link #newestKept}: what is remembered, else a look-up
 *   a counter in the same commit     {@link #newest}, likewise
 *   its entries are in the pages     {@link #applied}: what it has written is what was applied last
 *   a commit that writes a marker    {@link #forget}, before anything of it is in the pages
 * </pre>
 *
 * <p>The owners share slots; of two with one slot, one is remembered at a time. Heap: {@value
 * #SLOTS} owners with {@value #MOST} counts each at most, about 1.1 MB; 0.4 MB with two counts
 * each.
 *
 * <p>Threads: any that holds the stripe of the owner exclusively, from its first call until its
 * writes are in the pages. So a thread finds what the one before it has left, and what is
 * remembered of an owner changes under no other thread's hands.
 */
final class AppliedCounts {
  static final int SLOTS = 4_096;
  private static final int MOST = 16;
  private static final int ABSENT = -1;

  /** The counts of one owner that are remembered; guarded by its stripe. */
  private static final class Remembered {
    private final long owner;
    private int count;
    private int[] names = new int[2];
    private long[] values = new long[2];

    Remembered(long owner) {
      this.owner = owner;
    }

    private boolean isOf(long other) {
      return owner == other;
    }

    /** The index of a count; {@link #ABSENT} if it is not remembered. */
    private int find(int name) {
      for (int i = 0; i < count; i++) {
        if (names[i] == name) {
          return i;
        }
      }
      return ABSENT;
    }

    private void add(int name, long value) {
      if (count == MOST) {
        return;
      }
      if (count == names.length) {
        names = Arrays.copyOf(names, 2 * count);
        values = Arrays.copyOf(values, 2 * count);
      }
      names[count] = name;
      values[count] = value;
      count++;
    }
  }

  private final Validation validation;
  private final AtomicReferenceArray<Remembered> slots = new AtomicReferenceArray<>(SLOTS);

  AppliedCounts(Validation validation) {
    this.validation = validation;
  }

  /** Whether counts of an owner are remembered. */
  boolean remembers(long owner) {
    return of(owner) != null;
  }

  /**
   * Remembers the counts of an owner from now on.
   *
   * @param key of the first one, which has been looked up
   */
  void remember(long owner, byte[] key, long value) {
    Remembered remembered = new Remembered(owner);
    remembered.add(name(key), value);
    slots.set(slot(owner), remembered);
  }

  /** Forgets the counts of an owner. */
  void forget(long owner) {
    if (remembers(owner)) {
      slots.set(slot(owner), null); // if another owner has got the slot meanwhile, it goes too
    }
  }

  /**
   * The count that was applied last under a key, 0 if there is none.
   *
   * @param key of a degree or of a counter of a label
   */
  long newest(byte[] key) {
    Remembered known = of(EdgeKey.owner(key));
    int name = name(key);
    int at = known == null ? ABSENT : known.find(name);
    if (at != ABSENT) {
      return known.values[at];
    }
    long value = CounterIncrements.decode(validation.newest(KeySpace.EDGES, key));
    if (known != null) {
      known.add(name, value);
    }
    return value;
  }

  /**
   * As the method above, of an owner whose degrees are kept; its counts are remembered from now on.
   *
   * @param tree that has the key, for a look-up
   */
  long newestKept(Tree tree, byte[] key) {
    long owner = EdgeKey.owner(key);
    Remembered known = of(owner);
    int at = known == null ? ABSENT : known.find(name(key));
    if (at != ABSENT) {
      return known.values[at];
    }
    long value = CounterIncrements.decode(validation.newest(tree, key));
    if (known == null) {
      remember(owner, key, value);
    } else {
      known.add(name(key), value);
    }
    return value;
  }

  /** Says that counts which were asked for have been written, and are in the pages. */
  void applied(List<Write> writes) {
    for (Write write : writes) {
      Remembered known = of(EdgeKey.owner(write.key));
      int at = known == null ? ABSENT : known.find(name(write.key));
      if (at != ABSENT) {
        known.values[at] = CounterIncrements.decode(write.value);
      }
    }
  }

  private Remembered of(long owner) {
    Remembered found = slots.get(slot(owner));
    return found != null && found.isOf(owner) ? found : null;
  }

  /** Which of an owner's counts a key is: tag and label of the entries, or of the counter. */
  private static int name(byte[] key) {
    int tagLabel = EdgeKey.tagLabel(key);
    return DegreeKey.isOne(tagLabel) ? DegreeKey.tagLabel(EdgeKey.other(key)) : tagLabel;
  }

  static int slot(long owner) {
    return (int) ((owner * 0x9E3779B97F4A7C15L) >>> 32) & (SLOTS - 1);
  }
}
