package io.bg3.storage.extent;

import io.bg3.storage.file.Disk;
import io.bg3.storage.file.DiskFile;
import io.bg3.storage.file.IoReason;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Appends records: a record takes its place under the short lock of its tail and is written without
 * it. A record is live from the moment it has its place.
 *
 * <p>An append that fails in the disk is the last one of the store, but before the store is
 * established, and but for a copy that a full disk has no room for. The place of a record that was
 * not written stays unused; that of a copy is given to the next one if it is the last of its
 * extent.
 *
 * <p>Threads: any.
 */
final class ExtentWriter {
  private final ExtentParts shared;
  private final ExtentTails tails;
  private final Disk disk;
  private final long store;
  private final ExtentFiles files;
  private final FirstFailure failure;
  private final ExtentCounters counters;
  private final UnsyncedExtents unsynced;
  private final UnnamedFiles unnamed;

  ExtentWriter(ExtentParts shared, ExtentTails tails) {
    this.shared = shared;
    this.tails = tails;
    this.disk = shared.disk();
    this.store = shared.settings().store();
    this.files = shared.files();
    this.failure = shared.failure();
    this.counters = shared.counters();
    this.unsynced = shared.unsynced();
    this.unnamed = shared.unnamed();
  }

  /**
   * Appends a record. It is in the file when this returns.
   *
   * @param tail which records it lies among
   * @param time milliseconds since 1970 of what expires last in it
   * @param kind what the payload is
   * @param key what it belongs to
   * @param parts the payload, in pieces: what remains in each; their positions stay
   * @return its location
   * @throws IllegalArgumentException if the payload is above 1 GiB
   * @throws IOException if this or an earlier write or sync failed
   */
  long append(ExtentTails.Id tail, long time, byte kind, long key, ByteBuffer... parts)
      throws IOException {
    int length = payloadLength(parts);
    failure.requireNone();
    ByteBuffer frame = RecordFrame.encode(kind, key, length, parts);
    int bytes = frame.remaining();
    long location = Location.NONE;
    boolean written = false;
    try {
      location = tails.place(tail, bytes, time);
      write(frame, location);
      written = true;
      counters.appended(tail.stream(), tail.moved(), bytes);
      return location;
    } catch (IOException e) {
      if (!unnamed.isPlanned() && !(tail.moved() && IoReason.isFull(e, disk))) {
        failure.fail(e);
      }
      throw e;
    } finally {
      if (!written && location != Location.NONE && !takeBack(tail, location, bytes)) {
        shared.release(location); // nobody will
      }
    }
  }

  /**
   * Gives the place of a copy that was not written to the next one, so that the file is not shorter
   * than it is said to be written.
   */
  private boolean takeBack(ExtentTails.Id tail, long location, long bytes) {
    boolean back = tail.moved() && shared.extentOf(location).takeBack(location, bytes);
    if (back) {
      counters.released(location);
    }
    return back;
  }

  private void write(ByteBuffer frame, long location) throws IOException {
    RecordFrame.address(frame, store, location);
    Extent extent = shared.extents().get(Location.extent(location));
    DiskFile file = files.acquire(extent); // not forgotten: what is live is not deleted
    boolean kept = false;
    try {
      file.write(frame, Location.offset(location));
      kept = true;
      unsynced.wrote(extent, file);
    } finally {
      if (!kept) {
        files.release(extent);
      }
    }
  }

  private static int payloadLength(ByteBuffer... parts) {
    long length = 0;
    for (ByteBuffer part : parts) {
      length += part.remaining();
    }
    if (length > RecordFrame.MAX_PAYLOAD) {
      throw new IllegalArgumentException(
          "payload of a record is too large: length="
              + length
              + ", limit="
              + RecordFrame.MAX_PAYLOAD);
    }
    return (int) length;
  }
}
