package io.bg3.core.sort;

import io.bg3.storage.file.Disk;
import io.bg3.storage.file.DiskFile;
import io.bg3.storage.format.Checksums;
import io.bg3.storage.format.Varints;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Writes the files of one run ({@link RunFormat}). Belongs to one thread. */
final class RunWriter implements AutoCloseable {
  private final Disk disk;
  private final int run;
  private ByteBuffer frame = newFrame(RunFormat.FRAME_BYTES + RunFormat.ENTRY_BYTES);
  private DiskFile file;
  private int files;
  private int frames;
  private long position;

  private boolean first = true;
  private long owner;
  private int tagLabel;
  private long other;
  private byte[] lastValue = RunFormat.NO_VALUE;

  RunWriter(Disk disk, int run) {
    this.disk = disk;
    this.run = run;
    frame.position(RunFormat.ENTRIES);
  }

  private static ByteBuffer newFrame(int entryBytes) {
    return ByteBuffer.allocate(Math.addExact(RunFormat.ENTRIES, entryBytes))
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Writes all entries of a sequence and returns how many files there are then. */
  int write(SortedEntries entries) throws IOException {
    while (entries.next()) {
      add(entries);
    }
    if (frame.position() > RunFormat.ENTRIES) {
      writeFrame();
    }
    closeFile();
    return files;
  }

  private void add(SortedEntries entry) throws IOException {
    byte[] value = entry.value();
    long needed = (long) RunFormat.ENTRY_BYTES + value.length;
    if (frame.remaining() < needed) {
      ByteBuffer larger = newFrame(Math.toIntExact(frame.position() + needed));
      frame = larger.put(frame.flip());
    }
    boolean same = !first && entry.owner() == owner && entry.tagLabel() == tagLabel;
    Varints.put(frame, entry.owner() - owner);
    Varints.put(frame, Integer.toUnsignedLong(RunFormat.fold(entry.tagLabel())));
    if (same) {
      Varints.put(frame, entry.other() - other);
    } else {
      Varints.putSigned(frame, entry.other());
    }
    int mismatch = Arrays.mismatch(value, lastValue);
    int common = mismatch < 0 ? value.length : mismatch;
    Varints.put(frame, common);
    Varints.put(frame, value.length - common);
    frame.put(value, common, value.length - common);
    lastValue = value.length == 0 ? lastValue : value;
    first = false;
    owner = entry.owner();
    tagLabel = entry.tagLabel();
    other = entry.other();
    if (frame.position() >= RunFormat.ENTRIES + RunFormat.FRAME_BYTES) {
      writeFrame();
    }
  }

  private void writeFrame() throws IOException {
    frame.flip();
    int length = frame.limit() - RunFormat.ENTRIES;
    frame.putInt(0, length);
    int checksum = Checksums.crc32c(frame, RunFormat.ENTRIES, frame.limit());
    frame.putInt(RunFormat.CHECKSUM, checksum);
    if (frames == RunFormat.FRAMES) {
      closeFile();
    }
    if (file == null) {
      file = disk.create(RunFiles.name(run, files++));
      frames = 0;
      position = 0;
    }
    long written = frame.limit();
    file.write(frame, position);
    position += written;
    frames++;
    frame.clear().position(RunFormat.ENTRIES);
    first = true;
    owner = 0;
    lastValue = RunFormat.NO_VALUE;
  }

  private void closeFile() throws IOException {
    if (file != null) {
      file.close();
      file = null;
    }
  }

  @Override
  public void close() throws IOException {
    closeFile();
  }
}
