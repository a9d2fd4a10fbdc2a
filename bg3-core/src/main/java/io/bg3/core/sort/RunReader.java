package io.bg3.core.sort;

import io.bg3.storage.file.Disk;
import io.bg3.storage.file.DiskFile;
import io.bg3.storage.format.Checksums;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.format.Varints;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Reads the files of one run ({@link RunFormat}) and deletes each when its last frame is in memory.
 * No file is open between two calls, because there may be very many runs. Belongs to one thread.
 */
final class RunReader implements SortedEntries {
  private final Disk disk;
  private final int run;
  private final int files;
  private int file;
  private long position; // of the next frame in the file
  private ByteBuffer frame = ByteBuffer.allocate(0);

  private boolean first;
  private long owner;
  private int tagLabel;
  private long other;
  private byte[] value;
  private byte[] lastValue = RunFormat.NO_VALUE;

  /**
   * @param files how many files the run has
   */
  RunReader(Disk disk, int run, int files) {
    this.disk = disk;
    this.run = run;
    this.files = files;
  }

  @Override
  public boolean next() throws IOException {
    if (!frame.hasRemaining() && !readFrame()) {
      return false;
    }
    long nextOwner = owner + Varints.get(frame);
    int nextLabel = RunFormat.unfold((int) Varints.get(frame));
    boolean same = !first && nextOwner == owner && nextLabel == tagLabel;
    other = same ? other + Varints.get(frame) : Varints.getSigned(frame);
    int common = (int) Varints.get(frame);
    int rest = (int) Varints.get(frame);
    value = Arrays.copyOf(lastValue, common + rest);
    frame.get(value, common, rest);
    lastValue = value.length == 0 ? lastValue : value;
    owner = nextOwner;
    tagLabel = nextLabel;
    first = false;
    return true;
  }

  private boolean readFrame() throws IOException {
    if (file == files) {
      return false;
    }
    String name = RunFiles.name(run, file);
    boolean isLast;
    try (DiskFile from = disk.open(name)) {
      ByteBuffer header = read(from, name, RunFormat.ENTRIES);
      int length = header.getInt(0);
      if (length < 1 || length > from.size() - position) {
        throw new CorruptionException(
            disk.describe(name), position - RunFormat.ENTRIES, "a length", "length=" + length);
      }
      frame = read(from, name, length);
      int found = Checksums.crc32c(frame, 0, length);
      int expected = header.getInt(RunFormat.CHECKSUM);
      if (found != expected) {
        throw new CorruptionException(
            disk.describe(name), position - length, "checksum=" + expected, "checksum=" + found);
      }
      isLast = position == from.size();
    }
    if (isLast) {
      disk.delete(name);
      file++;
      position = 0;
    }
    first = true;
    owner = 0;
    lastValue = RunFormat.NO_VALUE;
    return true;
  }

  private ByteBuffer read(DiskFile from, String name, int length) throws IOException {
    ByteBuffer bytes =
        length == frame.capacity()
            ? frame.clear()
            : ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    int read = from.read(bytes, position);
    if (read < length) {
      throw new CorruptionException(
          disk.describe(name), position, length + " bytes", read + " bytes");
    }
    position += length;
    return bytes.flip();
  }

  @Override
  public long owner() {
    return owner;
  }

  @Override
  public int tagLabel() {
    return tagLabel;
  }

  @Override
  public long other() {
    return other;
  }

  @Override
  public byte[] value() {
    return value;
  }
}
