package io.bg3.storage.extent;

import io.bg3.storage.file.Disk;
import io.bg3.storage.file.DiskFile;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.format.FileHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The open files of the extents. Files in use stay open, of the others those used last. A file's
 * header is verified when it is opened.
 *
 * <p>Guard: {@code this}.
 */
final class ExtentFiles implements AutoCloseable {
  private static final class Handle {
    final DiskFile file;
    int users = 1;
    boolean forgotten;

    Handle(DiskFile file) {
      this.file = file;
    }
  }

  private final Disk disk;
  private final ExtentSettings settings;

  /** The one used last at the end. */
  private final Map<Extent, Handle> handles = new LinkedHashMap<>(16, 0.75f, true);

  ExtentFiles(Disk disk, ExtentSettings settings) {
    this.disk = disk;
    this.settings = settings;
  }

  /** Creates the file with its header, for one user. */
  synchronized DiskFile create(Extent extent) throws IOException {
    DiskFile file = disk.create(extent.fileName());
    handles.put(extent, new Handle(file));
    file.write(extent.header(settings.store()).encode(), 0);
    return file;
  }

  /** The file, open until the matching {@link #release}; null if it was forgotten. */
  synchronized DiskFile acquire(Extent extent) throws IOException {
    Handle handle = handles.get(extent);
    if (handle == null) {
      handle = new Handle(open(extent));
      handles.put(extent, handle);
      closeUnused();
    } else if (handle.forgotten) {
      return null;
    } else {
      handle.users++;
    }
    return handle.file;
  }

  synchronized void release(Extent extent) throws IOException {
    Handle handle = handles.get(extent);
    handle.users--;
    assert handle.users >= 0 : extent;
    if (handle.users == 0 && handle.forgotten) {
      handles.remove(extent);
      handle.file.close();
    } else if (handle.users == 0) {
      closeUnused();
    }
  }

  /**
   * Closes the file when its last user has released it. Nobody may acquire it for the first time
   * any more.
   */
  synchronized void forget(Extent extent) throws IOException {
    Handle handle = handles.get(extent);
    if (handle == null) {
      return;
    }
    if (handle.users == 0) {
      handles.remove(extent);
      handle.file.close();
    } else {
      handle.forgotten = true;
    }
  }

  String describe(Extent extent) {
    return disk.describe(extent.fileName());
  }

  /** Closes all files, used or not. */
  @Override
  public synchronized void close() throws IOException {
    IOException failure = null;
    for (Handle handle : handles.values()) {
      try {
        handle.file.close();
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    handles.clear();
    if (failure != null) {
      throw failure;
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
    boolean valid = false;
    try {
      ByteBuffer header = ByteBuffer.allocate(FileHeader.BYTES);
      file.read(header, 0);
      FileHeader.decode(header.flip(), Extent.FILE_KIND, describe(extent))
          .expect(settings.store(), extent.headerNumber(), describe(extent));
      valid = true;
      return file;
    } finally {
      if (!valid) {
        file.close();
      }
    }
  }

  private void closeUnused() throws IOException {
    Iterator<Handle> oldest = handles.values().iterator();
    while (handles.size() > settings.openFiles() && oldest.hasNext()) {
      Handle handle = oldest.next();
      if (handle.users == 0) {
        oldest.remove();
        handle.file.close();
      }
    }
  }
}
