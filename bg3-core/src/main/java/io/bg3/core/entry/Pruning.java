package io.bg3.core.entry;

/**
 * Drops the versions that nobody reads, and the stamps that nobody asks for (R9), in place. An
 * entry that may expire keeps its stamp, and goes when it has expired for all snapshots (R13).
 *
 * <p>Of a settled version nothing older is kept, so it is the last of its key. If it is a
 * tombstone, nobody sees anything of it; but the stored base may hold what it hides, so it stays as
 * long as it is marked (R3).
 */
public final class Pruning {
  private Pruning() {}

  /** Prunes sorted entries whose older versions are marked as such. */
  public static void apply(Entries entries, Horizon horizon) {
    if (!entries.hasStamps() && !entries.hasOps()) {
      return;
    }
    int kept = 0;
    int count = entries.count();
    for (int i = 0; i < count; ) {
      int end = i + 1;
      while (end < count && Op.isOlder(entries.op(end))) {
        end++;
      }
      kept = pruneKey(entries, i, end, kept, horizon);
      i = end;
    }
    entries.truncate(kept);
  }

  /**
   * Prunes the versions of one key and moves what stays to {@code kept}; says where the next key
   * goes.
   */
  public static int pruneKey(Entries entries, int from, int to, int kept, Horizon horizon) {
    long newer = Long.MAX_VALUE;
    int next = kept;
    for (int i = from; i < to; i++) {
      long stamp = entries.stamp(i);
      if (i == from || horizon.keeps(stamp, newer)) {
        if (stamp != 0 && stamp <= horizon.floor() && !entries.keepsStamp(i)) {
          entries.setStamp(i, 0);
        }
        entries.move(i, next++);
      }
      newer = stamp;
    }
    int last = next - 1;
    if (last == kept && entries.mayGo(last, horizon)) {
      return kept;
    }
    boolean needless =
        Op.isTombstone(entries.op(last))
            && !Op.isUnstored(entries.op(last))
            && entries.stamp(last) == 0;
    return needless ? last : next;
  }
}
