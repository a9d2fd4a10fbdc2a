package io.bg3.core.recovery;

import io.bg3.core.forest.Forest;
import io.bg3.core.recovery.Checkpoint.Root;
import io.bg3.core.table.PageTable;
import io.bg3.core.tree.PageEvictor;
import io.bg3.core.tree.PageLoader;
import io.bg3.core.tree.TreeSpace;
import io.bg3.storage.extent.ExtentSettings;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.file.Disk;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.manifest.Manifest;
import io.bg3.storage.manifest.ManifestFile;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/**
 * Opens what the manifest names: extents, page table, trees. No page is read; each is loaded when a
 * thread needs it. No file is changed: that comes when the extents are {@linkplain
 * ExtentStore#establish established}.
 */
public final class StoreLoader {
  private final Disk disk;
  private final ManifestFile manifest;
  private final ExtentSettings extentSettings;
  private final TreeSpace space;

  /** A loader for the store on a disk, into a space without trees. */
  public StoreLoader(
      Disk disk, ManifestFile manifest, ExtentSettings extentSettings, TreeSpace space) {
    this.disk = disk;
    this.manifest = manifest;
    this.extentSettings = extentSettings;
    this.space = space;
  }

  /**
   * Opens the store, or makes the empty trees of a new one where there is no manifest.
   *
   * @param current what the manifest says, nothing for a new store
   * @param initTrees number of INIT trees of a new store
   * @throws CorruptionException if the page table is not there or not what was written, or there
   *     are extents and no manifest; damaged pages are found by the thread that reads them
   */
  public OpenedStore load(Optional<Manifest> current, int initTrees) throws IOException {
    if (current.isEmpty()) {
      ExtentStore extents = ExtentStore.plan(disk, extentSettings, List.of());
      if (!extents.unnamed().isEmpty()) { // the first manifest is written before any extent
        throw new CorruptionException(
            disk.describe(ManifestFile.NAME),
            0,
            "a manifest, since there is " + extents.unnamed().get(0),
            "no file");
      }
      ValueReferences values = new ValueReferences(List.of());
      space.loadBy(new PageLoader(space, extents, 0, values));
      return new OpenedStore(
          Forest.create(space, initTrees),
          space,
          extents,
          manifest,
          new PageMap(extents, space.table()),
          values,
          new NamedRows(space.table().budget()),
          new AtomicReference<>(),
          0,
          0,
          0,
          new byte[0],
          true);
    }
    Checkpoint checkpoint =
        Checkpoint.decode(current.get().payload(), disk.describe(ManifestFile.NAME));
    ExtentStore extents = ExtentStore.plan(disk, extentSettings, checkpoint.extents());
    extents.openedWithMoved(checkpoint.moved());
    try {
      return load(checkpoint, extents);
    } catch (IOException | RuntimeException | Error e) {
      extents.close();
      throw e;
    }
  }

  private OpenedStore load(Checkpoint checkpoint, ExtentStore extents) throws IOException {
    PageMap map = new PageMap(extents, space.table());
    map.load(checkpoint.map(), checkpoint.pageEnd(), checkpoint.newest());
    ValueReferences values = new ValueReferences(checkpoint.extents());
    space.loadBy(new PageLoader(space, extents, checkpoint.newest(), values));
    PageTable table = space.table();
    for (Root root : checkpoint.roots()) {
      if (root.page() >= table.end() || table.block(root.page()) == 0) {
        throw new CorruptionException(
            disk.describe(ManifestFile.NAME),
            0,
            "a stored root page of tree " + root.tree(),
            "none: page=" + root.page());
      }
    }
    Map<Integer, Integer> roots =
        checkpoint.roots().stream().collect(Collectors.toMap(Root::tree, Root::page));
    return new OpenedStore(
        openForest(checkpoint, roots),
        space,
        extents,
        manifest,
        map,
        values,
        new NamedRows(table.budget()),
        new AtomicReference<>(checkpoint),
        checkpoint.logPosition(),
        checkpoint.logDurable(),
        checkpoint.newest(),
        checkpoint.totals(),
        false);
  }

  /** Reads the directory, whose leaves need not fit into the budget together. */
  private Forest openForest(Checkpoint checkpoint, Map<Integer, Integer> roots) {
    try (PageEvictor evictor = new PageEvictor(space)) {
      evictor.relieveBudget();
      return Forest.open(space, checkpoint.initTrees(), roots, checkpoint.nextDedicated());
    }
  }
}
