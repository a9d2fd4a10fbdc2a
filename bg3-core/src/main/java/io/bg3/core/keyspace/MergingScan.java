package io.bg3.core.keyspace;

import io.bg3.core.entry.Entries;

/**
 * The entries of a range that the trees of a space hold at a snapshot, in key order: the scan of
 * one tree, or several merged. Belongs to one thread.
 */
public final class MergingScan {
  private final LeafScan[] scans;
  private final boolean[] live;
  private final int direction;
  private int current = -1;
  private boolean started;

  /** Merges these scans, which have this order and have not begun. */
  public MergingScan(LeafScan[] scans, ScanOrder order) {
    this.scans = scans;
    this.live = new boolean[scans.length];
    this.direction = order == ScanOrder.FORWARD ? 1 : -1;
  }

  /** Goes to the next entry; false at the end. */
  public boolean next() {
    if (scans.length == 1) {
      current = 0;
      return scans[0].next();
    }
    if (!started) {
      started = true;
      for (int i = 0; i < scans.length; i++) {
        live[i] = scans[i].next();
      }
    } else if (current >= 0) {
      live[current] = scans[current].next();
    }
    current = -1;
    for (int i = 0; i < scans.length; i++) {
      if (live[i] && (current < 0 || isBefore(scans[i], scans[current]))) {
        current = i;
      }
    }
    return current >= 0;
  }

  /**
   * Goes past the next entries.
   *
   * @return how many there were; fewer than {@code most} at the end
   */
  public int skip(int most) {
    if (scans.length == 1) {
      current = 0;
      return scans[0].skip(most);
    }
    int skipped = 0;
    while (skipped < most && next()) {
      skipped++;
    }
    return skipped;
  }

  /** Whether the entries come from one tree, so that those of its columns follow one another. */
  public boolean isOfOneTree() {
    return scans.length == 1;
  }

  /** Gives the columns of a scan of one tree back; null if there are several. */
  public Entries release() {
    return scans.length == 1 ? scans[0].release() : null;
  }

  /** The copied entries, of which {@link #index} is the current one. */
  public Entries page() {
    return scans[current].page();
  }

  /** The index of the current entry in {@link #page}. */
  public int index() {
    return scans[current].index();
  }

  /** Large values of the copied entries. */
  public ScannedValues large() {
    return scans[current].large();
  }

  private boolean isBefore(LeafScan scan, LeafScan than) {
    return direction * scan.page().compareKeys(scan.index(), than.page(), than.index()) < 0;
  }
}
