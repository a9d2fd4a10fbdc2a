package io.bg3.storage.extent;

import io.bg3.storage.file.Disk;
import java.io.IOException;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes extents that are dead, with their files. Reads under way come to their end.
 *
 * <p>Threads: any; each extent is deleted by one.
 */
final class ExtentRemoval {
  private static final Logger LOG = LoggerFactory.getLogger(ExtentRemoval.class);

  private final Disk disk;
  private final ExtentFiles files;
  private final Map<Integer, Extent> extents;
  private final UnsyncedExtents unsynced;
  private final UnnamedFiles unnamed;

  ExtentRemoval(ExtentParts shared) {
    this.disk = shared.disk();
    this.files = shared.files();
    this.extents = shared.extents();
    this.unsynced = shared.unsynced();
    this.unnamed = shared.unnamed();
  }

  /**
   * Deletes an extent that no manifest names for anything live.
   *
   * @throws IllegalArgumentException if it is not there or not dead
   */
  void delete(int extentId) throws IOException {
    Extent extent = extents.get(extentId);
    if (extent == null || !extent.isDead() || !extents.remove(extentId, extent)) {
      throw new IllegalArgumentException(
          "extent is not dead: number=" + Integer.toHexString(extentId) + ", extent=" + extent);
    }
    deleteFile(extent);
  }

  /**
   * Forgets an extent and deletes its file. One that is not there was deleted before a crash, and
   * still named by the manifest that the store was opened with.
   */
  private void deleteFile(Extent extent) throws IOException {
    files.forget(extent);
    unsynced.remove(extent);
    disk.deleteIfThere(extent.fileName());
  }

  /**
   * Deletes the dead ones among the extents that no manifest has ever named. One that cannot be
   * deleted takes space and does no other harm: the next call tries again.
   */
  void deleteDeadNeverNamed() {
    for (Extent extent : unnamed.made()) {
      if (extent.isDead()) {
        deleteNeverNamed(extent);
      }
    }
  }

  private void deleteNeverNamed(Extent extent) {
    extents.remove(extent.number(), extent);
    try {
      deleteFile(extent);
      unnamed.forget(extent);
    } catch (IOException e) {
      LOG.warn(
          "an extent that is not needed any more cannot be deleted: file={}",
          files.describe(extent),
          e);
    }
  }
}
