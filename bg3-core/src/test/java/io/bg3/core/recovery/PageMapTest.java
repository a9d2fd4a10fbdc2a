package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.table.PageRow;
import io.bg3.core.table.PageTable;
import io.bg3.storage.extent.ExtentSettings;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.extent.ExtentUsage;
import io.bg3.storage.file.MemoryDisk;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.memory.MemoryBudget;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Stores the rows of page tables, small ones with random changes against a model and a large one
 * with few, and loads them again; counts the bytes that checkpoints append and the records that
 * stay.
 *
 * <p>Takes about 4 s: the large tables bound the bytes that a checkpoint of a large store writes,
 * and have more runs than a list of them holds. The numbers of pages are constants.
 */
class PageMapTest {
  private static final int ROW = PageMapRows.ROW_LENGTH;

  /** A page table beside its copy in extents, and what it must say. */
  private static final class Stored implements AutoCloseable {
    final ExtentStore extents;
    final Map<Integer, PageRow> model = new TreeMap<>();
    PageTable table = newTable();
    PageMap map;

    Stored(int extentSize) throws IOException {
      extents = ExtentStore.open(new MemoryDisk(), ExtentSettings.of(1, extentSize), List.of());
      map = new PageMap(extents, table);
    }

    private static PageTable newTable() {
      return new PageTable(new MemoryBudget(1L << 32, "bg3.memory.budget"));
    }

    /** A checkpoint; says how many bytes it appended. */
    long append(Map<Integer, PageRow> changed, Set<Integer> removed) throws IOException {
      long before = extents.appendedBytes();
      changed.forEach((page, row) -> table.store(page, row.base(), row.delta()));
      model.putAll(changed);
      model.keySet().removeAll(removed);
      int[] pages = changed.keySet().stream().mapToInt(Integer::intValue).toArray();
      List<Long> superseded = map.append(pages, removed, table::row);
      removed.forEach(page -> table.store(page, 0, 0));
      superseded.forEach(extents::release);
      assertEquals(superseded.size(), Set.copyOf(superseded).size(), "released twice");
      for (int extent : extents.dead()) {
        extents.delete(extent);
      }
      return extents.appendedBytes() - before;
    }

    /** Loads what the last checkpoint said into a new table, which takes the place of the old. */
    void reopen() throws IOException {
      PageTable loaded = newTable();
      map = load(loaded);
      table = loaded;
    }

    /** The rows of the last checkpoint, in a new table; the old one goes on. */
    PageTable loaded() throws IOException {
      PageTable loaded = newTable();
      load(loaded);
      return loaded;
    }

    private PageMap load(PageTable into) throws IOException {
      PageMapRoot root = map.root();
      ByteBuffer bytes = ByteBuffer.allocate(root.length()).order(ByteOrder.LITTLE_ENDIAN);
      root.encode(bytes);
      assertEquals(0, bytes.remaining());
      PageMap loading = new PageMap(extents, into);
      loading.load(PageMapRoot.decode(bytes.flip(), "manifest"), table.end(), 0);
      assertEquals(table.end(), into.end());
      return loading;
    }

    void check(String at) {
      for (int page = 1; page < table.end(); page++) {
        PageRow row = model.get(page);
        assertEquals(row == null ? 0 : row.base(), table.base(page), at + ", page " + page);
        assertEquals(row == null ? 0 : row.delta(), table.delta(page), at + ", page " + page);
      }
    }

    long written() {
      return extents.usage().stream().mapToLong(ExtentUsage::written).sum();
    }

    @Override
    public void close() throws IOException {
      extents.close();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void whatIsLoadedIsWhatCheckpointsSaid(long seed) throws IOException {
    Random random = new Random(seed);
    int pages = 1 + random.nextInt(seed % 2 == 0 ? 20_000 : 3_000);
    int most = 1 + random.nextInt(3_000);
    try (Stored stored = new Stored(64 << 10)) {
      for (int checkpoint = 1; checkpoint <= 120; checkpoint++) {
        stored.table.grow(Math.max(stored.table.end(), 2 + random.nextInt(pages)));
        Map<Integer, PageRow> changed = new TreeMap<>();
        Set<Integer> removed = new HashSet<>();
        for (int i = random.nextInt(most); i > 0; i--) {
          int page = 1 + random.nextInt(stored.table.end() - 1);
          if (random.nextInt(10) == 0 && stored.model.containsKey(page)) {
            removed.add(page);
          } else {
            changed.put(page, new PageRow(1L + random.nextInt(), random.nextInt(2)));
          }
        }
        changed.values().removeIf(row -> row.base() == 0);
        changed.keySet().removeAll(removed);
        stored.append(changed, removed);
        if (random.nextInt(8) == 0) {
          stored.reopen();
          stored.check("seed " + seed + ", checkpoint " + checkpoint);
        }
      }
      stored.reopen();
      stored.check("seed " + seed);
    }
  }

  @Test
  void aCheckpointCostsWhatChangedHoweverManyPagesThereAre() throws IOException {
    int pages = 300_000; // in fewer segments than there are checkpoints of one page
    try (Stored stored = new Stored(16 << 20)) {
      stored.table.grow(pages + 1);
      Map<Integer, PageRow> all = new TreeMap<>();
      for (int page = 1; page <= pages; page++) {
        all.put(page, new PageRow(page, 0));
      }
      stored.append(all, Set.of());
      all.clear();
      long most = 0;
      Random random = new Random(1);
      for (int checkpoint = 0; checkpoint < 300; checkpoint++) {
        int page = 1 + random.nextInt(pages);
        Map<Integer, PageRow> one = Map.of(page, new PageRow(pages + page, 1));
        most = Math.max(most, stored.append(one, Set.of()));
        assertTrue(stored.map.root().length() < 32 << 10, "length=" + stored.map.root().length());
      }
      assertTrue(most < 128 << 10, "bytes=" + most); // a segment, its list, and the row

      long before = stored.extents.appendedBytes();
      int rows = 0;
      for (int checkpoint = 0; checkpoint < 100; checkpoint++) {
        Map<Integer, PageRow> some = new TreeMap<>();
        for (int i = 0; i < 5_000; i++) {
          int page = 1 + random.nextInt(pages);
          some.put(page, new PageRow(page, checkpoint));
        }
        stored.append(some, Set.of());
        rows += some.size();
      }
      double eachRow = (stored.extents.appendedBytes() - before) / (double) rows;
      assertTrue(eachRow < 4 * ROW, "bytes of a row that changed: " + eachRow);
      assertTrue(stored.written() < 4L * ROW * pages, "written=" + stored.written());
      stored.reopen();
      stored.check("large");
    }
  }

  @Test
  void runsOfTwoRoundsCountInTheOrderOfTheirCheckpoints() throws IOException {
    int pages = 1_200_000; // a round takes more runs than a list holds
    int[] hot = new Random(2).ints(64, 1, pages).toArray();
    try (Stored stored = new Stored(16 << 20)) {
      stored.table.grow(pages + 1);
      Map<Integer, PageRow> all = new TreeMap<>();
      for (int page = 1; page <= pages; page++) {
        all.put(page, new PageRow(page, 0));
      }
      stored.append(all, Set.of());
      Random random = new Random(1);
      for (int checkpoint = 1; checkpoint <= 2_600; checkpoint++) {
        int page = hot[random.nextInt(hot.length)];
        stored.append(Map.of(page, new PageRow(pages + checkpoint, 1)), Set.of());
        if (checkpoint > 1_000 && checkpoint % 160 == 0) {
          PageTable loaded = stored.loaded();
          for (int one : hot) {
            assertEquals(
                stored.model.get(one).base(),
                loaded.base(one),
                "page " + one + ", checkpoint " + checkpoint);
          }
        }
      }
    }
  }

  @Test
  void manySmallCheckpointsLeaveFewRecords() throws IOException {
    try (Stored stored = new Stored(64 << 10)) {
      stored.table.grow(10_001);
      for (int checkpoint = 1; checkpoint <= 5_000; checkpoint++) {
        int page = 1 + checkpoint % 10_000;
        stored.append(Map.of(page, new PageRow(checkpoint, 0)), Set.of());
      }
      long records = stored.extents.usage().stream().mapToLong(ExtentUsage::liveRecords).sum();
      assertTrue(records < 100, "records=" + records);
      stored.reopen();
      stored.check("small");
    }
  }

  @Test
  void aSegmentInThePlaceOfAnotherIsDamage() throws IOException {
    try (Stored stored = new Stored(1 << 20)) {
      stored.table.grow(5_001);
      Map<Integer, PageRow> all = new TreeMap<>();
      for (int page = 1; page <= 5_000; page++) {
        all.put(page, new PageRow(page, 0));
      }
      stored.append(all, Set.of());
      PageMapRoot root = stored.map.root();
      ByteBuffer list = stored.extents.read(root.indexes().get(0)).payload();
      ByteBuffer exchanged = ByteBuffer.allocate(2 * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      exchanged.putLong(list.getLong(8)).putLong(list.getLong(0)).flip();
      long location =
          stored.extents.append(io.bg3.storage.extent.Stream.MAP, PageMapRoot.LIST, 2, exchanged);
      PageMapRoot wrong =
          new PageMapRoot(root.sequence(), List.of(location), root.lists(), root.runs());
      PageMap other = new PageMap(stored.extents, Stored.newTable());
      CorruptionException e =
          assertThrows(CorruptionException.class, () -> other.load(wrong, 5_001, 0));
      assertTrue(e.getMessage().contains("segment 0"), e.getMessage());
    }
  }
}
