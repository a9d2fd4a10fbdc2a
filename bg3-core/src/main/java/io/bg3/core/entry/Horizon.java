package io.bg3.core.entry;

import java.util.Arrays;

/**
 * The versions that a snapshot may still read, as found by raising the cut and then reading the
 * slots of open snapshots (R9).
 *
 * <p>For each snapshot and for the cut the newest version at or below it is kept, and all above the
 * cut; a version at or below the floor is settled: every snapshot sees it, and it loses its stamp.
 *
 * <p>A settled entry that has expired by the clocks of all snapshots goes (R13). The stored base
 * may still hold it, and so may the log: it is expired there too. The next image of the leaf
 * decides which entries go:
 *
 * <pre>
 *   next image   stored base              entry in memory    expired
 *   delta        k: small                 k: small           goes
 *   delta        k: location              k: location        stays: the base counts the large value
 *   delta        k: anything or nothing   k: small, marked   stays: it may hide a large value of the
 *                                                            base, which was given up when it came
 *   base         any                      any                goes
 * </pre>
 *
 * @param cut stamp up to which versions that nobody reads may go
 * @param floor not above the cut nor any snapshot
 * @param snapshots the open snapshots, ascending
 * @param expiry by the earliest clock of the open snapshots and of those to come
 * @param newBase whether the next image of the leaf is a base: then nothing depends on the stored
 *     one
 */
@SuppressWarnings("ArrayRecordComponent") // one a pruning, never compared
public record Horizon(long cut, long floor, long[] snapshots, Expiry expiry, boolean newBase) {
  /** Keeps every version with its stamp. */
  public static final Horizon KEEP_ALL = new Horizon(0, 0, new long[0]);

  /** A horizon at which nothing has expired. */
  public Horizon(long cut, long floor, long[] snapshots) {
    this(cut, floor, snapshots, Expiry.NEVER);
  }

  /** A horizon for leaves whose stored bases stay. */
  public Horizon(long cut, long floor, long[] snapshots, Expiry expiry) {
    this(cut, floor, snapshots, expiry, false);
  }

  /** Checks the order of floor, snapshots and cut. */
  public Horizon {
    if (floor > cut || (snapshots.length > 0 && floor > snapshots[0])) {
      throw new IllegalArgumentException(
          "floor above cut or snapshot: floor="
              + floor
              + ", cut="
              + cut
              + ", snapshots="
              + Arrays.toString(snapshots));
    }
    for (int i = 1; i < snapshots.length; i++) {
      if (snapshots[i - 1] > snapshots[i]) {
        throw new IllegalArgumentException(
            "snapshots not ascending: snapshots=" + Arrays.toString(snapshots));
      }
    }
  }

  /** The horizon of a moment without open snapshots: everything at or below the cut is settled. */
  public static Horizon at(long cut) {
    return new Horizon(cut, cut, new long[0]);
  }

  /** This horizon for a leaf whose next image is a base. */
  public Horizon forNewBase() {
    return forNext(true);
  }

  /**
   * This horizon for a leaf that is about to differ from its images.
   *
   * @param base whether its next image is a base
   */
  public Horizon forNext(boolean base) {
    return base == newBase ? this : new Horizon(cut, floor, snapshots, expiry, base);
  }

  /**
   * Whether everything that a family wrote up to a millisecond has expired for all snapshots.
   *
   * @param newest milliseconds of the newest stamp
   */
  public boolean letsFamily(int family, long newest) {
    return newest < floor >>> Expiry.STAMP_SHIFT && expiry.isFamilyPast(family, newest, 0);
  }

  /** Whether a family that has written until a millisecond expires before long, or has. */
  public boolean nearlyLetsFamily(int family, long newest, int share) {
    return expiry.isFamilyPast(family, newest, share);
  }

  /**
   * Whether an entry that keeps its stamp may go: it has expired for all snapshots, and the stored
   * base does not need it.
   *
   * @param op of the entry
   */
  public boolean lets(int tagLabel, long stamp, int op) {
    boolean needed = !newBase && (Op.isLocation(op) || Op.isUnstored(op));
    return !needed && stamp <= floor && expiry.isPast(tagLabel, stamp);
  }

  /**
   * Whether a version must stay.
   *
   * @param stamp the version's
   * @param newer stamp of the next newer version of the key, {@link Long#MAX_VALUE} if it is the
   *     newest
   */
  boolean keeps(long stamp, long newer) {
    if (stamp > cut || newer > cut) {
      return true;
    }
    int i = Arrays.binarySearch(snapshots, stamp);
    int first = i >= 0 ? i : -i - 1;
    return first < snapshots.length && snapshots[first] < newer;
  }

  @Override
  public String toString() {
    return "Horizon[cut="
        + cut
        + ", floor="
        + floor
        + ", snapshots="
        + Arrays.toString(snapshots)
        + "]";
  }
}
