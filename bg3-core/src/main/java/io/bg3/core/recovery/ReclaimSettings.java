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

  boolean isOff() {
    return maxAmplification == 0;
  }
}
