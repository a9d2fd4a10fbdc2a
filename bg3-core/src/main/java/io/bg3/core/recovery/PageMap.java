package io.bg3.core.recovery;

import io.bg3.core.table.PageRow;
import io.bg3.core.table.PageTable;
import io.bg3.storage.extent.ExtentRecord;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.extent.Location;
import io.bg3.storage.extent.Stream;
import io.bg3.storage.format.CorruptionException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The page table in the MAP stream, so that a checkpoint costs what changed and never what there
 * is.
 *
 * <p>A checkpoint appends the rows that changed, as <i>runs</i>. Besides, a hand goes round the
 * <i>segments</i>, ranges of 2,048 pages, and writes each of them anew with all its rows: for each
 * row that changed, two rows, so that a checkpoint with few changes writes few segments or none.
 * When the hand has gone round, every run from before it set out is in the segments, and is given
 * up.
 *
 * <pre>
 *   segments   0   1   2   3   4 | 5   6   7          hand at 5: those on its left were written in this round
 *   runs       older …           | newer …            older: from before this round, given up at its end
 * </pre>
 *
 * <p>So there are at most about as many rows in runs as there are pages: a round of N pages takes N
 * / 2 changed rows, and runs of two rounds are kept. Opening reads all segments and runs, at most
 * about 40 bytes a page. Nothing in the stream is older than two rounds, so its extents go one
 * after the other.
 *
 * <p>A row of a run counts if its sequence is above that of the page's segment. Where segments and
 * runs lie is in lists of 1,024 locations, in the MAP stream too; the manifest names the lists, and
 * the runs in none yet ({@link PageMapRoot}).
 *
 * <p>Threads: the checkpoint's, and opening.
 */
final class PageMap {
  /** Rows of segments that are written for one row that changed. */
  private static final int ROWS_FOR_ONE = 2;

  /**
   * A checkpoint counts as one of so many changed rows at least, which bounds the number of runs.
   */
  private static final int FEWEST_ROWS = 512;

  /** Says which row of a page a manifest is to name; the base is 0 if it names none. */
  @FunctionalInterface
  interface RowsToName {
    PageRow row(int page);
  }

  private final ExtentStore extents;
  private final PageTable table;
  private long sequence;
  private long newest; // of the images that were there at the opening

  /** Locations of the segments; 0 for those without rows. */
  private long[] segments = new long[0];

  /** Locations of the lists of segments. */
  private final List<Long> indexes = new ArrayList<>();

  private Runs older = new Runs();
  private Runs newer = new Runs();
  private int hand;
  private long credit;

  /** Of records that the next manifest will not name. */
  private List<Long> superseded = new ArrayList<>();

  PageMap(ExtentStore extents, PageTable table) {
    this.extents = extents;
    this.table = table;
  }

  /** Locations of runs, oldest first, the first of them in lists. */
  private static final class Runs {
    final List<Long> all = new ArrayList<>();
    final List<Long> lists = new ArrayList<>();

    List<Long> notListed() {
      return all.subList(lists.size() * PageMapRoot.LIST_LENGTH, all.size());
    }
  }

  /** The root that the next manifest names. */
  PageMapRoot root() {
    List<Long> lists = new ArrayList<>(older.lists);
    lists.addAll(newer.lists);
    List<Long> runs = new ArrayList<>(older.notListed());
    runs.addAll(newer.notListed());
    return new PageMapRoot(sequence, List.copyOf(indexes), lists, runs);
  }

  /**
   * Reads the rows that a manifest names into the page table. A page of which the last row says
   * that it was removed is none.
   *
   * @param newestStamp no image that the rows name holds a newer one
   */
  void load(PageMapRoot root, int pageEnd, long newestStamp) throws IOException {
    newest = newestStamp;
    table.grow(pageEnd);
    sequence = root.sequence();
    indexes.addAll(root.indexes());
    for (int i = 0; i < root.indexes().size(); i++) {
      long[] listed = readList(root.indexes().get(i));
      segments = Arrays.copyOf(segments, i * PageMapRoot.LIST_LENGTH + listed.length);
      System.arraycopy(listed, 0, segments, i * PageMapRoot.LIST_LENGTH, listed.length);
    }
    long[] sequences = new long[Math.max(segments.length, segmentOf(pageEnd - 1) + 1)];
    for (int segment = 0; segment < segments.length; segment++) {
      if (segments[segment] != Location.NONE) {
        sequences[segment] = loadSegment(segment, pageEnd);
      }
    }
    for (long list : root.lists()) {
      for (long run : readList(list)) {
        older.all.add(run);
      }
      superseded.add(list); // the runs are listed anew, with those that were in no list
    }
    older.all.addAll(root.runs());
    if (!root.lists().isEmpty()) {
      order(older.all);
    }
    for (long run : older.all) {
      loadRun(run, sequences, pageEnd);
    }
    table.collectFree();
  }

  /**
   * Puts runs into the order of their checkpoints. The manifest names those of this round that are
   * in lists before those of the last round that are in none, and the last row of a page counts.
   * The runs of one checkpoint are of different pages.
   */
  private void order(List<Long> runs) throws IOException {
    Map<Long, Long> sequences = new HashMap<>();
    for (long run : runs) {
      sequences.put(run, PageMapRows.of(extents.read(run), source(run)).sequence());
    }
    runs.sort(Comparator.comparing(sequences::get));
  }

  private long loadSegment(int segment, int pageEnd) throws IOException {
    String source = source(segments[segment]);
    PageMapRows rows = PageMapRows.of(extents.read(segments[segment]), source);
    if (rows.number() != segment) {
      throw new CorruptionException(
          source, PageMapRows.NUMBER, "segment " + segment, "" + rows.number());
    }
    for (int i = 0; i < rows.count(); i++) {
      int page = page(rows, i, pageEnd, source);
      if (segmentOf(page) != segment) {
        throw new CorruptionException(source, i, "a page of segment " + segment, "" + page);
      }
      table.open(page, rows.base(i), rows.delta(i), newest);
    }
    return rows.sequence();
  }

  private void loadRun(long run, long[] sequences, int pageEnd) throws IOException {
    String source = source(run);
    PageMapRows rows = PageMapRows.of(extents.read(run), source);
    for (int i = 0; i < rows.count(); i++) {
      int page = page(rows, i, pageEnd, source);
      if (rows.sequence() > sequences[segmentOf(page)]) {
        table.open(page, rows.base(i), rows.delta(i), newest);
      }
    }
  }

  private static int page(PageMapRows rows, int row, int pageEnd, String source) {
    int page = rows.page(row);
    if (page <= 0 || page >= pageEnd) {
      throw new CorruptionException(source, row, "a page below " + pageEnd, "" + page);
    }
    return page;
  }

  private long[] readList(long location) throws IOException {
    ExtentRecord record = extents.read(location);
    int length = record.payload().remaining();
    if (record.kind() != PageMapRoot.LIST || length % Long.BYTES != 0) {
      throw new CorruptionException(
          source(location), 0, "a list of locations", "kind " + record.kind() + ", " + length);
    }
    long[] locations = new long[length / Long.BYTES];
    record.payload().order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(locations);
    return locations;
  }

  private static String source(long location) {
    return "MAP record " + Location.toString(location);
  }

  /**
   * Appends the rows that the next manifest is to name and the last one does not, in the runs and
   * in the segments that are written anew. For a checkpoint they are those of the page table. The
   * caller sees to it that no row changes between the noting of the checkpoint's pages and the
   * replacing of the manifest but to an image of a noted block; a page that was not noted was
   * clean, and its row is of what it held (R24).
   *
   * @param changed pages whose rows have changed, and that are not removed
   * @param removed pages that are no longer named
   * @param named what is to be named of a page that is not removed, changed or not
   * @return records that the next manifest will not name
   */
  List<Long> append(int[] changed, Set<Integer> removed, RowsToName named) throws IOException {
    sequence++;
    appendRuns(changed, removed, named);
    list(older);
    list(newer);
    long rows = Math.max((long) changed.length + removed.size(), FEWEST_ROWS);
    credit += ROWS_FOR_ONE * rows;
    moveHand(removed, named);
    List<Long> given = superseded;
    superseded = new ArrayList<>();
    return given;
  }

  private void appendRuns(int[] changed, Set<Integer> removed, RowsToName named)
      throws IOException {
    PageMapRows run = PageMapRows.run(sequence);
    for (int page : changed) {
      PageRow row = named.row(page);
      add(run, page, row.base(), row.delta());
    }
    for (int page : removed) {
      add(run, page, 0, 0);
    }
    flush(run);
  }

  private void add(PageMapRows run, int page, long base, long delta) throws IOException {
    if (run.isFull()) {
      flush(run);
    }
    run.add(page, base, delta);
  }

  private void flush(PageMapRows run) throws IOException {
    if (run.count() > 0) {
      newer.all.add(append(run));
      run.clear();
    }
  }

  /** Puts runs into lists, as far as they fill them. */
  private void list(Runs runs) throws IOException {
    while (runs.notListed().size() >= PageMapRoot.LIST_LENGTH) {
      List<Long> next = runs.notListed().subList(0, PageMapRoot.LIST_LENGTH);
      runs.lists.add(appendList(next.stream().mapToLong(Long::longValue).toArray()));
    }
  }

  /** Writes segments as far as the credit goes, but each once at most. */
  private void moveHand(Set<Integer> removed, RowsToName named) throws IOException {
    int count = segmentOf(table.end() - 1) + 1;
    segments = Arrays.copyOf(segments, Math.max(count, segments.length));
    BitSet changed = new BitSet();
    for (int steps = 0; steps < count; steps++) {
      PageMapRows rows = rows(hand, removed, named);
      if (Math.max(rows.count(), 1) > credit) {
        break;
      }
      credit -= Math.max(rows.count(), 1);
      supersede(segments[hand]);
      segments[hand] = rows.count() == 0 ? Location.NONE : append(rows);
      changed.set(hand / PageMapRoot.LIST_LENGTH);
      hand++;
      if (hand >= count) {
        endRound();
      }
    }
    credit = Math.min(credit, PageMapRows.SEGMENT_PAGES + 1L); // no more than the next one costs
    writeIndexes(changed);
  }

  private PageMapRows rows(int segment, Set<Integer> removed, RowsToName named) {
    PageMapRows rows = PageMapRows.segment(segment, sequence);
    int first = segment << PageMapRows.SEGMENT_SHIFT;
    int end = Math.min(table.end() - first, PageMapRows.SEGMENT_PAGES) + first;
    for (int page = Math.max(first, 1); page < end; page++) {
      boolean isRemoved = !removed.isEmpty() && removed.contains(page);
      if (table.base(page) != Location.NONE && !isRemoved) {
        PageRow row = named.row(page);
        if (row.base() != Location.NONE) {
          rows.add(page, row.base(), row.delta());
        }
      }
    }
    return rows;
  }

  /** Gives up the runs from before the round. */
  private void endRound() {
    superseded.addAll(older.all);
    superseded.addAll(older.lists);
    older = newer;
    newer = new Runs();
    hand = 0;
  }

  private void writeIndexes(BitSet changed) throws IOException {
    for (int i = changed.nextSetBit(0); i >= 0; i = changed.nextSetBit(i + 1)) {
      while (indexes.size() < i) { // segments without rows that the hand has not come to yet
        indexes.add(appendList(new long[0]));
      }
      int from = i * PageMapRoot.LIST_LENGTH;
      int to = Math.min(from + PageMapRoot.LIST_LENGTH, segments.length);
      long location = appendList(Arrays.copyOfRange(segments, from, to));
      if (i == indexes.size()) {
        indexes.add(location);
      } else {
        supersede(indexes.set(i, location));
      }
    }
  }

  private void supersede(long location) {
    if (location != Location.NONE) {
      superseded.add(location);
    }
  }

  private long append(PageMapRows rows) throws IOException {
    return extents.append(Stream.MAP, rows.kind(), rows.number(), rows.payload());
  }

  private long appendList(long[] locations) throws IOException {
    ByteBuffer list =
        ByteBuffer.allocate(locations.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    list.asLongBuffer().put(locations);
    return extents.append(Stream.MAP, PageMapRoot.LIST, locations.length, list);
  }

  private static int segmentOf(int page) {
    return page >>> PageMapRows.SEGMENT_SHIFT;
  }
}
