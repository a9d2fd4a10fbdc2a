package io.bg3.core.recovery;

import io.bg3.storage.extent.ExtentStore;
import java.io.IOException;

/**
 * Syncs the extents by and by while a checkpoint or a round of reclaiming appends to them, so that
 * the sync at its end has few bytes left. A long sync would delay those of commits.
 *
 * <p>Threads: guarded by the {@link RowLock}.
 */
final class CheckpointSync {
  /** Bytes that a checkpoint which waits for its pace appends before it syncs them. */
  static final int PACED_BYTES = 1 << 20;

  /** Bytes that a checkpoint or a round of copying appends at most before it syncs them. */
  static final int UNSYNCED_BYTES = 8 << 20;

  private final ExtentStore extents;

  /** Bytes that had been appended at the last early sync. */
  private long synced;

  CheckpointSync(ExtentStore extents) {
    this.extents = extents;
  }

  /** Syncs if {@link #UNSYNCED_BYTES} or more have been appended since the last early sync. */
  void bound() throws IOException {
    bound(UNSYNCED_BYTES);
  }

  /** Syncs if so many bytes or more have been appended since the last early sync. */
  void bound(int most) throws IOException {
    if (extents.appendedBytes() - synced >= most) {
      extents.sync();
      synced = extents.appendedBytes();
    }
  }
}
