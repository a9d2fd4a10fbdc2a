package io.bg3.core.recovery;

import io.bg3.storage.extent.ExtentUsage;
import io.bg3.storage.extent.Stream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Chooses the extents that one round of reclaiming empties: as many as bring the space
 * amplification below the bound, in the order of the policy; of images (BASE and DELTA) and of
 * values (VALUE) apart.
 *
 * <pre>
 *   W  bytes of the extents     L  live bytes of them
 *   nothing is chosen while W &lt;= bound * L, or W is that of a few extents
 *   a victim with w bytes, l of them live, makes W smaller by w - l, once it has gone
 *   victims are chosen until W &lt;= (bound - 0.05) * L
 * </pre>
 *
 * <p>Images of which a checkpoint writes new ones are kept until its end. So before it, extents of
 * which little is live are emptied below the bound too, as far as they make room for what the next
 * checkpoint is expected to append: for each byte copied at least two become free.
 */
final class ReclaimChoice {
  /** Extents at the ends of streams, which cannot go, are a large part of a store this small. */
  static final int FEW_EXTENTS = 4;

  /** How far below the bound a round gets, so that the next one is not due at once. */
  private static final double MARGIN = 0.05;

  /** An extent that is appended to is sealed and emptied if its garbage is this part of all. */
  private static final int TAIL_SHARE = 20;

  /** An extent with so much garbage for each live byte is cheap to empty. */
  private static final int CHEAP = 2;

  /**
   * Cheap extents are emptied for the next checkpoint's sake from this part of the live bytes on.
   */
  private static final int CHEAP_SHARE = 16;

  /** One round copies at most this part of the live bytes. */
  private static final int ROUND_SHARE = 8;

  private final List<ExtentUsage> victims = new ArrayList<>();

  /** Bytes that may still be copied. */
  private long copies;

  /** Bytes of garbage that have to go. */
  private double excess;

  /** Bytes that are to go besides, as far as that is cheap. */
  private final double expected;

  private ReclaimChoice(long copies, double excess, double expected) {
    this.copies = copies;
    this.excess = excess;
    this.expected = expected;
  }

  /**
   * Chooses the victims of a round.
   *
   * @param rows usage of some extents
   * @param kept extents that are no victims now
   * @param window see {@link io.bg3.storage.extent.ExtentStore#window}
   * @param extentSize bytes of an extent that is full
   * @param room bytes that may be copied
   * @param expected bytes that the next checkpoint may append
   * @param superseded bytes that count as live and that only the last manifest names
   * @return extents to be emptied
   */
  static List<ExtentUsage> victims(
      List<ExtentUsage> rows,
      Set<Integer> kept,
      ReclaimSettings settings,
      long window,
      long extentSize,
      long room,
      long expected,
      long superseded) {
    SpaceUsage space = SpaceUsage.of(rows).without(superseded);
    if (!isAbove(settings, space, extentSize)
        && !isWorthwhile(rows, kept, settings, space, extentSize, expected)) {
      return List.of();
    }
    List<ExtentUsage> candidates =
        rows.stream()
            .filter(usage -> garbage(usage) > 0 && !kept.contains(usage.extent()))
            .toList();
    List<ExtentUsage> sealed = candidates.stream().filter(ExtentUsage::sealed).toList();
    List<ExtentUsage> tails =
        candidates.stream()
            .filter(usage -> !usage.sealed() && garbage(usage) > space.written() / TAIL_SHARE)
            .toList();
    ReclaimPolicy policy = settings.policy();
    ReclaimChoice choice =
        new ReclaimChoice(
            Math.min(room, Math.max(space.live() / ROUND_SHARE, FEW_EXTENTS * extentSize)),
            space.written() - (settings.maxAmplification() - MARGIN) * space.live(),
            expected);
    choice.take(policy.order(sealed, window));
    choice.take(policy.order(tails, window));
    return choice.victims;
  }

  /** Whether extents that are cheap to empty would make much room for the next checkpoint. */
  private static boolean isWorthwhile(
      List<ExtentUsage> rows,
      Set<Integer> kept,
      ReclaimSettings settings,
      SpaceUsage space,
      long extentSize,
      long expected) {
    long cheap =
        rows.stream()
            .filter(usage -> usage.sealed() && isCheap(usage) && !kept.contains(usage.extent()))
            .mapToLong(ReclaimChoice::garbage)
            .sum();
    return cheap > space.live() / CHEAP_SHARE
        && isAbove(settings, new SpaceUsage(space.written() + expected, space.live()), extentSize);
  }

  private static boolean isCheap(ExtentUsage usage) {
    return garbage(usage) >= CHEAP * usage.liveInFile();
  }

  /** Whether extents that take this space are to be reclaimed. */
  static boolean isAbove(ReclaimSettings settings, SpaceUsage space, long extentSize) {
    return !settings.isOff()
        && space.written() > FEW_EXTENTS * extentSize
        && space.written() > settings.maxAmplification() * space.live();
  }

  /** The extents that hold images of pages. */
  static List<ExtentUsage> images(List<ExtentUsage> rows) {
    return rows.stream()
        .filter(usage -> usage.stream() == Stream.BASE || usage.stream() == Stream.DELTA)
        .toList();
  }

  /** The extents that hold large values. */
  static List<ExtentUsage> values(List<ExtentUsage> rows) {
    return rows.stream().filter(usage -> usage.stream() == Stream.VALUE).toList();
  }

  private void take(List<ExtentUsage> order) {
    for (ExtentUsage usage : order) {
      boolean wanted = excess > 0 || (excess + expected > 0 && isCheap(usage));
      if (wanted && usage.liveInFile() <= copies) {
        victims.add(usage);
        copies -= usage.liveInFile();
        excess -= garbage(usage);
      }
    }
  }

  private static long garbage(ExtentUsage usage) {
    return usage.written() - usage.liveInFile();
  }
}
