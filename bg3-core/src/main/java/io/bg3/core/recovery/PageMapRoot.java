package io.bg3.core.recovery;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The root of the page table in a manifest: where to find the records of the MAP stream that make
 * it up.
 *
 * <pre>
 *  size  field
 *     8  sequence  of the newest rows
 *     4  indexes   i, then i times: u64 location of a list of locations of segments, 1,024 each but the last
 *     4  lists     l, then l times: u64 location of a list of locations of 1,024 runs
 *     4  runs      r, then r times: u64 location of a run that is in no list
 * </pre>
 *
 * Entry k of list i is segment 1,024 * i + k; 0 stands for one without rows, and so do those that
 * are missing at the end. A list is a record of kind {@link #LIST}, nothing but u64 locations.
 *
 * @param sequence of the newest rows
 * @param indexes lists of segments
 * @param lists lists of runs, oldest first
 * @param runs those in no list, likewise; not above 2 * 1,023
 */
record PageMapRoot(long sequence, List<Long> indexes, List<Long> lists, List<Long> runs) {
  static final byte LIST = 3;

  /** Locations in a list. */
  static final int LIST_LENGTH = 1024;

  private static final int FIXED = Long.BYTES + 3 * Integer.BYTES;

  /** No page is stored. */
  static final PageMapRoot EMPTY = new PageMapRoot(0, List.of(), List.of(), List.of());

  int length() {
    return FIXED + (indexes.size() + lists.size() + runs.size()) * Long.BYTES;
  }

  void encode(ByteBuffer out) {
    out.putLong(sequence);
    put(out, indexes);
    put(out, lists);
    put(out, runs);
  }

  static PageMapRoot decode(ByteBuffer in, String file) {
    return new PageMapRoot(in.getLong(), get(in, file), get(in, file), get(in, file));
  }

  private static void put(ByteBuffer out, List<Long> locations) {
    out.putInt(locations.size());
    locations.forEach(out::putLong);
  }

  private static List<Long> get(ByteBuffer in, String file) {
    List<Long> locations = new ArrayList<>();
    for (int left = Checkpoint.count(in, Long.BYTES, file); left > 0; left--) {
      locations.add(in.getLong());
    }
    return locations;
  }
}
