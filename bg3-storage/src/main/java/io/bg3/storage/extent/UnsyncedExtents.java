package io.bg3.storage.extent;

import io.bg3.storage.file.Disk;
import io.bg3.storage.file.DiskFile;
import java.io.IOException;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The extents that were written to since they were synced. The file of each is in use as long as it
 * stands here.
 *
 * <p>Threads: any.
 */
final class UnsyncedExtents {
  private final Disk disk;
  private final ExtentFiles files;
  private final FirstFailure failure;
  private final Map<Extent, DiskFile> unsynced = new ConcurrentHashMap<>();

  /**
   * Held by a sync until what it took from {@code unsynced} is on the disk, so that the next one
   * waits for that.
   */
  private final Object syncing = new Object();

  /** Whether files were created since the directory was synced. */
  private final AtomicBoolean created = new AtomicBoolean();

  UnsyncedExtents(Disk disk, ExtentFiles files, FirstFailure failure) {
    this.disk = disk;
    this.files = files;
    this.failure = failure;
  }

  /** Says that a file was created, so that the directory has to be synced. */
  void created() {
    created.set(true);
  }

  /** Adds an extent that was written to, and takes over the caller's claim on its file. */
  void wrote(Extent extent, DiskFile file) throws IOException {
    if (unsynced.putIfAbsent(extent, file) != null) {
      files.release(extent);
    }
  }

  /** Whether an extent may have bytes that are not on the disk. */
  boolean contains(Extent extent) {
    return unsynced.containsKey(extent);
  }

  /** Takes out an extent that is about to be deleted, with the claim on its file. */
  void remove(Extent extent) throws IOException {
    if (unsynced.remove(extent) != null) {
      files.release(extent);
    }
  }

  /**
   * Returns when everything that was written before the call will survive a power cut, with the
   * files it lies in.
   *
   * @throws IOException if this or an earlier write or sync failed
   */
  void sync() throws IOException {
    synchronized (syncing) {
      failure.requireNone();
      try {
        boolean newFiles = created.getAndSet(false);
        // The iterator sees every extent that was put before. A copy need not: List.copyOf asks
        // for the map's size first, which is behind while another thread is in putIfAbsent.
        Iterator<Extent> written = unsynced.keySet().iterator();
        while (written.hasNext()) {
          Extent extent = written.next();
          // An append that this sync does not see puts the extent back, with a claim of its own on
          // the file.
          DiskFile file = unsynced.remove(extent);
          if (file != null) {
            file.sync();
            files.release(extent);
          }
        }
        if (newFiles) {
          disk.syncDirectory();
        }
      } catch (IOException | RuntimeException | Error e) {
        failure.fail(e);
        throw e;
      }
    }
  }
}
