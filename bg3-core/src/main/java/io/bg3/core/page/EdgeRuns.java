package io.bg3.core.page;

import io.bg3.core.block.PageHeader;
import io.bg3.core.entry.EdgeKey;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The runs of a block that is being laid out, see {@link EdgeLeaf}: entries are added in their
 * order, then the rows are written. Belongs to one thread.
 */
final class EdgeRuns implements RunSink {
  private int count;
  private int entries;
  private int sortKeys;
  private long[] owners = new long[64];
  private int[] tagLabels = new int[64];
  private int[] starts = new int[64];
  private int[] sortStarts = new int[64];

  void clear() {
    count = 0;
    entries = 0;
    sortKeys = 0;
  }

  /** Adds so many entries, to the last run if that is theirs. */
  @Override
  public void add(long owner, int tagLabel, int more) {
    int last = count - 1;
    if (last < 0 || owners[last] != owner || tagLabels[last] != tagLabel) {
      if (count == owners.length) {
        owners = Arrays.copyOf(owners, 2 * count);
        tagLabels = Arrays.copyOf(tagLabels, 2 * count);
        starts = Arrays.copyOf(starts, 2 * count);
        sortStarts = Arrays.copyOf(sortStarts, 2 * count);
      }
      owners[count] = owner;
      tagLabels[count] = tagLabel;
      starts[count] = entries;
      sortStarts[count] = sortKeys;
      count++;
    }
    entries += more;
    sortKeys += EdgeKey.isIndex(tagLabel) ? more : 0;
  }

  /** Number of runs. */
  int count() {
    return count;
  }

  /** Entries of all runs. */
  int entries() {
    return entries;
  }

  /** Entries that have a sort key. */
  int sortKeys() {
    return sortKeys;
  }

  /** Bytes of a run. */
  int width() {
    return sortKeys > 0 ? EdgeLeaf.LONGEST_RUN : EdgeLeaf.RUN;
  }

  /**
   * Says for each entry what it weighs: the first of a run with it, those of an index with their
   * sort keys.
   *
   * @param entry bytes of any entry besides
   */
  void weigh(int entry, int[] into) {
    for (int run = 0; run < count; run++) {
      int end = run + 1 < count ? starts[run + 1] : entries;
      int each = entry + (EdgeKey.isIndex(tagLabels[run]) ? Long.BYTES : 0);
      Arrays.fill(into, starts[run], end, each);
      into[starts[run]] += width();
    }
  }

  /** Writes the rows; says which owners they have, by {@link PageHeader#ownerBit}. */
  long write(ByteBuffer to, int at, int sortStartsAt) {
    int runAt = at;
    int sortStartAt = sortStartsAt;
    long filter = 0;
    for (int run = 0; run < count; run++) {
      to.putLong(runAt, owners[run]);
      to.putInt(runAt + EdgeLeaf.RUN_TAG_LABEL, tagLabels[run]);
      to.putInt(runAt + EdgeLeaf.RUN_START, starts[run]);
      filter |= PageHeader.ownerBit(owners[run]);
      runAt += EdgeLeaf.RUN;
      if (sortKeys > 0) {
        to.putInt(sortStartAt, sortStarts[run]);
        sortStartAt += Integer.BYTES;
      }
    }
    return filter;
  }
}
