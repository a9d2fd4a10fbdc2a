package io.bg3.core.recovery;

import io.bg3.core.forest.Forest;
import io.bg3.core.recovery.Checkpoint.Root;
import io.bg3.core.table.PageTable;
import io.bg3.core.tree.PageImages;
import io.bg3.core.tree.TreeSpace;
import io.bg3.storage.extent.ExtentRecord;
import io.bg3.storage.extent.ExtentSettings;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.extent.Location;
import io.bg3.storage.file.Disk;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.manifest.Manifest;
import io.bg3.storage.manifest.ManifestFile;
import io.bg3.storage.memory.MemoryBudget;
import io.bg3.storage.memory.MemoryExceededException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Loads what the manifest names: extents, page table, every page. */
public final class StoreLoader {
  private final Disk disk;
  private final ManifestFile manifest;
  private final ExtentSettings extentSettings;
  private final TreeSpace space;
  private final MemoryBudget budget;

  /** A loader for the store on a disk, into a space without trees. */
  public StoreLoader(
      Disk disk,
      ManifestFile manifest,
      ExtentSettings extentSettings,
      TreeSpace space,
      MemoryBudget budget) {
    this.disk = disk;
    this.manifest = manifest;
    this.extentSettings = extentSettings;
    this.space = space;
    this.budget = budget;
  }

  /**
   * Loads the store, or makes the empty trees of a new one where there is no manifest.
   *
   * @param current what the manifest says, nothing for a new store
   * @param initTrees number of INIT trees of a new store
   * @throws MemoryExceededException naming the bytes that the store needs, if its pages do not fit
   *     into the budget
   * @throws CorruptionException if what the manifest names is not there or not what was written
   */
  public OpenedStore load(Optional<Manifest> current, int initTrees) throws IOException {
    if (current.isEmpty()) {
      ExtentStore extents = ExtentStore.open(disk, extentSettings, List.of());
      return new OpenedStore(
          Forest.create(space, initTrees),
          space,
          extents,
          manifest,
          new PageMap(extents, space.table()),
          new ValueReferences(),
          0,
          0,
          0,
          new byte[0],
          true);
    }
    return load(Checkpoint.decode(current.get().payload(), ManifestFile.NAME));
  }

  private OpenedStore load(Checkpoint checkpoint) throws IOException {
    ExtentStore extents = ExtentStore.open(disk, extentSettings, checkpoint.extents());
    PageMap map = new PageMap(extents, space.table());
    Map<Integer, PageMap.Row> rows = map.load(checkpoint.mapChunks(), checkpoint.pageEnd());
    requireMemory(rows);
    PageTable table = space.table();
    table.grow(checkpoint.pageEnd());
    ValueReferences values = new ValueReferences();
    for (Map.Entry<Integer, PageMap.Row> row : rows.entrySet()) {
      load(extents, row.getKey(), row.getValue(), values);
    }
    table.collectFree();
    extents.retainValues(values.all());
    for (Root root : checkpoint.roots()) {
      if (table.block(root.page()) == 0) {
        throw new CorruptionException(
            ManifestFile.NAME,
            0,
            "a stored root page of tree " + root.tree(),
            "none: page=" + root.page());
      }
    }
    Map<Integer, Integer> roots =
        checkpoint.roots().stream().collect(Collectors.toMap(Root::tree, Root::page));
    return new OpenedStore(
        Forest.open(space, checkpoint.initTrees(), roots),
        space,
        extents,
        manifest,
        map,
        values,
        checkpoint.logPosition(),
        checkpoint.logDurable(),
        checkpoint.newest(),
        checkpoint.totals(),
        false);
  }

  private void requireMemory(Map<Integer, PageMap.Row> rows) {
    long needed = 0;
    for (PageMap.Row row : rows.values()) {
      needed += Location.bytes(row.base()) + (row.delta() == 0 ? 0 : Location.bytes(row.delta()));
    }
    if (needed > budget.limit()) {
      throw new MemoryExceededException(
          "the store's pages do not fit into the memory budget",
          budget.settingName(),
          needed,
          budget.used(),
          budget.limit());
    }
  }

  private void load(ExtentStore extents, int page, PageMap.Row row, ValueReferences values)
      throws IOException {
    ExtentRecord base = extents.read(row.base());
    ByteBuffer delta = row.delta() == 0 ? null : extents.read(row.delta()).payload();
    String source = "page " + page + " at " + Location.toString(row.base());
    long[] locations = space.load(new PageImages(page, base.kind(), base.payload(), delta, source));
    space.table().store(page, row.base(), row.delta());
    values.replace(page, locations);
  }
}
