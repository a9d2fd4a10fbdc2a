package io.bg3.core.recovery;

import io.bg3.core.recovery.Checkpoint.MapChunk;
import io.bg3.core.table.PageTable;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.extent.Location;
import io.bg3.storage.extent.Stream;
import io.bg3.storage.format.CorruptionException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The page table in the MAP stream: chunks of rows, oldest first, of which a later row of a page
 * wins.
 *
 * <p>A checkpoint appends the rows that changed. When that would make the rows more than twice the
 * pages, or the chunks too many for a manifest, the whole table is written anew and the old chunks
 * are given up.
 *
 * <p>Threads: the checkpoint's, and opening.
 */
final class PageMap {
  private static final int MAX_CHUNKS = 512;

  /** Below this many rows it is not worth writing the table anew. */
  private static final int FEW_ROWS = 4 * MapRows.MAX_ROWS;

  private final ExtentStore extents;
  private final PageTable table;
  private final List<MapChunk> chunks = new ArrayList<>();

  PageMap(ExtentStore extents, PageTable table) {
    this.extents = extents;
    this.table = table;
  }

  /** Where a page is stored; a base of 0 says that the page was removed. */
  record Row(long base, long delta) {}

  /** The chunks that the next manifest names. */
  List<MapChunk> chunks() {
    return List.copyOf(chunks);
  }

  /**
   * Reads the rows that a manifest names into the page table. A page of which the last row says
   * that it was removed is none.
   */
  void load(List<MapChunk> named, int pageEnd) throws IOException {
    chunks.addAll(named);
    table.grow(pageEnd);
    for (MapChunk chunk : named) {
      String source = "MAP record " + Location.toString(chunk.location());
      MapRows stored = MapRows.of(extents.read(chunk.location()).payload(), source);
      for (int i = 0; i < stored.count(); i++) {
        int page = stored.page(i);
        if (page <= 0 || page >= pageEnd) {
          throw new CorruptionException(source, i, "a page below " + pageEnd, "" + page);
        }
        table.open(page, stored.base(i), stored.delta(i));
      }
    }
    table.collectFree();
  }

  /**
   * Appends what a checkpoint changed.
   *
   * @param changed rows by page
   * @param removed pages that are no longer named
   * @return chunks that the next manifest will not name
   */
  List<Long> append(Map<Integer, Row> changed, Set<Integer> removed) throws IOException {
    int rows = chunks.stream().mapToInt(MapChunk::rows).sum() + changed.size() + removed.size();
    if (chunks.size() >= MAX_CHUNKS || rows > Math.max(FEW_ROWS, 2 * table.end())) {
      return rewrite(removed);
    }
    MapRows run = new MapRows();
    for (Map.Entry<Integer, Row> row : changed.entrySet()) {
      add(run, row.getKey(), row.getValue().base(), row.getValue().delta());
    }
    for (int page : removed) {
      add(run, page, 0, 0);
    }
    flush(run);
    return List.of();
  }

  private List<Long> rewrite(Set<Integer> removed) throws IOException {
    List<Long> old = chunks.stream().map(MapChunk::location).toList();
    chunks.clear();
    MapRows run = new MapRows();
    for (int page = 1; page < table.end(); page++) {
      if (table.base(page) != 0 && !removed.contains(page)) {
        add(run, page, table.base(page), table.delta(page));
      }
    }
    flush(run);
    return old;
  }

  private void add(MapRows run, int page, long base, long delta) throws IOException {
    if (run.isFull()) {
      flush(run);
    }
    run.add(page, base, delta);
  }

  private void flush(MapRows run) throws IOException {
    if (run.count() > 0) {
      long location = extents.append(Stream.MAP, MapRows.KIND, run.page(0), run.payload());
      chunks.add(new MapChunk(location, run.count()));
      run.clear();
    }
  }
}
