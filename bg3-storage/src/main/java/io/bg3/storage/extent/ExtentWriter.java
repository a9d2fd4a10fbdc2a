package io.bg3.storage.extent;

import io.bg3.storage.file.Disk;
import io.bg3.storage.file.DiskFile;
import io.bg3.storage.file.IoReason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Appends records: a record takes its place under the short lock of its tail and is written without
 * it. A record is live from the moment it has its place. Records that are appended together and lie
 * one behind the other are written with one call of the system.
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
  private final LongSupplier clock;

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
    this.clock = shared.settings().clock();
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
    failure.requireNone();
    ByteBuffer frame = RecordFrame.encode(kind, key, RecordFrame.payloadLength(parts), parts);
    int bytes = frame.remaining();
    long location = Location.NONE;
    boolean written = false;
    try {
      location = tails.place(tail, bytes, time);
      RecordFrame.address(frame, store, location);
      write(frame, location);
      written = true;
      counters.appended(tail.stream(), tail.moved(), bytes);
      return location;
    } catch (IOException e) {
      failed(e, tail.moved());
      throw e;
    } finally {
      if (!written && location != Location.NONE && !takeBack(tail, location, bytes)) {
        shared.release(location); // nobody will
      }
    }
  }

  /**
   * Appends records, those whose places follow each other with one write. They are in their files
   * when this returns; where it throws, nobody has any of them.
   *
   * @return their locations, in their order
   * @throws IllegalArgumentException if a payload is above 1 GiB
   * @throws IOException if this or an earlier write or sync failed
   */
  long[] append(List<NewRecord> records) throws IOException {
    failure.requireNone();
    ByteBuffer[] frames = records.stream().map(NewRecord::frame).toArray(ByteBuffer[]::new);
    long[] locations = new long[frames.length];
    long now = clock.getAsLong();
    int placed = 0;
    boolean written = false;
    try {
      for (NewRecord record : records) {
        long time = record.family() == 0 ? now : record.newest();
        locations[placed] = tails.place(record.tail(), frames[placed].remaining(), time);
        placed++;
      }
      writeRuns(frames, locations);
      written = true;
      for (int i = 0; i < frames.length; i++) {
        counters.appended(records.get(i).stream(), false, frames[i].capacity());
      }
      return locations;
    } catch (IOException e) {
      failed(e, false);
      throw e;
    } finally {
      for (int i = 0; !written && i < placed; i++) {
        shared.release(locations[i]); // nobody will
      }
    }
  }

  private void failed(IOException e, boolean moved) {
    if (!unnamed.isPlanned() && !(moved && IoReason.isFull(e, disk))) {
      failure.fail(e);
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

  /** Writes frames, those together that follow each other in one extent, whatever lies between. */
  private void writeRuns(ByteBuffer[] frames, long[] locations) throws IOException {
    boolean[] isWritten = new boolean[frames.length];
    for (int first = 0; first < frames.length; first++) {
      if (!isWritten[first]) {
        writeRun(frames, locations, first, isWritten);
      }
    }
  }

  /** Writes a frame and those that follow it without a gap. */
  private void writeRun(ByteBuffer[] frames, long[] locations, int first, boolean[] isWritten)
      throws IOException {
    List<ByteBuffer> run = new ArrayList<>();
    int bytes = 0;
    for (int i = first; i < frames.length; i++) {
      if (!isWritten[i] && isBehind(locations[first], bytes, locations[i])) {
        RecordFrame.address(frames[i], store, locations[i]);
        isWritten[i] = true;
        run.add(frames[i]);
        bytes += frames[i].remaining();
      }
    }
    write(run.size() == 1 ? run.get(0) : joined(run, bytes), locations[first]);
  }

  private static ByteBuffer joined(List<ByteBuffer> run, int bytes) {
    ByteBuffer all = ByteBuffer.allocate(bytes);
    run.forEach(all::put);
    return all.flip();
  }

  /** Whether a location is so many bytes behind another one, in the same extent. */
  private static boolean isBehind(long first, int bytes, long location) {
    return Location.extent(location) == Location.extent(first)
        && Location.offset(location) == Location.offset(first) + bytes;
  }

  private void write(ByteBuffer frames, long location) throws IOException {
    Extent extent = shared.extents().get(Location.extent(location));
    DiskFile file = files.acquire(extent); // not forgotten: what is live is not deleted
    boolean kept = false;
    try {
      file.write(frames, Location.offset(location));
      kept = true;
      unsynced.wrote(extent, file);
    } finally {
      if (!kept) {
        files.release(extent);
      }
    }
  }
}
