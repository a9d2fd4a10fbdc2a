package io.bg3.core.page;

import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Op;

/**
 * Puts together the entries of a page's next delta: those of the old one and a batch that is newer.
 */
final class DeltaBuilder {
  /** Stamp of the newest version of a key that has none. */
  private static final long ABSENT = -1;

  private final LeafBlock base;

  /** Entries of the delta so far. */
  private final Entries old;

  private final Entries result;

  /**
   * The largest stamp in the page: only a batch that is not above it can hold what is there
   * already.
   */
  private final long newestOfPage;

  private boolean changed;

  DeltaBuilder(LeafBlock base, Entries old, long newestOfPage, Entries result) {
    this.base = base;
    this.old = old;
    this.newestOfPage = newestOfPage;
    this.result = result;
  }

  /**
   * Fills the result.
   *
   * @return false if the page has all of the batch already
   */
  boolean add(Entries batch, int from, int to) {
    int o = 0;
    for (int i = from; i < to; ) {
      int next = i + 1;
      while (next < to && batch.compareKeys(i, batch, next) == 0) {
        next++;
      }
      while (o < old.count() && old.compareKeys(o, batch, i) < 0) {
        result.append(old, o++);
      }
      boolean inOld = o < old.count() && old.compareKeys(o, batch, i) == 0;
      boolean replaced = addVersions(batch, i, next, inOld ? o : -1);
      if (inOld) {
        int end = old.groupEnd(o);
        for (; o < end; o++) {
          if (!replaced) {
            appendOld(o);
          }
        }
      }
      i = next;
    }
    while (o < old.count()) {
      result.append(old, o++);
    }
    return changed;
  }

  private void appendOld(int i) {
    result.append(old, i);
  }

  /**
   * Adds the new ones of a batch's versions of one key; says whether they replace all that was
   * there.
   */
  private boolean addVersions(Entries batch, int from, int to, int inOld) {
    long present = ABSENT - 1;
    for (int i = from; i < to; i++) {
      long stamp = batch.stamp(i);
      if (stamp != 0 && stamp <= newestOfPage) {
        if (present < ABSENT) {
          present = inOld >= 0 ? old.stamp(inOld) : newestInBase(batch, i);
        }
        if (stamp <= present) {
          return false;
        }
      }
      if (i > from && stamp == batch.stamp(i - 1)) {
        continue;
      }
      result.append(batch, i);
      result.setOp(result.count() - 1, (batch.op(i) & Op.MEANING) | Op.UNSTORED);
      changed = true;
      if (stamp == 0) {
        return true;
      }
    }
    return false;
  }

  private long newestInBase(Entries batch, int i) {
    int at = base.find(batch, i);
    return at < base.count && base.hasKey(at, batch, i) ? base.stamp(at) : ABSENT;
  }
}
