package io.bg3.core.page;

import io.bg3.core.block.ValueBlock;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Op;
import io.bg3.storage.memory.BlockMemory;

/**
 * Reads base and delta of a leaf as one sequence of entries. A delta's versions of a key stand
 * before the base's; behind a settled version nothing of the key counts, so there the base's
 * versions are left out.
 */
final class LeafMerge {
  private final LeafBlock base;

  /** Null where there is none, or none that concerns the range. */
  private final LeafBlock delta;

  private final BlockMemory memory;

  LeafMerge(LeafBlock base, LeafBlock delta, BlockMemory memory) {
    this.base = base;
    this.delta = delta;
    this.memory = memory;
  }

  /**
   * Adds the entries of a range that a snapshot sees, settled and without marks.
   *
   * @param into null to count them
   * @return how many there are
   */
  int copyVisible(byte[] low, byte[] high, long snapshot, boolean withValues, Entries into) {
    int seen = 0;
    ValueBlock baseValues = withValues ? base.values(memory) : null;
    int b = low == null ? 0 : base.find(low);
    int baseEnd = high == null ? base.count : base.find(high);
    if (delta != null) {
      ValueBlock deltaValues = withValues ? delta.values(memory) : null;
      int d = low == null ? 0 : delta.find(low);
      int deltaEnd = high == null ? delta.count : delta.find(high);
      while (d < deltaEnd) {
        int next = delta.groupEnd(d);
        int version = delta.visible(d, next, snapshot);
        if (version >= 0) {
          int same = base.find(delta, d, b);
          seen += copyVisible(base, b, same, snapshot, baseValues, into);
          if (!Op.isTombstone(delta.op(version))) {
            seen += copyPlain(delta, version, version + 1, deltaValues, into);
          }
          b = same < base.count && base.hasKey(same, delta, d) ? base.groupEnd(same) : same;
        }
        d = next;
      }
    }
    return seen + copyVisible(base, b, baseEnd, snapshot, baseValues, into);
  }

  /** Adds all versions of all entries, with marks and stamps. */
  void copyAll(Entries into) {
    copyAll(false, into);
  }

  /**
   * Adds the versions that are marked, as {@link #copyAll(Entries)} adds them; perhaps others among
   * them.
   */
  void copyMarked(Entries into) {
    copyAll(true, into);
  }

  private void copyAll(boolean onlyMarked, Entries into) {
    ValueBlock baseValues = base.values(memory);
    int b = 0;
    if (delta != null) {
      ValueBlock deltaValues = delta.values(memory);
      for (int d = 0; d < delta.count; ) {
        int next = delta.groupEnd(d);
        int same = base.find(delta, d, b);
        copyBase(b, same, baseValues, onlyMarked, into);
        b = same;
        delta.copyRaw(d, next, deltaValues, into);
        if (same < base.count && base.hasKey(same, delta, d)) {
          b = base.groupEnd(same);
          copyOlder(base, same, b, delta.stamp(next - 1), baseValues, into);
        }
        d = next;
      }
    }
    copyBase(b, base.count, baseValues, onlyMarked, into);
  }

  /** Adds entries of the base: those of a range, or the marked ones among them. */
  private void copyBase(int from, int to, ValueBlock values, boolean onlyMarked, Entries into) {
    int first = from;
    if (onlyMarked) {
      for (int i = from; i < to; i++) {
        if (!Op.isUnstored(base.op(i))) {
          base.copyRaw(first, i, values, into);
          first = i + 1;
        }
      }
    }
    base.copyRaw(first, to, values, into);
  }

  /** Adds those of the base's versions of a key that are older than the delta's oldest. */
  static void copyOlder(
      LeafBlock base, int from, int to, long oldest, ValueBlock values, Entries into) {
    for (int i = from; i < to; i++) {
      if (base.stamp(i) < oldest) {
        int copy = into.count();
        base.copyRaw(i, i + 1, values, into);
        into.setOp(copy, into.op(copy) | Op.OLDER);
      }
    }
  }

  private static int copyVisible(
      LeafBlock block, int from, int to, long snapshot, ValueBlock values, Entries into) {
    if (block.isPlainFor(snapshot)) {
      return copyPlain(block, from, to, values, into);
    }
    int seen = 0;
    int plain = from;
    for (int i = from; i < to; ) {
      int next = block.groupEnd(i);
      int version = block.visible(i, next, snapshot);
      boolean gone = version < 0 || Op.isTombstone(block.op(version));
      if (next > i + 1 || gone) {
        seen += copyPlain(block, plain, i, values, into);
        if (!gone) {
          seen += copyPlain(block, version, version + 1, values, into);
        }
        plain = next;
      }
      i = next;
    }
    return seen + copyPlain(block, plain, to, values, into);
  }

  private static int copyPlain(LeafBlock block, int from, int to, ValueBlock values, Entries into) {
    if (into != null) {
      block.copyPlain(from, to, values, into);
    }
    return Math.max(0, to - from);
  }
}
