package io.bg3.core.page;

import java.nio.ByteBuffer;

/**
 * View of a block of an edge leaf: a small compressed-sparse-row graph.
 *
 * <pre>
 *  size  column     behind the header, in this order
 *  16*r  runs       of each run: owner (8), tag and label (4), index of the first entry (4)
 *   8*n  others     neighbour of each entry: what a scan reads
 *   8*m  stamps     of the entries above the floor
 *   4*n  sequences  if any is not 0
 *  2/4*m positions  index of the entry of each stamp, ascending; not if all have one stamp
 *     n  ops        if they are not all alike
 *        zeros up to a multiple of 8; in a delta the values
 * </pre>
 *
 * <p>A run is the entries of one owner, tag and label. Owners and neighbours are plain signed
 * numbers here: a page is searched by comparing numbers, not bytes. What the search for a run
 * compares and finds stands together, because it is a cache miss more for each column apart.
 */
final class EdgeLeaf extends LeafBlock {
  /** Bytes of a row of the runs column, and offsets in it. */
  static final int RUN = 16;

  static final int RUN_TAG_LABEL = Long.BYTES;
  static final int RUN_START = RUN_TAG_LABEL + Integer.BYTES;

  int runs;
  private int runsAt;
  private int othersAt;
  private int sequencesAt;

  /** The run that was found last: the end of a range is most often near its beginning. */
  private int lastRun;

  @Override
  void place(ByteBuffer block, int offset) {
    placeHeader(block, offset, PageHeader.EDGE_LEAF);
    lastRun = 0;
    runs = slab.getInt(at + PageHeader.RUNS);
    if (runs < 0 || runs > count) {
      throw new IllegalStateException("more runs than entries: runs=" + runs + ", count=" + count);
    }
    align();
    runsAt = place((long) runs * RUN);
    othersAt = place((long) count * Long.BYTES);
    placeStamps();
    sequencesAt = has(PageHeader.FLAG_SEQUENCES) ? place((long) count * Integer.BYTES) : 0;
    placeStampPositions();
    placeOps();
    finishLayout();
  }

  long owner(int run) {
    return slab.getLong(runsAt + run * RUN);
  }

  int tagLabel(int run) {
    return slab.getInt(runsAt + run * RUN + RUN_TAG_LABEL);
  }

  /**
   * Index of the first entry of a run; of the one behind the last entry for the run behind the
   * last.
   */
  int start(int run) {
    return run == runs ? count : slab.getInt(runsAt + run * RUN + RUN_START);
  }

  long other(int i) {
    return slab.getLong(othersAt + i * Long.BYTES);
  }

  int sequence(int i) {
    return sequencesAt == 0 ? 0 : slab.getInt(sequencesAt + i * Integer.BYTES);
  }

  /** The run that an entry is in. */
  int runOf(int i) {
    for (int run = lastRun; run >= 0 && run >= lastRun - 1; run--) {
      if (start(run) <= i && i < start(run + 1)) {
        return run;
      }
    }
    int low = 0;
    int high = runs - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (start(middle) <= i) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  @Override
  int find(byte[] bound) {
    EdgeBound key = EdgeBound.of(bound);
    return find(key.owner(), key.tagLabel(), key.other(), key.sequence(), key.after(), 0);
  }

  @Override
  int find(LeafBlock that, int j, int from) {
    EdgeLeaf edges = (EdgeLeaf) that;
    int run = edges.runOf(j);
    return find(
        edges.owner(run), edges.tagLabel(run), edges.other(j), edges.sequence(j), false, from);
  }

  @Override
  int find(Entries that, int j) {
    EdgeEntries edges = (EdgeEntries) that;
    return find(edges.owner(j), edges.tagLabel(j), edges.other(j), edges.sequence(j), false, 0);
  }

  @Override
  boolean hasKey(int i, byte[] key) {
    return key.length == EdgeKey.LENGTH
        && hasKey(
            i,
            EdgeKey.owner(key),
            EdgeKey.tagLabel(key),
            EdgeKey.other(key),
            EdgeKey.sequence(key));
  }

  @Override
  boolean hasKey(int i, LeafBlock that, int j) {
    EdgeLeaf edges = (EdgeLeaf) that;
    int run = edges.runOf(j);
    return hasKey(i, edges.owner(run), edges.tagLabel(run), edges.other(j), edges.sequence(j));
  }

  @Override
  boolean hasKey(int i, Entries that, int j) {
    EdgeEntries edges = (EdgeEntries) that;
    return hasKey(i, edges.owner(j), edges.tagLabel(j), edges.other(j), edges.sequence(j));
  }

  @Override
  void copyKeys(int from, int to, Entries into) {
    EdgeEntries edges = (EdgeEntries) into;
    slab.asLongBuffer()
        .get((othersAt >> 3) + from, edges.othersForWriting(), edges.count(), to - from);
    int run = runOf(from);
    for (int i = from; i < to && run < runs; run++) {
      int end = Math.min(to, start(run + 1));
      if (end > i) {
        edges.fillRun(i - from, end - i, owner(run), tagLabel(run));
        i = end;
      }
    }
    if (sequencesAt == 0) {
      edges.zeroSequences(to - from);
    } else {
      slab.asIntBuffer()
          .get((sequencesAt >> 2) + from, edges.sequencesForWriting(), edges.count(), to - from);
    }
  }

  @Override
  byte[] key(int i) {
    int run = runOf(i);
    return EdgeKey.encode(owner(run), tagLabel(run), other(i), sequence(i));
  }

  @Override
  boolean mayHold(byte[] key) {
    return key.length < Long.BYTES || mayHold(EdgeKey.owner(key));
  }

  @Override
  boolean mayHold(byte[] low, byte[] high) {
    if (low == null || high == null) {
      return true;
    }
    EdgeBound from = EdgeBound.of(low);
    return !EdgeBound.of(high).endsWithin(from) || mayHold(from.owner());
  }

  boolean mayHold(long owner) {
    return (slab.getLong(at + PageHeader.OWNERS) & PageHeader.ownerBit(owner)) != 0;
  }

  private boolean hasKey(int i, long owner, int tagLabel, long other, int sequence) {
    if (other(i) != other || sequence(i) != sequence) {
      return false;
    }
    int run = runOf(i);
    return owner(run) == owner && tagLabel(run) == tagLabel;
  }

  private int find(long owner, int tagLabel, long other, int sequence, boolean after, int from) {
    int run = findRun(owner, tagLabel);
    if (run == runs || owner(run) != owner || tagLabel(run) != tagLabel) {
      return Math.max(from, start(run));
    }
    int low = Math.max(from, start(run));
    if (other == Long.MIN_VALUE && sequence == 0 && !after) { // where a range of a label begins
      return low;
    }
    int high = Math.min(count, start(run + 1));
    while (low < high) {
      int middle = (low + high) >>> 1;
      long at = other(middle);
      boolean below = at < other;
      if (at == other) {
        int order =
            sequencesAt == 0 && sequence == 0
                ? 0
                : Integer.compareUnsigned(sequence(middle), sequence);
        below = order < 0 || (order == 0 && after);
      }
      if (below) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The first run at or above owner, tag and label. */
  private int findRun(long owner, int tagLabel) {
    int low = 0;
    int high = runs;
    if (lastRun < runs && isRunBelow(lastRun, owner, tagLabel)) {
      low = lastRun + 1;
      if (low == runs || !isRunBelow(low, owner, tagLabel)) {
        high = low;
      }
    }
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (isRunBelow(middle, owner, tagLabel)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    lastRun = Math.max(0, Math.min(low, runs - 1));
    return low;
  }

  private boolean isRunBelow(int run, long owner, int tagLabel) {
    long at = owner(run);
    return at < owner || (at == owner && Integer.compareUnsigned(tagLabel(run), tagLabel) < 0);
  }
}
