package io.bg3.core.page;

import io.bg3.core.block.PageHeader;
import io.bg3.core.block.RunPrefetch;
import io.bg3.core.block.SortedLongs;
import io.bg3.core.entry.Bytes;
import io.bg3.core.entry.EdgeBound;
import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Op;
import java.nio.ByteBuffer;

/**
 * View of a block of an edge leaf: a small compressed-sparse-row graph.
 *
 * <pre>
 *  size  column     behind the header, in this order
 *  16*r  runs       of each run: owner (8), tag and label (4), index of the first entry (4)
 *   8*n  others     neighbour of each entry: what a scan reads
 *   8*k  sort keys  of the entries of indexes, in their order; if there are any
 *   8*m  stamps     of the entries above the floor
 *   4*n  sequences  if any is not 0
 *   4*r  sort starts  of each run, how many sort keys stand before its own; if there are any
 *  2/4*m positions  index of the entry of each stamp, ascending; not if all have one stamp
 *     n  ops        if they are not all alike
 *        zeros up to a multiple of 8; in a delta the values
 * </pre>
 *
 * <p>Sort keys have rows of their own and not one an entry, because next to the entries of an index
 * stand as many others of the same edges; a leaf without an index has nothing of it.
 *
 * <p>A run is the entries of one owner, tag and label. Owners and neighbours are plain signed
 * numbers here: a page is searched by comparing numbers, not bytes. The columns that the search for
 * a run compares and reads are adjacent, because each separate column costs one more cache miss.
 */
public final class EdgeLeaf extends LeafBlock {
  /** Bytes of a row of the runs column, and offsets in it. */
  public static final int RUN = 16;

  static final int RUN_TAG_LABEL = Long.BYTES;
  static final int RUN_START = RUN_TAG_LABEL + Integer.BYTES;

  /** The most bytes of a run, in a leaf with sort keys. */
  static final int LONGEST_RUN = RUN + Integer.BYTES;

  private static final int FEW = 16;

  /** Entries from the expected place of a neighbour to the next one that the search looks at. */
  private static final int STEP = 8;

  /** Each further step goes so many times as far. */
  private static final int STEP_GROWTH = 4;

  public int runs;
  int runsAt;
  private int othersAt;
  private int sequencesAt;

  /** Both 0 in a leaf without sort keys. */
  private int sortKeysAt;

  private int sortStartsAt;

  /** The run that was found last: the end of a range is most often near its beginning. */
  private int lastRun;

  private boolean hasLastRun;

  /** The part of the run that may be before the key that is looked for; negative if unknown. */
  private float expectedPart;

  /** The bits of all tags and labels of the entries that were copied last. */
  private int copiedTags;

  @Override
  void place(ByteBuffer block, int offset) {
    placeRuns(block, offset);
    sortKeysAt = has(PageHeader.FLAG_SORT_KEYS) ? place(sortKeys() * Long.BYTES) : 0;
    placeStamps();
    sequencesAt = has(PageHeader.FLAG_SEQUENCES) ? place((long) count * Integer.BYTES) : 0;
    sortStartsAt = sortKeysAt == 0 ? 0 : place((long) runs * Integer.BYTES);
    placeStampPositions();
    placeOps();
    finishLayout();
  }

  /** Places the view for the header, runs and neighbours alone. */
  final void placeRuns(ByteBuffer block, int offset) {
    placeHeader(block, offset, PageHeader.EDGE_LEAF);
    lastRun = 0;
    hasLastRun = false;
    runs = slab.getInt(at + PageHeader.RUNS);
    if (runs < 0 || runs > count) {
      throw new IllegalStateException("more runs than entries: runs=" + runs + ", count=" + count);
    }
    align();
    runsAt = place((long) runs * RUN);
    othersAt = place((long) count * Long.BYTES);
    if (columnsLength() > length()) {
      throw new IllegalStateException("runs beyond the block: runs=" + runs + ", count=" + count);
    }
  }

  private long sortKeys() {
    int sortKeys = slab.getInt(at + PageHeader.SORT_KEYS);
    if (sortKeys < 0 || sortKeys > count) {
      throw new IllegalStateException(
          "more sort keys than entries: sortKeys=" + sortKeys + ", count=" + count);
    }
    return sortKeys;
  }

  /** The first run from {@code low} up to {@code high} whose owner is not below this one. */
  int ownerFrom(int low, int high, long owner) {
    return SortedLongs.firstNotBelow(slab, runsAt, RUN, low, high, owner, 0);
  }

  public long owner(int run) {
    return slab.getLong(runsAt + run * RUN);
  }

  public int tagLabel(int run) {
    return slab.getInt(runsAt + run * RUN + RUN_TAG_LABEL);
  }

  /** Index of the first entry of a run; the number of entries for the run behind the last. */
  int start(int run) {
    return run == runs ? count : slab.getInt(runsAt + run * RUN + RUN_START);
  }

  /** The number of sort keys before those of a run. */
  int sortStart(int run) {
    return sortStartsAt == 0 ? 0 : slab.getInt(sortStartsAt + run * Integer.BYTES);
  }

  /** The sort key of an entry of this run; 0 where it has none. */
  private long sortKey(int run, int i) {
    return isSorted(run) ? slab.getLong(sortKeyAt(run, i)) : 0;
  }

  private boolean isSorted(int run) {
    return sortKeysAt != 0 && EdgeKey.isIndex(tagLabel(run));
  }

  private int sortKeyAt(int run, int i) {
    return sortKeysAt + (sortStart(run) + i - start(run)) * Long.BYTES;
  }

  /** The run of an owner, tag and label, -1 if there is none. */
  public int runAt(long owner, int tagLabel) {
    int run = findRun(owner, tagLabel);
    return isRun(run, owner, tagLabel) ? run : -1;
  }

  /** Whether a run is that of an owner, tag and label; there may be none of this number. */
  boolean isRun(int run, long owner, int tagLabel) {
    return run < runs && owner(run) == owner && tagLabel(run) == tagLabel;
  }

  @Override
  void expect(long lines, float part) {
    expectedPart = part;
    int bytes = RunPrefetch.row(lines) - (runsAt - at);
    boolean isRow = bytes >= 0 && bytes < runs * RUN && bytes % RUN == 0;
    hasLastRun = isRow;
    lastRun = isRow ? bytes / RUN : 0;
  }

  /** Reads the row that {@link #findRun} reads first, and that before it. */
  public long touchRun(long owner) {
    if (runs == 0) {
      return 0;
    }
    int guess = OwnerSearch.guess(this, owner);
    return owner(guess) + owner(Math.max(0, guess - 1));
  }

  /** The cache lines that {@link #runAt} and a copy of the run read; {@code block} is this one. */
  long lines(long block, int run) {
    if (run < 0 || run >= runs) {
      return RunPrefetch.ofHeader(block);
    }
    int start = start(run);
    int row = runsAt + run * RUN - at;
    int others = othersAt + start * Long.BYTES - at;
    return RunPrefetch.of(block, row, others, (start(run + 1) - start) * Long.BYTES);
  }

  /** The run that was found last. */
  int runFound() {
    return lastRun;
  }

  /** Copies neighbours of {@code count} entries from one on. */
  void copyOthers(int from, int count, long[] into, int at) {
    copyLongs(othersAt + from * Long.BYTES, count, into, at);
  }

  /** Copies a part of a column; a few are quicker one by one than by a buffer for them. */
  private void copyLongs(int offset, int count, long[] into, int at) {
    if (count < FEW) {
      for (int i = 0; i < count; i++) {
        into[at + i] = slab.getLong(offset + i * Long.BYTES);
      }
    } else {
      slab.asLongBuffer().get(offset >> 3, into, at, count);
    }
  }

  /** Tells the runs of some entries, in their order. */
  void eachRun(int from, int to, RunSink sink) {
    int i = from;
    for (int run = runOf(from); i < to && run < runs; run++) {
      int end = Math.min(to, start(run + 1));
      if (end > i) {
        sink.add(owner(run), tagLabel(run), end - i);
        i = end;
      }
    }
  }

  /** Whether any of some entries has a sequence. */
  boolean anySequence(int from, int to) {
    for (int i = from; sequencesAt != 0 && i < to; i++) {
      if (sequence(i) != 0) {
        return true;
      }
    }
    return false;
  }

  /** Copies neighbours to another block. */
  void putOthers(int from, int to, ByteBuffer target, int targetAt) {
    Bytes.copyLongs(slab, othersAt + from * Long.BYTES, target, targetAt, to - from);
  }

  /** Copies sequences to another block; zeros if there are none. */
  void putSequences(int from, int to, ByteBuffer target, int targetAt) {
    int bytes = (to - from) * Integer.BYTES;
    if (sequencesAt == 0) {
      Bytes.zero(target, targetAt, targetAt + bytes);
    } else {
      target.put(targetAt, slab, sequencesAt + from * Integer.BYTES, bytes);
    }
  }

  /** Copies the sort keys of some entries to another block; says how many bytes they take. */
  int putSortKeys(int from, int to, ByteBuffer target, int targetAt) {
    if (sortKeysAt == 0) {
      return 0;
    }
    int first = sortKeysBefore(from);
    int bytes = (sortKeysBefore(to) - first) * Long.BYTES;
    target.put(targetAt, slab, sortKeysAt + first * Long.BYTES, bytes);
    return bytes;
  }

  private int sortKeysBefore(int i) {
    if (i == count) {
      return slab.getInt(at + PageHeader.SORT_KEYS);
    }
    int run = runOf(i);
    return sortStart(run) + (isSorted(run) ? i - start(run) : 0);
  }

  long other(int i) {
    return slab.getLong(othersAt + i * Long.BYTES);
  }

  int sequence(int i) {
    return sequencesAt == 0 ? 0 : slab.getInt(sequencesAt + i * Integer.BYTES);
  }

  /** The run that an entry is in, from one that does not lie behind it. */
  int runFrom(int run, int i) {
    int next = run;
    while (start(next + 1) <= i) {
      next++;
    }
    return next;
  }

  /** Whether an entry of a run keeps its stamp where all snapshots see it (R13). */
  boolean keepsStamp(int run, int i) {
    return EdgeKey.hasTtl(tagLabel(run)) && !Op.isTombstone(op(i));
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
    return find(
        key.owner(), key.tagLabel(), key.sortKey(), key.other(), key.sequence(), key.after(), 0);
  }

  @Override
  int find(LeafBlock that, int j, int from) {
    EdgeLeaf edges = (EdgeLeaf) that;
    int run = edges.runOf(j);
    return find(
        edges.owner(run),
        edges.tagLabel(run),
        edges.sortKey(run, j),
        edges.other(j),
        edges.sequence(j),
        false,
        from);
  }

  @Override
  int find(Entries that, int j) {
    EdgeEntries edges = (EdgeEntries) that;
    return find(
        edges.owner(j),
        edges.tagLabel(j),
        edges.sortKey(j),
        edges.other(j),
        edges.sequence(j),
        false,
        0);
  }

  @Override
  int at(byte[] key) {
    if (key.length != EdgeKey.LENGTH || EdgeKey.isIndex(EdgeKey.tagLabel(key))) {
      return super.at(key);
    }
    int run = runAt(EdgeKey.owner(key), EdgeKey.tagLabel(key));
    if (run < 0) {
      return -1;
    }
    int low = start(run);
    int high = Math.min(count, start(run + 1));
    if (expectedPart < 0) {
      fetchEnds(low, high);
    }
    long other = EdgeKey.other(key);
    int sequence = EdgeKey.sequence(key);
    int at =
        expectedPart >= 0 ? firstFromExpected(low, high, other) : firstNotBelow(low, high, other);
    at = findSequence(at, high, other, sequence, false);
    return at < high && other(at) == other && sequence(at) == sequence ? at : -1;
  }

  @Override
  boolean hasKey(int i, byte[] key) {
    int tagLabel = key.length < EdgeKey.LENGTH ? 0 : EdgeKey.tagLabel(key);
    return key.length == EdgeKey.length(tagLabel)
        && hasKey(
            i,
            EdgeKey.owner(key),
            tagLabel,
            EdgeKey.isIndex(tagLabel) ? EdgeKey.sortKey(key) : 0,
            EdgeKey.other(key),
            EdgeKey.sequence(key));
  }

  @Override
  boolean hasKey(int i, LeafBlock that, int j) {
    EdgeLeaf edges = (EdgeLeaf) that;
    int run = edges.runOf(j);
    return hasKey(
        i,
        edges.owner(run),
        edges.tagLabel(run),
        edges.sortKey(run, j),
        edges.other(j),
        edges.sequence(j));
  }

  @Override
  boolean hasKey(int i, Entries that, int j) {
    EdgeEntries edges = (EdgeEntries) that;
    return hasKey(
        i, edges.owner(j), edges.tagLabel(j), edges.sortKey(j), edges.other(j), edges.sequence(j));
  }

  @Override
  void copyKeys(int from, int to, Entries into) {
    EdgeEntries edges = (EdgeEntries) into;
    copyOthers(from, to - from, edges.othersForWriting(), edges.count());
    int run = runOf(from);
    copiedTags = 0;
    for (int i = from; i < to && run < runs; run++) {
      int end = Math.min(to, start(run + 1));
      if (end > i) {
        copiedTags |= tagLabel(run);
        edges.fillRun(i - from, end - i, owner(run), tagLabel(run));
        if (sortKeysAt != 0) {
          copySortKeys(run, i, end, edges, edges.count() + i - from);
        }
        i = end;
      }
    }
    if (sortKeysAt == 0) {
      edges.zeroSortKeys(edges.count(), to - from);
    }
    if (sequencesAt == 0) {
      edges.zeroSequences(to - from);
    } else {
      slab.asIntBuffer()
          .get((sequencesAt >> 2) + from, edges.sequencesForWriting(), edges.count(), to - from);
    }
  }

  @Override
  void copyKeptStamps(int from, int to, int first, Entries into) {
    if (EdgeKey.isApart(copiedTags)) {
      for (int run = runOf(from); run < runs && start(run) < to; run++) {
        if (EdgeKey.hasTtl(tagLabel(run))) {
          int low = Math.max(from, start(run));
          copyStamps(low, Math.min(to, start(run + 1)), first + low - from, into);
        }
      }
    }
  }

  @Override
  boolean mayExpire(byte[] key) {
    return key.length >= EdgeKey.LENGTH && EdgeKey.hasTtl(EdgeKey.tagLabel(key));
  }

  private void copySortKeys(int run, int from, int to, EdgeEntries into, int first) {
    if (isSorted(run)) {
      copyLongs(sortKeyAt(run, from), to - from, into.sortKeysForWriting(first), first);
    } else {
      into.zeroSortKeys(first, to - from);
    }
  }

  @Override
  byte[] key(int i) {
    int run = runOf(i);
    int tagLabel = tagLabel(run);
    return EdgeKey.isIndex(tagLabel)
        ? EdgeKey.encode(owner(run), tagLabel, sortKey(run, i), other(i), sequence(i))
        : EdgeKey.encode(owner(run), tagLabel, other(i), sequence(i));
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
    return (owners() & PageHeader.ownerBit(owner)) != 0;
  }

  /** The filter of a delta's owners. */
  long owners() {
    return slab.getLong(at + PageHeader.OWNERS);
  }

  private boolean hasKey(int i, long owner, int tagLabel, long sortKey, long other, int sequence) {
    if (other(i) != other || sequence(i) != sequence) {
      return false;
    }
    int run = runOf(i);
    return owner(run) == owner
        && tagLabel(run) == tagLabel
        && (sortKeysAt == 0 || sortKey(run, i) == sortKey);
  }

  private int find(
      long owner, int tagLabel, long sortKey, long other, int sequence, boolean after, int from) {
    int run = findRun(owner, tagLabel);
    if (!isRun(run, owner, tagLabel)) {
      return Math.max(from, start(run));
    }
    int low = Math.max(from, start(run));
    if (isSorted(run)) {
      int first = sortKeyAt(run, 0);
      int end = Math.min(count, start(run + 1));
      low = sortLow(first, low, end, sortKey);
      int behind = sortKey == Long.MAX_VALUE ? end : sortLow(first, low, end, sortKey + 1);
      return findOther(low, behind, other, sequence, after);
    }
    if (other == Long.MIN_VALUE && sequence == 0 && !after) { // where a range of a label begins
      return low;
    }
    return findOther(low, Math.min(count, start(run + 1)), other, sequence, after);
  }

  /** The first entry of those whose sort key is not below one; entry 0 would have its at first. */
  private int sortLow(int first, int low, int high, long sortKey) {
    return SortedLongs.firstNotBelow(slab, first, Long.BYTES, low, high, sortKey, 0);
  }

  /**
   * The first entry from {@code low} up to {@code high}, whose neighbours ascend, that is not below
   * a neighbour and sequence, or is above them.
   */
  int findOther(int low, int high, long other, int sequence, boolean after) {
    return findSequence(firstNotBelow(low, high, other), high, other, sequence, after);
  }

  /** The first entry from {@code low} up to {@code high} whose neighbour is not below one. */
  private int firstNotBelow(int low, int high, long other) {
    return SortedLongs.firstNotBelow(slab, othersAt, Long.BYTES, low, high, other, 0);
  }

  /** As the method above, from the expected place in the run on, in steps that grow. */
  private int firstFromExpected(int low, int high, long other) {
    if (low >= high) {
      return high;
    }
    int step = STEP;
    int place = Math.min(high - 1, low + (int) (expectedPart * (high - low)));
    if (other(place) < other) {
      int from = place + 1;
      int to = Math.min(high, from + step);
      while (to < high && other(to) < other) {
        from = to + 1;
        step *= STEP_GROWTH;
        to = Math.min(high, from + step);
      }
      return firstNotBelow(from, to, other);
    }
    int to = place;
    int from = Math.max(low, to - step);
    while (from > low && other(from - 1) >= other) {
      to = from - 1;
      step *= STEP_GROWTH;
      from = Math.max(low, to - step);
    }
    return firstNotBelow(from, to, other);
  }

  /**
   * The first entry at or above neighbour and sequence.
   *
   * @param first the first entry that is not below the neighbour
   * @param after whether the entry with both is below, too
   */
  private int findSequence(int first, int high, long other, int sequence, boolean after) {
    int at = first;
    if (sequencesAt == 0 && sequence == 0 && !after) {
      return at;
    }
    int end = high;
    while (at < end) { // among those with this neighbour
      int middle = (at + end) >>> 1;
      int order = Long.compare(other(middle), other);
      order = order == 0 ? Integer.compareUnsigned(sequence(middle), sequence) : order;
      if (order < 0 || (order == 0 && after)) {
        at = middle + 1;
      } else {
        end = middle;
      }
    }
    return at;
  }

  /** The first run at or above owner, tag and label. */
  int findRun(long owner, int tagLabel) {
    if (hasLastRun && owner(lastRun) == owner && tagLabel(lastRun) == tagLabel) {
      return lastRun; // as expected, or as for the other end of a range
    }
    int run = OwnerSearch.firstRun(this, owner, tagLabel);
    hasLastRun = run < runs;
    lastRun = hasLastRun ? run : Math.max(0, runs - 1);
    return run;
  }
}
