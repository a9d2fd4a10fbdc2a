package io.bg3.storage.log;

import io.bg3.storage.file.Disk;
import io.bg3.storage.file.DiskFile;
import io.bg3.storage.log.LogSettings.Zeroed;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Makes the files of new segments, of nothing or of segments that are not needed any more, which it
 * keeps for that as far as the limit allows. Only files of the largest size are kept.
 *
 * <p>A kept file keeps its name, which lies before the log: a crash leaves it to recovery, which
 * deletes it. Its records cannot be taken for the new segment's, see the package.
 *
 * <pre>
 *  field  guard
 *  spare  this
 * </pre>
 *
 * Open to tests, which leave steps out to see that they matter.
 */
class SegmentFiles {
  /** A file that is closed and not needed. */
  private record Spare(String name, long bytes) {}

  private final Disk disk;
  private final LogSettings settings;
  private final Deque<Spare> spare = new ArrayDeque<>();

  SegmentFiles(Disk disk, LogSettings settings) {
    this.disk = disk;
    this.settings = settings;
  }

  /**
   * Makes a segment. When it returns its header and its name are durable.
   *
   * @param bytes of its file, unless there is one to be used again
   */
  final Segment make(long base, long bytes, int epoch) throws IOException {
    Spare old = takeSpare();
    long size = old == null ? bytes : old.bytes;
    SegmentHeader header = new SegmentHeader(size - SegmentHeader.RESERVED, epoch);
    String name = SegmentNames.name(base);
    DiskFile file = null;
    if (old != null) {
      disk.rename(old.name, name);
    }
    try {
      file = old == null ? disk.create(name) : disk.open(name);
      if (old == null) {
        zero(file, size);
      }
      file.write(header.encode(settings.store(), base), 0);
      file.sync();
      syncDirectory(disk);
      if (old == null && settings.zeroed() == Zeroed.WITH_RECORDS) {
        file.zero(SegmentHeader.RESERVED, size); // finds a full disk before anything is promised
      }
      return new Segment(base, header.capacity(), epoch, file);
    } catch (IOException e) {
      close(file, e); // the log fails with it, and opening deletes what was made
      throw e;
    } catch (RuntimeException | Error e) {
      discard(name, file, e); // the name is wanted again
      throw e;
    }
  }

  private void discard(String name, DiskFile file, Throwable cause) {
    close(file, cause);
    try {
      disk.delete(name);
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  private static void close(DiskFile file, Throwable cause) {
    try {
      if (file != null) {
        file.close();
      }
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  private void zero(DiskFile file, long size) throws IOException {
    boolean all = settings.zeroed() == Zeroed.AHEAD;
    file.zero(all ? 0 : size - Long.BYTES, size); // the length has to be right in any case
  }

  void syncDirectory(Disk on) throws IOException {
    on.syncDirectory();
  }

  /** Keeps or deletes the file of a segment that is not needed any more. */
  final void giveBack(Segment segment) throws IOException {
    segment.file().close();
    Spare old = new Spare(segment.file().name(), segment.bytes());
    if (!keep(old)) {
      disk.delete(old.name);
    }
  }

  private synchronized boolean keep(Spare old) {
    if (old.bytes != settings.segmentMax() || bytes() + old.bytes > settings.spareLimit()) {
      return false;
    }
    spare.add(old);
    return true;
  }

  private synchronized Spare takeSpare() {
    return spare.poll();
  }

  /** Bytes of the files that are kept. */
  final synchronized long bytes() {
    return spare.stream().mapToLong(Spare::bytes).sum();
  }

  /** Deletes what is kept. */
  final void deleteSpare() throws IOException {
    for (Spare old = takeSpare(); old != null; old = takeSpare()) {
      disk.delete(old.name);
    }
  }
}
