package io.bg3.core.recovery;

import io.bg3.storage.extent.ExtentUsage;
import io.bg3.storage.extent.Stream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The extents that one round of reclaiming empties: as many as bring the space amplification below
 * the bound, in the order of the policy.
 *
 * <pre>
 *   W  bytes of the BASE and DELTA extents     L  live bytes of them
 *   nothing is chosen while W &lt;= bound * L, or W is that of a few extents
 *   a victim with w bytes, l of them live, makes W smaller by w - l, once it has gone
 *   victims are chosen until W &lt;= (bound - 0.05) * L
 * </pre>
 *
 * @param victims extents to be emptied
 */
record ReclaimChoice(List<ExtentUsage> victims) {
  /** Extents at the ends of streams, which cannot go, are a large part of a store this small. */
  private static final int FEW_EXTENTS = 4;

  /** How far below the bound a round gets, so that the next one is not due at once. */
  private static final double MARGIN = 0.05;

  /** An extent that is appended to is sealed and emptied if its garbage is this part of all. */
  private static final int TAIL_SHARE = 20;

  /** One round copies at most this part of the live bytes. */
  private static final int ROUND_SHARE = 8;

  private static final ReclaimChoice NOTHING = new ReclaimChoice(List.of());

  /**
   * Chooses the victims of a round.
   *
   * @param rows usage of all extents; those of other streams are passed over
   * @param kept extents that are no victims, because of a record in them that cannot be read
   * @param window see {@link io.bg3.storage.extent.ExtentStore#window}
   * @param extentSize bytes of an extent that is full
   * @param room bytes that may be copied
   */
  static ReclaimChoice of(
      List<ExtentUsage> rows,
      Set<Integer> kept,
      ReclaimSettings settings,
      long window,
      long extentSize,
      long room) {
    List<ExtentUsage> images = rows.stream().filter(ReclaimChoice::isImages).toList();
    long written = images.stream().mapToLong(ExtentUsage::written).sum();
    long live = images.stream().mapToLong(ExtentUsage::liveInFile).sum();
    if (!isAbove(settings, written, live, extentSize)) {
      return NOTHING;
    }
    long most = Math.min(room, Math.max(live / ROUND_SHARE, FEW_EXTENTS * extentSize));
    ReclaimChoice choice = new ReclaimChoice(new ArrayList<>());
    double excess = written - (settings.maxAmplification() - MARGIN) * live;
    List<ExtentUsage> candidates =
        images.stream()
            .filter(usage -> garbage(usage) > 0 && !kept.contains(usage.extent()))
            .toList();
    List<ExtentUsage> sealed = candidates.stream().filter(ExtentUsage::sealed).toList();
    List<ExtentUsage> tails =
        candidates.stream()
            .filter(usage -> !usage.sealed() && garbage(usage) > written / TAIL_SHARE)
            .toList();
    ReclaimPolicy policy = settings.policy();
    excess = choice.take(policy.order(sealed, window), excess, most);
    choice.take(policy.order(tails, window), excess, most);
    return choice;
  }

  /** Whether so many bytes for so many live ones are to be reclaimed. */
  static boolean isAbove(ReclaimSettings settings, long written, long live, long extentSize) {
    return !settings.isOff()
        && written > FEW_EXTENTS * extentSize
        && written > settings.maxAmplification() * live;
  }

  static boolean isImages(ExtentUsage usage) {
    return usage.stream() == Stream.BASE || usage.stream() == Stream.DELTA;
  }

  private double take(List<ExtentUsage> order, double excess, long most) {
    double left = excess;
    long copied = victims.stream().mapToLong(ExtentUsage::liveInFile).sum();
    for (ExtentUsage usage : order) {
      if (left <= 0) {
        break;
      }
      if (copied + usage.liveInFile() <= most) {
        victims.add(usage);
        copied += usage.liveInFile();
        left -= garbage(usage);
      }
    }
    return left;
  }

  private static long garbage(ExtentUsage usage) {
    return usage.written() - usage.liveInFile();
  }
}
