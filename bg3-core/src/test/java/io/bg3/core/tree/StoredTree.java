package io.bg3.core.tree;

import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.LargeValueLocations;
import io.bg3.storage.extent.ExtentSettings;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.file.MemoryDisk;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A tree that is stored now and then, and opened again with its pages in storage. */
final class StoredTree implements AutoCloseable {
  private final TreeKind kind;
  private final ExtentStore extents;

  /** What the last flush stored: locations of base and delta by page. */
  private final Map<Integer, long[]> rows = new HashMap<>();

  TreeHarness harness;

  StoredTree(TreeKind kind, int capacity, int consolidate) throws IOException {
    this.kind = kind;
    this.harness = new TreeHarness(kind, capacity, consolidate);
    this.extents = ExtentStore.open(new MemoryDisk(), ExtentSettings.of(1, 64 << 10), List.of());
  }

  /** Pages that are stored. */
  int pages() {
    return rows.size();
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
    harness.tree.note(noted);
    new PageFlush(harness.space, extents, horizon).write(noted, new Rows());
    for (int page : noted.removed()) {
      rows.remove(page);
      harness.table.reuse(page);
    }
    return noted.count() + noted.removed().size();
  }

  /** Forgets all that is in memory. Everything has been flushed, and settled at this stamp. */
  void reopen(long newest) {
    TreeHarness opened = open(newest);
    harness.close();
    harness = opened;
  }

  /** The stored tree once more, beside the one that there is. */
  TreeHarness open(long newest) {
    return new TreeHarness(harness, kind, rows, extents, newest);
  }

  @Override
  public void close() throws IOException {
    harness.close();
    extents.close();
  }

  private final class Rows implements PageFlush.Result {
    @Override
    public void stored(int page, long base, long delta, LargeValueLocations references) {
      rows.put(page, new long[] {base, delta});
    }

    @Override
    public void superseded(long location) {}
  }
}
