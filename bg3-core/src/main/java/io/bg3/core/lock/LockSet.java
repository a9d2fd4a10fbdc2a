package io.bg3.core.lock;

import java.util.Arrays;

/**
 * The locks that a commit needs: the whole gate, or the gate shared and a set of stripes, each once
 * in the stronger of the modes asked for.
 *
 * <p>Built by {@link #add} and {@link #addGate}, then {@linkplain #seal sealed}; after that stripes
 * are ascending and without duplicates. Belongs to one thread.
 */
public final class LockSet {
  /** More stripes than this held shared are taken as the whole gate. */
  static final int MOST_SHARED = 1_000;

  private int[] codes = new int[2]; // stripe << 1 | exclusive
  private int count;
  private boolean gate;
  private boolean sealed;

  /** Asks for a stripe. */
  public void add(int stripe, boolean exclusive) {
    assert !sealed;
    int code = stripe << 1 | (exclusive ? 1 : 0);
    if (count > 0 && codes[count - 1] == code) {
      return;
    }
    if (count == codes.length) {
      codes = Arrays.copyOf(codes, 2 * count);
    }
    codes[count++] = code;
  }

  /** The whole gate. */
  public static LockSet all() {
    LockSet all = new LockSet();
    all.addGate();
    return all.seal();
  }

  /** Asks for the whole gate. */
  public void addGate() {
    gate = true;
  }

  /** Sorts, and joins what was asked for twice. */
  public LockSet seal() {
    assert !sealed;
    Arrays.sort(codes, 0, count);
    int kept = 0;
    int shared = 0;
    for (int i = 0; i < count; i++) {
      boolean strongest = i + 1 == count || codes[i + 1] >> 1 != codes[i] >> 1;
      if (strongest) {
        codes[kept++] = codes[i];
        shared += 1 - (codes[i] & 1);
      }
    }
    count = kept;
    gate |= shared > MOST_SHARED;
    sealed = true;
    return this;
  }

  /** Whether the whole gate is needed; then the stripes need not be taken. */
  public boolean isGate() {
    return gate;
  }

  int count() {
    return count;
  }

  int stripe(int i) {
    return codes[i] >> 1;
  }

  boolean isExclusive(int i) {
    return (codes[i] & 1) != 0;
  }

  /** Whether this has every lock of {@code that}. */
  public boolean covers(LockSet that) {
    assert sealed && that.sealed;
    if (gate || that.gate) {
      return gate;
    }
    int mine = 0;
    for (int i = 0; i < that.count; i++) {
      while (mine < count && codes[mine] >> 1 < that.stripe(i)) {
        mine++;
      }
      if (mine == count || codes[mine] >> 1 != that.stripe(i) || codes[mine] < that.codes[i]) {
        return false;
      }
    }
    return true;
  }

  /** The locks of this set and of {@code that}. */
  public LockSet union(LockSet that) {
    LockSet union = new LockSet();
    union.gate = gate || that.gate;
    union.codes = Arrays.copyOf(codes, count + that.count);
    System.arraycopy(that.codes, 0, union.codes, count, that.count);
    union.count = count + that.count;
    return union.seal();
  }

  @Override
  public String toString() {
    return "LockSet[gate=" + gate + ", stripes=" + count + "]";
  }
}
