package io.bg3.core.tree;

import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.LargeValueLocations;
import io.bg3.core.table.PageRow;
import io.bg3.storage.codec.Compression;
import io.bg3.storage.codec.Compressor;
import io.bg3.storage.extent.ExtentRecord;
import io.bg3.storage.extent.ExtentSettings;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.extent.ExtentUsage;
import io.bg3.storage.extent.Stream;
import io.bg3.storage.file.MemoryDisk;
import io.bg3.storage.memory.MemoryBudget;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A tree that is stored now and then, and opened again with its pages in storage. */
final class StoredTree implements AutoCloseable {
  private static final int EXTENT = 64 << 10;
  static final int READS = 3;
  static final List<String> WAYS = List.of("none", "zstd", "packed", "lz4", "zstd:3");

  private final TreeKind kind;
  private final ExtentStore extents;

  /** The images of the last flush: locations of base and delta by page. */
  private final Map<Integer, long[]> rows = new HashMap<>();

  private final ExecutorService helpers = Executors.newFixedThreadPool(READS);
  private int way;
  private boolean compresses = true;

  TreeHarness harness;

  StoredTree(TreeKind kind, int capacity, int consolidate) throws IOException {
    this(kind, new TreeHarness(kind, capacity, consolidate));
  }

  StoredTree(TreeKind kind, int capacity, int consolidate, MemoryBudget budget) throws IOException {
    this(kind, new TreeHarness(kind, capacity, consolidate, budget));
  }

  private StoredTree(TreeKind kind, TreeHarness harness) throws IOException {
    this.kind = kind;
    this.harness = harness;
    this.extents = ExtentStore.open(new MemoryDisk(), ExtentSettings.of(1, EXTENT), List.of());
    harness.space.loadBy(new PageLoader(harness.space, extents, 0, (page, references) -> {}));
    harness.space.loadTogether(helpers, READS);
  }

  /** Says who is told from now on what is loaded. */
  void listenBy(PageLoader.Listener listener) {
    harness.space.loadBy(new PageLoader(harness.space, extents, 0, listener));
  }

  /** Says which threads load groups of pages from now on, beside the one that asks. */
  void helpedBy(Executor others) {
    harness.space.loadTogether(others, READS);
  }

  /** The key of a number; keys are in the order of numbers below 10,000. */
  static byte[] key(int i) {
    return String.format("key-%04d", i).getBytes(StandardCharsets.US_ASCII);
  }

  /** Stores images as they are from now on, so that their sizes can be compared. */
  StoredTree uncompressed() {
    compresses = false;
    return this;
  }

  /** Writes a value to all keys of a range, with one stamp, and settles the pages. */
  static void write(TreeHarness harness, int from, int to, byte[] value, long stamp) {
    TreeMap<byte[], byte[]> batch = new TreeMap<>(Arrays::compareUnsigned);
    for (int i = from; i < to; i++) {
      batch.put(key(i), value);
    }
    harness.write(batch, stamp);
    harness.settle(Horizon.at(stamp));
  }

  /** A stored tree of byte keys from 0 on, ten for each of the stamps 3, 6, 9 and so on. */
  static StoredTree filled(int keys) throws Exception {
    StoredTree stored = new StoredTree(TreeKind.BYTES, 512, 4);
    for (int i = 0; i < keys; i += 10) {
      write(stored.harness, i, i + 10, new byte[30], 3 + 3L * (i / 10));
    }
    stored.flush(Horizon.at(300));
    return stored;
  }

  /** Pages that are stored. */
  int pages() {
    return rows.size();
  }

  /** Pages that are stored with a delta. */
  long deltas() {
    return rows.values().stream().filter(row -> row[1] != 0).count();
  }

  /** Where the base of a page is stored. */
  long base(int page) {
    return rows.get(page)[0];
  }

  /** Where the delta of a page is stored, 0 if there is none. */
  long delta(int page) {
    return rows.get(page)[1];
  }

  /** Stores what has changed, as a checkpoint does, and says of how many pages. */
  int flush(Horizon horizon) throws IOException {
    NotedPages noted = new NotedPages();
    harness.tree.shape.note(noted);
    harness.space.compressBy(next(), next());
    new PageFlush(harness.space, extents, horizon).write(noted, new Rows());
    for (int page : noted.removed()) {
      release(rows.remove(page));
      harness.table.reuse(page);
    }
    return noted.count() + noted.removed().size();
  }

  /** Stores some leaves that have changed, and says of how many. */
  int flushLeaves(int most, Horizon horizon) throws IOException {
    NotedPages noted = new NotedPages();
    harness.tree.shape.noteLeaves(noted, most);
    new PageFlush(harness.space, extents, horizon).write(noted, new Rows());
    return noted.count();
  }

  /** Takes all leaves out of memory that are stored as they are; says how many. */
  int evict() {
    return new PageEvictor(harness.space).evictAll();
  }

  /** Moves the leaves in memory to other blocks; says how many. */
  long move() {
    return new PageEvictor(harness.space).moveAll();
  }

  /** Evicts the values of every leaf of edges that can be evicted; says of how many. */
  int evictValues() {
    return new PageEvictor(harness.space).evictValues();
  }

  private void release(long[] row) {
    if (row != null) {
      new PageRow(row[0], row[1]).locations().forEach(extents::release);
    }
  }

  /** Copies all images to new extents, and deletes the extents that they were in. */
  void moveAll() throws IOException {
    List<Integer> old = extents.usage().stream().map(ExtentUsage::extent).toList();
    for (Stream stream : List.of(Stream.BASE, Stream.DELTA)) { // a new extent seals the old one
      extents.release(extents.append(stream, (byte) 1, 0, ByteBuffer.allocate(EXTENT - 1_024)));
    }
    for (Map.Entry<Integer, long[]> row : rows.entrySet()) {
      long[] images = row.getValue();
      long[] moved = {move(Stream.BASE, images[0]), move(Stream.DELTA, images[1])};
      row.setValue(moved);
      harness.table.store(row.getKey(), moved[0], moved[1]);
    }
    for (int extent : old) {
      if (extents.dead().contains(extent)) {
        extents.delete(extent);
      }
    }
  }

  private long move(Stream stream, long location) throws IOException {
    if (location == 0) {
      return 0;
    }
    ExtentRecord record = extents.read(location);
    long moved = extents.append(stream, record.kind(), record.key(), record.payload());
    extents.release(location);
    return moved;
  }

  /** Another way to compress images than the last one, so that a tree has images of all kinds. */
  private Compressor next() {
    way = compresses ? (way + 1) % WAYS.size() : WAYS.indexOf("none");
    return new Compressor(Compression.of(WAYS.get(way)));
  }

  /** Forgets all that is in memory. Everything has been flushed, and settled at this stamp. */
  void reopen(long newest) {
    TreeHarness opened = open(newest);
    opened.space.loadTogether(helpers, READS);
    harness.close();
    harness = opened;
  }

  /** The stored tree once more, beside the one that there is. */
  TreeHarness open(long newest) {
    return new TreeHarness(harness, kind, rows, extents, newest);
  }

  @Override
  public void close() throws IOException {
    helpers.shutdown();
    harness.close();
    extents.close();
  }

  private final class Rows implements PageFlush.Result {
    @Override
    public void stored(int page, PageRow old, PageRow now, LargeValueLocations references) {
      rows.put(page, new long[] {now.base(), now.delta()});
      old.locations().filter(location -> !now.names(location)).forEach(extents::release);
    }
  }
}
