package io.bg3.core.recovery;

/**
 * How much more than its live bytes a store may take, and how it keeps to that.
 *
 * @param policy which extents are emptied first
 * @param maxAmplification bytes of the BASE and DELTA extents for each live byte in them, from 1.1
 *     on; 0 = nothing is reclaimed but extents without live bytes
 */
public record ReclaimSettings(ReclaimPolicy policy, double maxAmplification) {
  /** Nothing is moved. */
  public static final ReclaimSettings OFF = new ReclaimSettings(ReclaimPolicy.COST_BENEFIT, 0);

  static final double LEAST = 1.1;

  /** The part that a store at rest may take of what it may take beyond its live bytes. */
  private static final double AT_REST_SHARE = 0.6;

  /** How far below the bound extents begin to be emptied. */
  private static final double MARGIN = 0.05;

  /**
   * Checks the range.
   *
   * @throws IllegalArgumentException if the amplification is neither 0 nor 1.1 or more
   */
  public ReclaimSettings {
    if (maxAmplification != 0 && !(maxAmplification >= LEAST)) {
      throw new IllegalArgumentException(
          "space amplification must be 0, or "
              + LEAST
              + " or more: maxAmplification="
              + maxAmplification);
    }
  }

  /**
   * The bound from which on extents are emptied, so that a store which is written to keeps to its
   * own.
   */
  ReclaimSettings near() {
    return isOff() ? this : new ReclaimSettings(policy, Math.max(LEAST, maxAmplification - MARGIN));
  }

  /** The bound of a store that nobody writes to: three fifths of the excess, so 1.3 for 1.5. */
  ReclaimSettings atRest() {
    return isOff()
        ? this
        : new ReclaimSettings(policy, Math.max(LEAST, 1 + (maxAmplification - 1) * AT_REST_SHARE));
  }

  boolean isOff() {
    return maxAmplification == 0;
  }
}
