package io.bg3.storage.extent;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads records in about the order in which they lie in their extents, those of several extents in
 * turn: a record that lies a little behind the one before it is read together with what follows
 * both. So small records take a read of the disk for many.
 *
 * <p>The extents are not appended to any more: what is behind a record is read once, when it may
 * not be written yet.
 *
 * <p>Belongs to one thread.
 */
public final class RecordReadAhead {
  private static final Logger LOG = LoggerFactory.getLogger(RecordReadAhead.class);

  /** Bytes that are read at once, from the block of the disk in which a record begins. */
  static final int BYTES = 64 << 10;

  /** Extents that are read in turn. */
  private static final int EXTENTS = 16;

  /**
   * The bytes of an extent that were read last.
   *
   * @param bytes null if there are none but those of one record
   */
  private record Window(long offset, long end, ByteBuffer bytes) {
    boolean has(long from, long to) {
      return bytes != null && from >= offset && to <= end;
    }

    boolean isBefore(long from) {
      return from >= end && from - end < BYTES;
    }
  }

  private final ExtentReader reader;
  private final Map<Integer, Extent> extents;
  private final Map<Integer, Window> windows = new LinkedHashMap<>(EXTENTS, 0.75f, true);

  RecordReadAhead(ExtentReader reader, Map<Integer, Extent> extents) {
    this.reader = reader;
    this.extents = extents;
  }

  /**
   * Reads and verifies a record, as {@link ExtentStore#read(long)} does.
   *
   * @throws NoSuchExtentException if its extent is not there (any more)
   * @throws io.bg3.storage.format.CorruptionException if there is no valid record at this location
   */
  public ExtentRecord read(long location) throws IOException {
    Extent extent = extents.get(Location.extent(location));
    if (extent == null) {
      throw new NoSuchExtentException(location);
    }
    long offset = Location.offset(location);
    long end = offset + Location.bytes(location);
    Window window = windows.get(extent.number());
    if (window != null && window.isBefore(offset)) {
      window = ahead(extent, offset, end);
    }
    if (window == null || !window.has(offset, end)) {
      keep(extent, new Window(offset, end, null));
      return reader.read(location, null);
    }
    ByteBuffer frame = window.bytes.slice((int) (offset - window.offset), (int) (end - offset));
    return reader.decode(frame.order(ByteOrder.LITTLE_ENDIAN), location, extent);
  }

  /** Reads a record and what lies behind it; without bytes if not all of that can be read. */
  private Window ahead(Extent extent, long offset, long end) {
    ByteBuffer bytes = null;
    long most = Math.min(Math.max(end, (offset & -ExtentReader.BLOCK) + BYTES), extent.written());
    if (most >= end) {
      try {
        bytes = reader.readBytes(extent, offset, (int) (most - offset));
      } catch (IOException e) {
        LOG.debug(
            "records are read one by one: extent={}, reason={}", extent.number(), e.toString());
      }
    }
    return keep(extent, new Window(offset, bytes == null ? end : offset + bytes.limit(), bytes));
  }

  private Window keep(Extent extent, Window window) {
    windows.put(extent.number(), window);
    if (windows.size() > EXTENTS) {
      windows.remove(windows.keySet().iterator().next()); // not used for longest
    }
    return window;
  }
}
