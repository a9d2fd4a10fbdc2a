package io.bg3.core.recovery;

import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.file.Disk;
import io.bg3.storage.file.IoReason;
import io.bg3.storage.log.LogReader;
import io.bg3.storage.log.LogSettings;
import io.bg3.storage.log.WriteAheadLog;
import java.io.IOException;

/**
 * The extents that the manifest does not name, of a store that is being opened. Flushes between two
 * checkpoints leave them when the process ends, and they may take the space that replay needs.
 *
 * <p>They go only once the store cannot be refused for a damaged log, and once no power cut can
 * bring back an older manifest, which may name them (R24.9).
 *
 * <p>Threads: one at a time.
 */
final class UnnamedExtents {
  private final Disk disk;
  private final LogSettings settings;
  private final OpenedStore store;

  UnnamedExtents(Disk disk, LogSettings settings, OpenedStore store) {
    this.disk = disk;
    this.settings = settings;
    this.store = store;
  }

  /** Whether an append has failed because the disk is full. */
  boolean isFull(IOException failure) {
    return IoReason.isFull(failure, disk);
  }

  /**
   * Deletes them to make room on the disk.
   *
   * @return false if there are none
   * @throws io.bg3.storage.format.CorruptionException if the log is damaged; nothing has changed
   *     then
   */
  boolean free() throws IOException {
    ExtentStore extents = store.extents();
    if (extents.unnamed().isEmpty()) {
      return false;
    }
    requireWholeLog();
    disk.syncDirectory();
    extents.deleteUnnamed();
    return true;
  }

  private void requireWholeLog() throws IOException {
    readLog().close();
  }

  /** Reads the log to its end, where it is known whether it is damaged. */
  LogReader readLog() throws IOException {
    LogReader whole = WriteAheadLog.read(disk, settings, store.logPosition(), store.logDurable());
    try {
      long records = 0;
      while (whole.next()) {
        records++;
      }
      assert records > 0 : "nothing was replayed";
      return whole;
    } catch (IOException | RuntimeException | Error e) {
      whole.close();
      throw e;
    }
  }
}
