package io.bg3.storage.extent;

import io.bg3.storage.file.Disk;
import io.bg3.storage.file.DiskFile;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.format.FileHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * The open files of the extents. Files in use stay open; of the others a clock closes those that
 * nobody used since its hand last came by, when there are more than the settings allow. The header
 * of a file is verified when the file is first opened; after that each record's own checksum, which
 * covers the store's id and the record's place, tells whether it is the right one.
 *
 * <p>A read of an open file takes no lock: it adds itself to the file's users by compare-and-set.
 * Opening takes one of some locks that extents are spread over, so that a file is opened once for
 * all threads that need it, and different files are opened at the same time.
 *
 * <pre>
 *  what    guard
 *  open    a concurrent map; entries are added under the extent's lock, removed by the thread that closed the OpenFile
 *  ring    itself; held for steps of the clock, never over I/O
 *  closed  written once under all locks
 * </pre>
 */
final class ExtentFiles implements AutoCloseable {
  /** A power of two. */
  private static final int LOCKS = 64;

  /** Files that the hand spares because they were used, for one that is opened, at most. */
  private static final int STEPS = 64;

  private final Disk disk;
  private final ExtentSettings settings;
  private final Map<Extent, OpenFile> open = new ConcurrentHashMap<>();
  private final Object[] locks = new Object[LOCKS];

  /** The files in the order in which the hand comes to them. */
  private final Set<OpenFile> ring = new LinkedHashSet<>();

  private final LongAdder opened = new LongAdder();
  private volatile boolean closed;

  ExtentFiles(Disk disk, ExtentSettings settings) {
    this.disk = disk;
    this.settings = settings;
    for (int i = 0; i < LOCKS; i++) {
      locks[i] = new Object();
    }
  }

  /** Creates the file with its header, for one user. */
  DiskFile create(Extent extent) throws IOException {
    DiskFile file = disk.create(extent.fileName());
    add(new OpenFile(extent, file));
    file.write(extent.header(settings.store()).encode(), 0);
    extent.setVerified();
    closeUnused();
    return file;
  }

  /** The file, open until the matching {@link #release}; null if it was forgotten. */
  DiskFile acquire(Extent extent) throws IOException {
    while (true) {
      OpenFile file = open.get(extent);
      if (file == null) {
        file = openOnce(extent);
        if (file == null) {
          return null;
        }
        closeUnused();
        return file.file;
      } else if (file.isForgotten()) {
        return null;
      } else if (file.tryUse()) {
        return file.file;
      }
      Thread.onSpinWait(); // the thread that closed it is about to take it from the map
    }
  }

  void release(Extent extent) throws IOException {
    OpenFile file = open.get(extent);
    if (file == null) {
      return; // everything was closed meanwhile
    }
    if (file.release() && file.tryClose()) {
      remove(file);
      file.file.close();
    } else if (open.size() > settings.openFiles()) {
      closeUnused();
    }
  }

  /** Closes the file when its last user has released it. Nobody acquires it any more. */
  void forget(Extent extent) throws IOException {
    OpenFile file;
    synchronized (lock(extent)) { // so that no opening of it is under way
      extent.setDeleted();
      file = open.get(extent);
    }
    if (file != null) {
      file.forget();
      if (file.tryClose()) {
        remove(file);
        file.file.close();
      }
    }
  }

  /**
   * Verifies that the file of an extent has the right header and is as long as it is said to be
   * written. Nothing may be appended meanwhile.
   */
  void check(Extent extent) throws IOException {
    DiskFile file = acquire(extent);
    if (file != null) {
      long size = file.size();
      release(extent);
      if (size < extent.written()) {
        throw new CorruptionException(
            describe(extent), size, extent.written() + " bytes", size + " bytes");
      }
    }
  }

  /** The number of times that an existing file was opened. */
  long opened() {
    return opened.sum();
  }

  String describe(Extent extent) {
    return disk.describe(extent.fileName());
  }

  /** Closes all files, used or not. */
  @Override
  public void close() throws IOException {
    closed = true;
    for (Object lock : locks) {
      synchronized (lock) {
        // the thread that was opening a file has put it into the map
      }
    }
    IOException failure = null;
    for (OpenFile file : open.values()) {
      try {
        file.file.close();
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    open.clear();
    synchronized (ring) {
      ring.clear();
    }
    if (failure != null) {
      throw failure;
    }
  }

  private Object lock(Extent extent) {
    return locks[extent.number() & LOCKS - 1];
  }

  /** Opens a file for one user, unless another thread just has; null if the extent is deleted. */
  private OpenFile openOnce(Extent extent) throws IOException {
    synchronized (lock(extent)) {
      OpenFile file = open.get(extent);
      if (file != null && file.tryUse()) {
        return file;
      }
      if (extent.isDeleted()) {
        return null;
      }
      if (closed) {
        throw new ClosedChannelException();
      }
      if (file != null) {
        open.remove(extent, file); // closed by the clock, which is about to do the same
      }
      OpenFile fresh = new OpenFile(extent, open(extent));
      opened.increment();
      add(fresh);
      return fresh;
    }
  }

  private DiskFile open(Extent extent) throws IOException {
    DiskFile file;
    try {
      file = disk.open(extent.fileName());
    } catch (NoSuchFileException e) {
      throw new CorruptionException(
          describe(extent), 0, "an extent that the manifest names", "no file");
    }
    if (extent.isVerified()) {
      return file;
    }
    try {
      ByteBuffer header = ByteBuffer.allocate(FileHeader.BYTES);
      file.read(header, 0);
      FileHeader.decode(header.flip(), Extent.FILE_KIND, describe(extent))
          .expect(settings.store(), extent.headerNumber(), describe(extent));
      extent.setVerified();
      return file;
    } finally {
      if (!extent.isVerified()) {
        file.close();
      }
    }
  }

  private void add(OpenFile file) {
    open.put(file.extent, file);
    synchronized (ring) {
      ring.add(file);
    }
  }

  private void remove(OpenFile file) {
    open.remove(file.extent, file);
    synchronized (ring) {
      ring.remove(file);
    }
  }

  /** Moves the clock's hand on until enough files are closed, or many are found in use. */
  private void closeUnused() throws IOException {
    if (open.size() <= settings.openFiles()) {
      return;
    }
    List<OpenFile> unused = new ArrayList<>();
    synchronized (ring) {
      for (int i = 0; i < 2 * STEPS && ring.size() > settings.openFiles(); i++) {
        Iterator<OpenFile> hand = ring.iterator();
        OpenFile file = hand.next();
        hand.remove();
        boolean spared = file.takeUsed() && i < STEPS;
        if (!spared && file.tryClose()) {
          unused.add(file);
        } else {
          ring.add(file); // behind all others
        }
      }
    }
    IOException failure = null;
    for (OpenFile file : unused) {
      open.remove(file.extent, file);
      try {
        file.file.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
