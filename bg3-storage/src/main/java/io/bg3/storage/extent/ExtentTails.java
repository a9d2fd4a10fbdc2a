package io.bg3.storage.extent;

import io.bg3.storage.file.Disk;
import io.bg3.storage.file.DiskFile;
import io.bg3.storage.format.CorruptionException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The ends of the streams: gives each record its place in the extent that its stream appends to,
 * and begins a new extent when a record does not fit any more. A record larger than an extent gets
 * one of its own size.
 *
 * <p>Threads: any. A place is given under the short lock of its tail.
 */
final class ExtentTails {
  /**
   * Which records are appended to the same extent. Records that are moved have tails of their own:
   * they are older than those that are appended beside them, and become garbage later. So have
   * records that expire together.
   *
   * @param family what the records expire with; 0 if they do not
   */
  record Id(Stream stream, int family, boolean moved) {
    static Id of(Extent extent) {
      return new Id(extent.stream(), extent.family(), extent.isMoved());
    }
  }

  /** The extent that a stream appends to; null before the first record. Guard: {@code this}. */
  private static final class Tail {
    Extent extent;
  }

  private final Disk disk;
  private final int extentSize;
  private final ExtentFiles files;
  private final Map<Integer, Extent> extents;
  private final UnsyncedExtents unsynced;
  private final UnnamedFiles unnamed;
  private final ExtentCounters counters;
  private final Map<Id, Tail> tails = new ConcurrentHashMap<>();
  private final AtomicLong lastNumber = new AtomicLong();

  ExtentTails(ExtentParts parts) {
    this.disk = parts.disk();
    this.extentSize = parts.settings().extentSize();
    this.files = parts.files();
    this.extents = parts.extents();
    this.unsynced = parts.unsynced();
    this.unnamed = parts.unnamed();
    this.counters = parts.counters();
  }

  /** Says that an extent has a number, so that no new one gets it. */
  void hasNumber(int number) {
    lastNumber.accumulateAndGet(Integer.toUnsignedLong(number), Math::max);
  }

  /** Seals an extent that cannot be appended to, because its file is damaged or not there. */
  void sealIfDamaged(Extent extent) throws IOException {
    if (!extent.isSealed()) {
      try {
        files.acquire(extent);
        files.release(extent);
      } catch (CorruptionException e) {
        extent.seal(); // it is left as it is; a read from it throws this exception
      }
    }
  }

  /** Makes an extent that is not sealed the end of its stream, or seals it if there is one. */
  void continueAt(Extent extent) throws IOException {
    Tail tail = tail(Id.of(extent));
    synchronized (tail) {
      if (tail.extent == null) {
        files.acquire(extent); // until it is sealed
        tail.extent = extent;
      } else {
        extent.seal();
      }
    }
  }

  /** Seals an extent if its stream appends to it. The next record begins another one. */
  void seal(Extent extent) throws IOException {
    Tail tail = tail(Id.of(extent));
    synchronized (tail) {
      if (tail.extent == extent) {
        tail.extent = null;
        end(extent);
      }
    }
  }

  private Tail tail(Id id) {
    return tails.computeIfAbsent(id, i -> new Tail());
  }

  /**
   * Gives a record its place, beginning a new extent if need be. The record is live from now on.
   *
   * @param bytes of the record with its frame
   * @param time milliseconds since 1970 of what expires last in it
   * @return its location
   */
  long place(Id id, long bytes, long time) throws IOException {
    if (bytes > extentSize - Extent.FIRST_RECORD) {
      Extent own = begin(id, time);
      long location = give(own, bytes, time);
      end(own);
      return location;
    }
    Tail tail = tail(id);
    synchronized (tail) {
      if (tail.extent == null || tail.extent.written() + bytes > extentSize) {
        Extent next = begin(id, time);
        if (tail.extent != null) {
          end(tail.extent);
        }
        tail.extent = next;
      }
      return give(tail.extent, bytes, time);
    }
  }

  private long give(Extent extent, long bytes, long time) {
    long location = extent.give(bytes, time);
    counters.given(location);
    return location;
  }

  private Extent begin(Id id, long time) throws IOException {
    Extent extent =
        new Extent(
            nextNumber(), id.stream(), id.moved(), id.family(), time, counters.appendedEver());
    DiskFile file = create(extent);
    unsynced.created();
    files.acquire(extent); // a second claim, given up when it is synced
    unsynced.wrote(extent, file);
    extents.put(extent.number(), extent);
    return extent;
  }

  private DiskFile create(Extent extent) throws IOException {
    unnamed.make(extent);
    try {
      return files.create(extent);
    } catch (FileAlreadyExistsException e) {
      unnamed.forget(extent); // the file was there before, and stays
      throw e;
    } catch (IOException e) {
      try {
        files.forget(extent);
        files.release(extent);
        disk.deleteIfThere(extent.fileName()); // without a header, if the disk is full
        unnamed.forget(extent);
      } catch (IOException more) {
        e.addSuppressed(more); // the next opening deletes it
      }
      throw e;
    }
  }

  /** A number that no file has, whether the manifest names it or not, and no extent ever had. */
  private int nextNumber() throws IOException {
    while (true) {
      long last = lastNumber.incrementAndGet();
      if (last > Location.MAX_EXTENT) {
        throw new IOException(
            "no numbers of extents are left: last="
                + Location.MAX_EXTENT
                + "; export the graph into a new store");
      }
      int number = (int) last;
      if (!unnamed.isFound(number)) {
        return number;
      }
    }
  }

  /** Seals an extent and gives up the claim on its file that appending had. */
  private void end(Extent extent) throws IOException {
    extent.seal();
    files.release(extent);
  }
}
