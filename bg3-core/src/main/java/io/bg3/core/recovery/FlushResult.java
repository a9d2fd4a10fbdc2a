package io.bg3.core.recovery;

import io.bg3.core.entry.LargeValueLocations;
import io.bg3.core.forest.Forest;
import io.bg3.core.table.PageRow;
import io.bg3.core.tree.PageFlush;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.extent.Location;
import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Enters what a flush has stored: which row the last manifest names, which values the new images
 * refer to, and which images nobody wants any more. An image that the last manifest names is wanted
 * until the next one; any other is garbage as soon as it is superseded (R24).
 */
final class FlushResult implements PageFlush.Result {
  private final Forest forest;
  private final NamedRows named;
  private final ValueReferences values;
  private final Consumer<long[]> stored;
  private final ExtentStore extents;
  private final Progress progress;

  /** Is told how many pages of a flush have been written. */
  @FunctionalInterface
  interface Progress {
    /** Nobody is told. */
    Progress NONE = (pages, all) -> {};

    /** As {@link PageFlush.Result#written}. */
    void written(int pages, int all) throws IOException;
  }

  /**
   * @param stored is told which values the images refer to
   */
  FlushResult(OpenedStore store, Consumer<long[]> stored, Progress progress) {
    this.forest = store.forest();
    this.named = store.named();
    this.values = store.values();
    this.extents = store.extents();
    this.stored = stored;
    this.progress = progress;
  }

  @Override
  public void reshaped(int page, PageRow old) {
    named.reshapes(page, old);
  }

  @Override
  public void stored(int page, PageRow old, PageRow now, LargeValueLocations references) {
    named.changes(page, old);
    values.replace(page, references);
    stored.accept(references.locations());
    supersede(page, old.base(), now);
    supersede(page, old.delta(), now);
  }

  @Override
  public void prunes(int page, Supplier<LargeValueLocations> pruning) {
    forest.tryBetweenMoves(() -> values.replace(page, pruning.get()));
  }

  @Override
  public void written(int pages, int all) throws IOException {
    progress.written(pages, all);
  }

  /** Says that the images of a page are about to be copied ones. */
  void moves(int page, PageRow old, PageRow now) {
    assert !old.equals(now) : page;
    named.changes(page, old);
  }

  /** Says that the row of a page names copies of its images, which refer to the same values. */
  void moved(int page, PageRow old, PageRow now) {
    supersede(page, old.base(), now);
    supersede(page, old.delta(), now);
  }

  private void supersede(int page, long location, PageRow now) {
    if (location == Location.NONE || now.names(location)) {
      return;
    }
    if (isNamed(page, location)) {
      named.keeps(page, Location.bytes(location));
    } else {
      extents.release(location);
    }
  }

  /** Whether the last manifest names an image of a page that has been flushed since. */
  private boolean isNamed(int page, long location) {
    PageRow row = named.named(page);
    assert row != null : page;
    return row.names(location);
  }
}
