package io.bg3.core.sort;

import io.bg3.storage.file.Disk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Sorts edge entries by their keys. Entries with equal keys stay in the order in which they were
 * added.
 *
 * <p>Entries gather in memory up to a bound, and are written to the disk as a sorted run then. The
 * runs are merged while they are read. A run has many small files, each of which is deleted when it
 * has been read, so a caller that stores what it reads needs about as much space as one copy of the
 * entries takes. Files that a crash left are deleted when the next sorter is made.
 *
 * <p>Belongs to one thread.
 */
public final class EntrySorter implements AutoCloseable {
  /** The most entries of a run. */
  private static final int MOST_ENTRIES = 1 << 21;

  /** The most bytes of the values of a run, but for a longer one that is alone. */
  private static final int MOST_VALUE_BYTES = 1 << 25;

  /** This part of the heap is filled at most. */
  private static final int HEAP_SHARE = 8;

  private final Disk disk;
  private final EntryBuffer buffer;
  private final List<Integer> files = new ArrayList<>(); // how many each run has
  private boolean read;

  /** A sorter that takes an eighth of the heap at most, and about 110 MB. */
  public static EntrySorter of(Disk disk) throws IOException {
    long entryBytes = EntryBuffer.ENTRY_BYTES + MOST_VALUE_BYTES / MOST_ENTRIES;
    long fitting = Runtime.getRuntime().maxMemory() / HEAP_SHARE / entryBytes;
    int entries = (int) Math.min(MOST_ENTRIES, Math.max(1 << 10, fitting));
    return new EntrySorter(disk, entries, entries * (MOST_VALUE_BYTES / MOST_ENTRIES));
  }

  /**
   * Makes a sorter with bounds of its own.
   *
   * @param disk where the runs are; no other sorter may use it
   * @param mostEntries entries in memory
   * @param mostValueBytes bytes of their values
   */
  public EntrySorter(Disk disk, int mostEntries, int mostValueBytes) throws IOException {
    this.disk = disk;
    this.buffer = new EntryBuffer(mostEntries, mostValueBytes);
    RunFiles.deleteAll(disk);
  }

  /** Adds an entry; {@code value} is copied. */
  public void add(long owner, int tagLabel, long other, byte[] value) throws IOException {
    if (read) {
      throw new IllegalStateException("the entries are being read: owner=" + owner);
    }
    if (buffer.isFullFor(value.length)) {
      writeRun();
    }
    buffer.add(owner, tagLabel, other, value);
  }

  private void writeRun() throws IOException {
    int run = files.size();
    try (RunWriter writer = new RunWriter(disk, run)) {
      files.add(writer.write(buffer.sorted()));
    }
    buffer.clear();
  }

  /** The number of runs on the disk. */
  public int runs() {
    return files.size();
  }

  /** Reads all entries, once. */
  public SortedEntries sorted() {
    if (read) {
      throw new IllegalStateException("the entries are read once: runs=" + runs());
    }
    read = true;
    List<SortedEntries> sources = new ArrayList<>();
    for (int run = 0; run < files.size(); run++) {
      sources.add(new RunReader(disk, run, files.get(run)));
    }
    sources.add(buffer.sorted());
    return new RunMerge(sources);
  }

  /** Deletes the files that are left. */
  @Override
  public void close() throws IOException {
    RunFiles.deleteAll(disk);
  }
}
