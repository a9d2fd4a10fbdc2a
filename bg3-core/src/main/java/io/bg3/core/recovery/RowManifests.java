package io.bg3.core.recovery;

import io.bg3.core.tree.NotedPages;
import io.bg3.storage.extent.ExtentStore;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes manifests of rows (R52) and of moves (R48): those that give up images and write no page.
 *
 * <p>Outside of a checkpoint, such a manifest names the current rows of all pages but those which
 * are reshaped, and the trees and the log position of the last manifest. In a checkpoint, it names
 * all current rows and the trees that the checkpoint has noted, once these are complete on the
 * disk:
 *
 * <pre>
 *   checkpoint       note │ write reshaped pages │ write the other pages │ its own manifest
 *   manifest of rows      │ the last trees       │ the noted trees       │
 * </pre>
 *
 * <p>Threads: guarded by the {@link RowLock}, but for the figures and {@link #isDue}.
 */
final class RowManifests {
  private final OpenedStore store;
  private final ExtentStore extents;
  private final NamedRows named;
  private final CheckpointSource source;
  private final RowLock lock;
  private final ManifestDemand demand;
  private final Reclaimer reclaimer;

  /** Whether rows have changed since the last manifest because images were copied, and only so. */
  private boolean movedOnly;

  /** The pages of the checkpoint under way, if a manifest of rows may name them; else null. */
  private NotedPages noted;

  /** How many of them, the reshaped ones, have to be written before. */
  private int shape;

  /** {@link #noted} from when the reshaped ones are written until a manifest names them. */
  private NotedPages unnamedShape;

  /** Whether a manifest of rows has named those of this checkpoint. */
  private boolean shapeNamed;

  private final AtomicLong count = new AtomicLong();
  private final AtomicLong shapes = new AtomicLong();

  RowManifests(
      OpenedStore store,
      CheckpointSource source,
      RowLock lock,
      ManifestDemand demand,
      Reclaimer reclaimer) {
    this.store = store;
    this.extents = store.extents();
    this.named = store.named();
    this.source = source;
    this.lock = lock;
    this.demand = demand;
    this.reclaimer = reclaimer;
  }

  /** How many have been written since the store was opened. Any thread may ask. */
  long count() {
    return count.get();
  }

  /** How many of them have named new trees in the middle of a checkpoint. Any thread may ask. */
  long shapes() {
    return shapes.get();
  }

  /** Says that rows are about to get images of another content. */
  void changesRows() {
    movedOnly = false;
  }

  /**
   * Says that a checkpoint is about to write the pages that it has noted.
   *
   * @param first how many come first, because only a manifest with the noted trees may name them
   */
  void checkpointWrites(NotedPages pages, int first) {
    noted = pages.losesLogged() ? null : pages;
    shape = first;
    shapeNamed = false;
    unnamedShape = null;
    wrote(0);
  }

  /** Says how many of its pages the checkpoint has written. */
  void wrote(int pages) {
    if (pages >= shape && !shapeNamed) {
      unnamedShape = noted;
    }
  }

  /**
   * Says that the checkpoint has written its pages and is about to write its own manifest.
   *
   * @return whether a manifest of rows has named the noted trees before
   */
  boolean endsWriting() {
    noted = null;
    unnamedShape = null;
    return shapeNamed;
  }

  /** Says that a manifest is in place. */
  void replaced(Checkpoint checkpoint) {
    store.checkpoint().set(checkpoint);
    movedOnly = true;
    demand.replaced();
  }

  /**
   * Whether one gives up images that are worth it: because a round of reclaiming has ended, or rows
   * take too much memory, or images that only the last manifest names too much space. Any thread
   * may ask.
   */
  boolean isDue() {
    return reclaimer.awaitsManifest() || demand.wantsRowsNamed();
  }

  /**
   * Replaces the manifest by one of the log from the same position on.
   *
   * <p>A second one in a checkpoint has the E of the first: all that is written then was noted
   * before.
   */
  void write() throws IOException {
    NotedPages trees = unnamedShape;
    Checkpoint before = store.checkpoint().get();
    long newest = movedOnly ? before.newest() : source.newest(); // E: no image is newer
    extents.sync();
    long durable = movedOnly ? before.logDurable() : source.syncLog();
    NextManifest next =
        trees == null ? NextManifest.ofRows(store) : NextManifest.ofAllRows(store, trees.removed());
    List<Long> superseded = next.supersededImages();
    superseded.addAll(next.appendRows());
    extents.sync();
    superseded.forEach(extents::release);
    Set<Integer> dead = Set.copyOf(extents.dead());
    lock.requireNoFailure();
    Checkpoint checkpoint =
        new Checkpoint(
            before.initTrees(),
            before.logPosition(),
            durable,
            newest,
            store.space().table().end(),
            trees == null ? before.roots() : NextManifest.roots(trees),
            store.map().root(),
            next.usage(dead),
            before.totals(),
            trees == null ? before.nextDedicated() : store.forest().nextDedicated(),
            extents.movedEver());
    store.manifest().replace(checkpoint.encode());
    named(trees);
    replaced(checkpoint);
    next.reuseRemoved();
    for (int extent : dead) {
      extents.delete(extent);
    }
    reclaimer.rowsNamed();
  }

  /** Says that rows are named now: all with the noted trees, those of the same shape without. */
  private void named(NotedPages trees) {
    if (trees == null) {
      store.values().namedAllBut(named::isReshaped);
      named.retainReshaped();
    } else {
      store.values().namedAllBut(page -> false);
      named.clear();
      shapeNamed = true;
      unnamedShape = null;
      shapes.incrementAndGet();
    }
    count.incrementAndGet();
  }
}
