package io.bg3.core.tree;

import io.bg3.core.entry.Entries;
import io.bg3.core.page.PageRead;

/** Copies the entries of a range, one leaf at a time: those of a tree, or of one owner. */
public interface LeafSource {
  /**
   * Adds to {@code into}, ascending, what a snapshot sees of the keys from {@code low} on that
   * stand in the one leaf that {@code low} belongs to.
   *
   * @param low null from the first key
   * @param high exclusive; null to the last key
   * @param most about so many entries are wanted
   * @param read used for this call alone
   * @return where to go on, null at the end of the range
   */
  byte[] copyForward(
      byte[] low,
      byte[] high,
      long snapshot,
      boolean values,
      int most,
      Entries into,
      PageRead read);

  /** Copies as the method above, for a caller that has no views of pages from earlier reads. */
  default byte[] copyForward(
      byte[] low, byte[] high, long snapshot, boolean values, int most, Entries into) {
    return copyForward(low, high, snapshot, values, most, into, new PageRead());
  }

  /**
   * Adds to {@code into}, ascending, what a snapshot sees of the keys below {@code high} that stand
   * in the one leaf that the keys just below {@code high} belong to.
   *
   * @param low null from the first key
   * @param high exclusive; null to the last key
   * @param most about so many entries are wanted
   * @return the {@code high} to go on with, null at the end of the range
   */
  byte[] copyBackward(
      byte[] low, byte[] high, long snapshot, boolean values, int most, Entries into);

  /**
   * Loads the first leaves of a range together, as far as they are in storage only and there is
   * memory for them (R30): a hint for a scan.
   *
   * @param low null from the first key
   * @param high exclusive; null to the last key
   * @param values whether the scan will ask for values
   */
  void prefetch(byte[] low, byte[] high, boolean values, int leaves);

  /** Empty columns for such entries. */
  Entries newEntries();
}
