package io.bg3.core.tree;

/**
 * The counters say what a thread had read up to a moment, or between two. Inner pages are not
 * counted: hints lead past most of them, so their number says little.
 *
 * @param pages visits of leaves, as often as each was visited
 * @param entries copied out of leaves by scans, those of the snapshot alone
 * @param lookUps of single keys, found or not
 * @param fullScans of all vertices or all edges
 * @param deviceReads records of extents that were read: images of pages and large values, those
 *     that a helper has read for the thread among them. The operating system may have had them in
 *     its cache
 * @param deviceBytes of these records
 */
public record ReadCounts(
    long pages, long entries, long lookUps, long fullScans, long deviceReads, long deviceBytes) {
  /** Nothing was read. */
  public static final ReadCounts NONE = new ReadCounts(0, 0, 0, 0, 0, 0);

  /** The counters of the calling thread so far, of all stores; they only grow. */
  public static ReadCounts ofThread() {
    return ReadTally.ofThread().counts();
  }

  /** The reads since then. */
  public ReadCounts since(ReadCounts before) {
    return new ReadCounts(
        pages - before.pages,
        entries - before.entries,
        lookUps - before.lookUps,
        fullScans - before.fullScans,
        deviceReads - before.deviceReads,
        deviceBytes - before.deviceBytes);
  }

  /** Both together. */
  public ReadCounts plus(ReadCounts more) {
    return new ReadCounts(
        pages + more.pages,
        entries + more.entries,
        lookUps + more.lookUps,
        fullScans + more.fullScans,
        deviceReads + more.deviceReads,
        deviceBytes + more.deviceBytes);
  }
}
