package io.bg3.core.recovery;

import io.bg3.core.entry.LargeValueLocations;
import io.bg3.core.recovery.Checkpoint.Root;
import io.bg3.core.table.PageRow;
import io.bg3.core.table.PageTable;
import io.bg3.core.tree.NotedPages;
import io.bg3.core.tree.TreeSpace;
import io.bg3.storage.extent.ExtentUsage;
import io.bg3.storage.extent.Location;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The rows that the next manifest names, and what follows from them: the images that it gives up,
 * the rows to be appended to MAP, and the bytes of the extents that count as live.
 *
 * <pre>
 *   page         row that it names          images that it gives up
 *   removed      none                       those of both rows
 *   left         that of the last manifest  none
 *   any other    the current one            those of the last manifest's row that are not in it
 * </pre>
 *
 * <p>A checkpoint leaves no page; a manifest of rows leaves those that are reshaped (R52).
 *
 * <p>Threads: guarded by the {@link RowLock}.
 */
final class NextManifest {
  /** Bytes and records of images in one extent. */
  private static final class Images {
    long bytes;
    long records;

    void add(long image) {
      bytes += Location.bytes(image);
      records++;
    }
  }

  private final OpenedStore store;
  private final PageTable table;
  private final NamedRows named;
  private final Set<Integer> removed;
  private final IntPredicate left;

  private NextManifest(OpenedStore store, Collection<Integer> removed, IntPredicate left) {
    this.store = store;
    this.table = store.space().table();
    this.named = store.named();
    this.removed = new HashSet<>(removed);
    this.left = left;
  }

  /** Names the current rows of all pages but those that were removed. */
  static NextManifest ofAllRows(OpenedStore store, Collection<Integer> removed) {
    return new NextManifest(store, removed, page -> false);
  }

  /** Names the current rows of all pages but those that are reshaped. */
  static NextManifest ofRows(OpenedStore store) {
    return new NextManifest(store, List.of(), store.named()::isReshaped);
  }

  /** Root pages of the trees as they were noted. */
  static List<Root> roots(NotedPages noted) {
    return noted.trees().stream().map(tree -> new Root(tree.id(), tree.root())).toList();
  }

  /** The images that the last manifest or the page table names and this one does not. */
  List<Long> supersededImages() {
    List<Long> superseded = new ArrayList<>();
    for (int page : changedPages()) {
      PageRow row = table.row(page);
      PageRow old = named.named(page);
      addUnless(row, old.base(), superseded);
      addUnless(row, old.delta(), superseded);
    }
    for (int page : removed) {
      PageRow row = table.row(page);
      row.locations().forEach(superseded::add);
      PageRow old = named.named(page);
      if (old != null) {
        old.locations().filter(location -> !row.names(location)).forEach(superseded::add);
      }
    }
    return superseded;
  }

  private static void addUnless(PageRow row, long image, List<Long> superseded) {
    if (image != Location.NONE && !row.names(image)) {
      superseded.add(image);
    }
  }

  /**
   * Appends to MAP the rows that changed. Values are not referred to by pages that were removed
   * from now on.
   *
   * @return records of MAP that this manifest does not name
   */
  List<Long> appendRows() throws IOException {
    List<Long> superseded = store.map().append(changedPages(), removed, this::row);
    removed.forEach(page -> store.values().replace(page, LargeValueLocations.NONE));
    return superseded;
  }

  /** The row of a page, not removed, that this manifest names. */
  private PageRow row(int page) {
    return left.test(page) ? named.named(page) : table.row(page);
  }

  /** The pages, not removed, of which this manifest names another row than the last one. */
  private int[] changedPages() {
    return Arrays.stream(named.pages())
        .filter(page -> !isRemoved(page) && !left.test(page))
        .toArray();
  }

  private boolean isRemoved(int page) {
    return !removed.isEmpty() && removed.contains(page);
  }

  /**
   * The usage of the extents as this manifest says it: without the current images of the pages that
   * are left.
   *
   * @param dead extents that are not named any more
   */
  List<ExtentUsage> usage(Set<Integer> dead) {
    Map<Integer, Images> unnamed = unnamedImages();
    return store.values().asOpened(store.extents().usageToName(), left).stream()
        .filter(usage -> !dead.contains(usage.extent()))
        .map(usage -> without(usage, unnamed.get(usage.extent())))
        .toList();
  }

  /** By extent, the current images of the pages that are left which their named rows lack. */
  private Map<Integer, Images> unnamedImages() {
    Map<Integer, Images> unnamed = new HashMap<>();
    IntStream.of(named.pages())
        .filter(left)
        .forEach(
            page -> {
              PageRow row = named.named(page);
              table
                  .row(page)
                  .locations()
                  .filter(image -> !row.names(image))
                  .forEach(image -> imagesOf(image, unnamed).add(image));
            });
    return unnamed;
  }

  private static Images imagesOf(long image, Map<Integer, Images> by) {
    return by.computeIfAbsent(Location.extent(image), extent -> new Images());
  }

  private static ExtentUsage without(ExtentUsage usage, Images unnamed) {
    return unnamed == null
        ? usage
        : usage.withLive(usage.live() - unnamed.bytes, usage.liveRecords() - unnamed.records);
  }

  /**
   * Has the ids of the removed pages come back when nobody who might have read one before is still
   * inside an epoch.
   */
  void reuseRemoved() {
    if (!removed.isEmpty()) {
      TreeSpace space = store.space();
      space.epochs().awaitQuiescence();
      removed.forEach(table::reuse);
    }
  }
}
