package io.bg3.core.sort;

import java.io.IOException;

/**
 * Edge entries in the order of their keys, each shown once. The accessors describe the entry that
 * the last call of {@link #next} has moved to. Belongs to one thread.
 */
public interface SortedEntries {
  /** Moves to the next entry; false behind the last one. */
  boolean next() throws IOException;

  /** The vertex that the entry belongs to. */
  long owner();

  /** Tag and label in one number. */
  int tagLabel();

  /** The vertex at the other end. */
  long other();

  /** The value, an array that the caller may keep. */
  byte[] value();

  /** Compares the entries at which two of them stand, by owner, tag and label, and other end. */
  static int compare(SortedEntries a, SortedEntries b) {
    int order = Long.compare(a.owner(), b.owner());
    order = order == 0 ? Integer.compareUnsigned(a.tagLabel(), b.tagLabel()) : order;
    return order == 0 ? Long.compare(a.other(), b.other()) : order;
  }
}
