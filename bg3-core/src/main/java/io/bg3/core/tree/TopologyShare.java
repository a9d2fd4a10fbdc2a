package io.bg3.core.tree;

/**
 * How much of the images of leaves their topology takes, as a guess for the next image: a read of
 * its topology ends there. The guess is the mean of the shares that were seen, and twice their mean
 * deviation, both of which weigh an older share less; so TCP guesses the time of a round trip.
 *
 * <p>Threads: any. A share that another thread adds meanwhile may be lost.
 */
final class TopologyShare {
  /** Of a share that is added, in the mean. */
  private static final float WEIGHT = 1 / 16f;

  /** Deviations above the mean, so that few topologies are longer than the guess. */
  private static final float DEVIATIONS = 2;

  /** The mean while no image was seen. */
  private static final float NONE = -1;

  private volatile float mean = NONE;

  private volatile float deviation;

  /**
   * Bytes of the image of a leaf up to the end of its topology, by those that were seen; all if
   * none was.
   *
   * @param all bytes of the image
   */
  int guess(long all) {
    float seen = mean;
    float share = seen == NONE ? 1 : Math.min(1, seen + DEVIATIONS * deviation);
    return (int) Math.min(Integer.MAX_VALUE, (long) Math.ceil(share * (double) all));
  }

  /**
   * Adds an image.
   *
   * @param needed its bytes up to the end of its topology
   * @param all its bytes
   */
  void add(long needed, long all) {
    float share = (float) needed / all;
    float before = mean;
    if (before == NONE) {
      deviation = share / 4;
      mean = share;
      return;
    }
    float usual = deviation;
    deviation = usual + (Math.abs(share - before) - usual) * WEIGHT;
    mean = before + (share - before) * WEIGHT;
  }
}
