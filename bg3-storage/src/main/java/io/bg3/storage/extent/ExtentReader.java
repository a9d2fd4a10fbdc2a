package io.bg3.storage.extent;

import io.bg3.storage.file.DiskFile;
import io.bg3.storage.format.CorruptionException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;

/**
 * Reads records with one positional read each, through the system's cache or past it.
 *
 * <p>Threads: any. A read takes no lock.
 */
final class ExtentReader {
  /** A device reads no less: a block of most file systems, and of the page cache. */
  static final int BLOCK = 4 << 10;

  private final Map<Integer, Extent> extents;
  private final ExtentFiles files;
  private final UnsyncedExtents unsynced;
  private final ExtentSettings settings;
  private final long store;

  /** Whether reads pass the system's cache by. */
  private volatile boolean direct;

  ExtentReader(ExtentParts shared) {
    this.extents = shared.extents();
    this.files = shared.files();
    this.unsynced = shared.unsynced();
    this.settings = shared.settings();
    this.store = settings.store();
  }

  /** Reads past the system's cache from now on, if the settings say so. */
  void readDirectly() {
    direct = settings.direct();
  }

  /**
   * Reads and verifies a record.
   *
   * @param into used from its position on, which stays; a buffer of its own is made for a record
   *     that does not fit into what remains, and if this is null
   * @throws NoSuchExtentException if its extent is not there (any more)
   * @throws CorruptionException if there is no valid record at this location
   */
  ExtentRecord read(long location, ByteBuffer into) throws IOException {
    return read(location, Integer.MAX_VALUE, into);
  }

  /**
   * Reads and verifies the beginning of a record.
   *
   * @param bytes how many of the payload, at least; those up to the end of the last block are read
   *     too
   * @param into as in {@link #read(long, ByteBuffer)}
   * @return the record with the beginning of its payload, the whole record if that takes no further
   *     block; null if the beginning cannot be verified alone
   */
  ExtentRecord readFirst(long location, int bytes, ByteBuffer into) throws IOException {
    long offset = Location.offset(location);
    long end = offset + RecordFrame.PAYLOAD + Math.max(bytes, RecordFrame.FIRST_BYTES);
    long most = (end + BLOCK - 1 & -BLOCK) - offset;
    return read(location, (int) Math.min(most, Integer.MAX_VALUE), into);
  }

  private ExtentRecord read(long location, int most, ByteBuffer into) throws IOException {
    Extent extent = extents.get(Location.extent(location));
    DiskFile file = extent == null ? null : files.acquire(extent);
    if (file == null) {
      throw new NoSuchExtentException(location);
    }
    try {
      long offset = Location.offset(location);
      long end = Math.min(offset + Location.bytes(location), extent.written());
      if (offset < Extent.FIRST_RECORD || end < offset + RecordFrame.PAYLOAD) {
        throw new CorruptionException(
            files.describe(extent),
            offset,
            "a record in [" + Extent.FIRST_RECORD + ", " + extent.written() + ")",
            "location " + Location.toString(location));
      }
      int room = (int) (end - offset);
      int length = Math.min(room, most);
      boolean fits = into != null && length <= into.remaining();
      ByteBuffer frame = fits ? into.slice(into.position(), length) : ByteBuffer.allocate(length);
      read(extent, file, frame.order(ByteOrder.LITTLE_ENDIAN), offset);
      String name = files.describe(extent);
      return length == room
          ? RecordFrame.decode(frame.flip(), store, location, name)
          : RecordFrame.decodeFirst(frame.flip(), length, room, store, location, name);
    } finally {
      files.release(extent);
    }
  }

  /**
   * Reads bytes of an extent, records or not, into a buffer on the heap.
   *
   * @throws NoSuchExtentException if it is not there any more
   */
  ByteBuffer readBytes(Extent extent, long offset, int length) throws IOException {
    DiskFile file = files.acquire(extent);
    if (file == null) {
      throw new NoSuchExtentException(Location.of(extent.number(), offset, length));
    }
    try {
      ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
      read(extent, file, bytes, offset);
      return bytes.flip();
    } finally {
      files.release(extent);
    }
  }

  /** The record in a frame of the right length that was read at a location; null if it is none. */
  ExtentRecord decode(ByteBuffer frame, long location) {
    return RecordFrame.hasChecksum(frame, store, location)
        ? RecordFrame.decode(frame, store, location, "")
        : null;
  }

  /**
   * Verifies a record among bytes that were read.
   *
   * @param frame as long as its location says
   * @throws CorruptionException if there is no valid record
   */
  ExtentRecord decode(ByteBuffer frame, long location, Extent extent) {
    return RecordFrame.decode(frame, store, location, files.describe(extent));
  }

  private void read(Extent extent, DiskFile file, ByteBuffer into, long offset) throws IOException {
    if (isReadDirectly(extent)) {
      file.readDirect(into, offset);
    } else {
      file.read(into, offset);
    }
  }

  /**
   * Whether an extent's records are read past the system's cache. The page table's rows are not:
   * they are read once, one after another, and the system reads ahead. Nor is what is not synced,
   * which a direct read would write to the device first.
   */
  private boolean isReadDirectly(Extent extent) {
    return direct && extent.stream() != Stream.MAP && !unsynced.contains(extent);
  }
}
