package io.bg3.core.recovery;

import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.extent.Stream;

/**
 * Says when the store needs a new manifest, the length of the log apart: it looks at the bytes
 * appended since the last one, the rows that wait for a manifest in memory, and the space of images
 * and large values that only a manifest gives up.
 *
 * <p>Threads: any may ask. A manifest or a checkpoint writes the fields under the {@link RowLock};
 * they are volatile.
 */
final class ManifestDemand {
  /** A manifest is due when the rows that the last one names take this part of the budget. */
  private static final int NAMED_SHARE = 64;

  /** Images that only the last manifest names matter from this part of the live bytes on. */
  private static final int KEPT_SHARE = 32;

  /** New values matter from this part of the live ones on. */
  private static final int NEW_VALUES_SHARE = 4;

  private final ExtentStore extents;
  private final NamedRows named;
  private final ReclaimSettings reclaim;
  private final long mostNamedBytes;

  private volatile long appended;
  private volatile long appendedValues;
  private volatile long liveValues;

  /** Bytes kept for the last manifest alone when it was last known not to be worth a checkpoint. */
  private volatile long lookedAtKept;

  /** The demand of a store that has just been opened. */
  ManifestDemand(OpenedStore store, ReclaimSettings reclaim) {
    this.extents = store.extents();
    this.named = store.named();
    this.reclaim = reclaim;
    this.mostNamedBytes = store.space().table().budget().limit() / NAMED_SHARE;
    this.appended = extents.appendedBytes();
    checkpointed(extents.appendedBytes(Stream.VALUE));
  }

  /** Says that the manifest has been replaced. */
  void replaced() {
    appended = extents.appendedBytes();
    lookedAtKept = 0;
  }

  /**
   * Says that a checkpoint has been taken, which knows what values are live.
   *
   * @param notedValues how many bytes of values were appended when it noted the pages
   */
  void checkpointed(long notedValues) {
    liveValues = SpaceUsage.of(ReclaimChoice.values(extents.usage())).live();
    appendedValues = notedValues;
  }

  /** Bytes that were appended to the extents since the last manifest. */
  long appendedSince() {
    return extents.appendedBytes() - appended;
  }

  /** Whether settings put no bound to the space, so that it asks for nothing. */
  boolean isUnbounded() {
    return reclaim.isOff();
  }

  /** Whether so many rows have changed since the last manifest that they take too much memory. */
  boolean hasManyChangedRows() {
    return named.bytes() >= mostNamedBytes;
  }

  /**
   * Whether so many values were appended since the last checkpoint that the space of those which
   * they replace matters: only a checkpoint finds out which values are garbage. It begins when half
   * of what may be appended is, because extents are deleted by the checkpoint after the one that
   * has found out.
   */
  boolean hasManyNewValues() {
    long fresh = extents.appendedBytes(Stream.VALUE) - appendedValues;
    return !isUnbounded() && fresh >= mostNewValues() / 2;
  }

  /** Bytes of new values for which no checkpoint begins. */
  long mostNewValues() {
    return Math.max(
        ReclaimChoice.FEW_EXTENTS * (long) extents.extentSize(), liveValues / NEW_VALUES_SHARE);
  }

  /** Whether images that only the last manifest names are what is too much. */
  boolean hasManyKeptImages() {
    long kept = named.keptBytes();
    if (isUnbounded() || kept < lookedAtKept + extents.extentSize() || !isMuch(kept)) {
      return false;
    }
    boolean above = isAbove(isMuch(named.keptOfOthers()) ? reclaim.near() : reclaim);
    lookedAtKept = above ? 0 : kept;
    return above;
  }

  /**
   * Whether a manifest of rows (R52) is worth while, because it gives up many images, or rows take
   * too much memory.
   */
  boolean wantsRowsNamed() {
    return !isUnbounded() && (hasManyChangedRows() || isMuch(named.keptOfOthers()));
  }

  /**
   * Whether images take so much space, without those that are superseded, that extents are to be
   * emptied.
   */
  boolean isNearBound() {
    return isAbove(reclaim.near());
  }

  /** Whether so many bytes are worth a manifest. */
  private boolean isMuch(long kept) {
    return kept >= Math.max(extents.extentSize(), extents.liveBytes() / KEPT_SHARE);
  }

  private boolean isAbove(ReclaimSettings settings) {
    SpaceUsage space = SpaceUsage.of(ReclaimChoice.images(extents.usage()));
    return ReclaimChoice.isAbove(settings, space.without(named.keptBytes()), extents.extentSize());
  }
}
