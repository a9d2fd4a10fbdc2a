package io.bg3.core.tree;

/**
 * How much of the images of leaves their topology takes, as a guess for the next image: a read of
 * its topology ends there. The guess is the mean of the shares that were seen, and twice their mean
 * deviation. Both weigh an older share less, as TCP's estimate of a round trip does.
 *
 * <p>Threads: any. A share that another thread adds meanwhile may be lost.
 */
final class TopologyShare {
  /** Of a share that is added, in the mean. */
  private static final float WEIGHT = 1 / 16f;

  /** Deviations above the mean, so that few topologies are longer than the guess. */
  private static final float DEVIATIONS = 2;

  /**
   * Images whose topology cannot be loaded alone tend to lie together. So behind one that many are
   * read as a whole; twice as many behind the next, up to the most, if none was loaded in between.
   */
  private static final int LEAST_WHOLE = 4;

  private static final int MOST_WHOLE = 64;

  /** The mean while no image was seen. */
  private static final float NONE = -1;

  private volatile float mean = NONE;

  private volatile float deviation;

  /** How many images will be read as a whole. */
  private volatile int whole;

  /**
   * How many were, behind the last one whose topology could not be loaded alone; 0 since others.
   */
  private volatile int wholeBefore;

  /**
   * Bytes of the image of a leaf up to the end of its topology, by those that were seen; all if
   * none was.
   *
   * @param all bytes of the image
   */
  int guess(long all) {
    int left = whole;
    if (left > 0) {
      whole = left - 1;
      return (int) all;
    }
    float seen = mean;
    float share = seen == NONE ? 1 : Math.min(1, seen + DEVIATIONS * deviation);
    return (int) Math.min(Integer.MAX_VALUE, (long) Math.ceil(share * (double) all));
  }

  /**
   * Says that a page could not be loaded from the topology of its image alone: an earlier release
   * has written the image, or the page refers to large values, or has a large delta.
   */
  void refused() {
    int next = Math.max(LEAST_WHOLE, Math.min(MOST_WHOLE, 2 * wholeBefore));
    wholeBefore = next;
    whole = next;
  }

  /** Says that a page was loaded from the topology of its image alone. */
  void worked() {
    if (wholeBefore != 0) {
      wholeBefore = 0;
    }
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
