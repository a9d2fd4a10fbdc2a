package io.bg3.core.tree;

/**
 * Counts what one thread reads, for profiles and logs (R40). The counters are plain fields that
 * only grow, and a caller that wants to know what a query has read takes a difference: so a read
 * costs an addition, with a profile and without. Only reads of transactions and readers count as
 * pages; what a commit looks at, or a thread of the store, counts where it reads the device.
 *
 * <p>Belongs to one thread, and counts for all stores that it reads.
 */
public final class ReadTally {
  private static final ThreadLocal<ReadTally> OF_THREADS = ThreadLocal.withInitial(ReadTally::new);

  private long pages;
  private long entries;
  private long lookUps;
  private long fullScans;
  private long deviceReads;
  private long deviceBytes;

  private ReadTally() {}

  /** That of the calling thread. */
  public static ReadTally ofThread() {
    return OF_THREADS.get();
  }

  /** The counters as they are. */
  public ReadCounts counts() {
    return new ReadCounts(pages, entries, lookUps, fullScans, deviceReads, deviceBytes);
  }

  /**
   * Counts a leaf that was visited, and the entries that were copied out of it; also one that a
   * noted count (R60) spares.
   */
  public void addPage(int copied) {
    pages++;
    entries += copied;
  }

  /** Counts the look-up of a key in its leaf. */
  public void addLookUp() {
    addLookUps(1);
  }

  /** Counts look-ups of keys, each in its leaf. */
  public void addLookUps(int count) {
    pages += count;
    lookUps += count;
  }

  /** Counts the beginning of a scan of all vertices or all edges. */
  public void addFullScan() {
    fullScans++;
  }

  /** Counts reads of extents. */
  public void addDeviceReads(long reads, long bytes) {
    deviceReads += reads;
    deviceBytes += bytes;
  }
}
