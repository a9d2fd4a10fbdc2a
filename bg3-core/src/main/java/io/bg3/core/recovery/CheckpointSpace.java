package io.bg3.core.recovery;

import io.bg3.storage.extent.ExtentStore;
import java.io.IOException;

/**
 * Keeps the space of images to its bound while a checkpoint writes them (R53): gives up those that
 * have been written anew, by a manifest of rows, and empties extents where that is not enough.
 *
 * <p>Threads: guarded by the {@link RowLock}.
 */
final class CheckpointSpace {
  /** A checkpoint looks at the space when it has written this part of the live bytes. */
  private static final int LOOK_SHARE = 64;

  /** Bytes that are copied in a checkpoint, where that is wanted, for each one written. */
  private static final int COPIED_FOR_ONE = 2;

  private final OpenedStore store;
  private final ExtentStore extents;
  private final ManifestDemand demand;
  private final RowManifests manifests;
  private final Reclaimer reclaimer;

  /** Bytes that had been appended when a checkpoint last looked at the space, or began. */
  private long lookedAt;

  CheckpointSpace(
      OpenedStore store, ManifestDemand demand, RowManifests manifests, Reclaimer reclaimer) {
    this.store = store;
    this.extents = store.extents();
    this.demand = demand;
    this.manifests = manifests;
    this.reclaimer = reclaimer;
  }

  /** Says that a checkpoint is about to write its pages. */
  void begins() {
    lookedAt = extents.appendedBytes();
  }

  /**
   * Looks at the space, if enough was written since the last look. Called between two groups of
   * pages.
   */
  void keep() throws IOException {
    long written = extents.appendedBytes() - lookedAt;
    if (demand.isUnbounded() || store.checkpoint().get() == null || written < lookBytes()) {
      return;
    }
    if (demand.isNearBound()) {
      manifests.write();
      empty(COPIED_FOR_ONE * written);
    }
    lookedAt = extents.appendedBytes();
  }

  private long lookBytes() {
    return Math.max(extents.extentSize(), extents.liveBytes() / LOOK_SHARE);
  }

  /** Copies about so many bytes out of extents, or fewer if that is enough. */
  private void empty(long most) throws IOException {
    long end = extents.appendedBytes() + most;
    boolean more = true;
    while (more && extents.appendedBytes() < end && demand.isNearBound()) {
      more = reclaimer.sliceOfImages(most);
      if (reclaimer.awaitsManifest()) {
        manifests.write();
        more = true;
      }
    }
  }
}
