package io.bg3.linkbench.workload;

import java.util.Random;

/**
 * Zipf's law: the k-th number in proportion to k to the power of minus the shape. Drawn by the
 * inversion that Gray and others gave in "Quickly generating billion-record synthetic databases"
 * (SIGMOD 1994).
 */
final class Zipf implements Distribution {
  private final long first;
  private final long count;
  private final double shape;
  private final double scale;
  private final double sum;
  private final double exponent;
  private final double slope;
  private final double second;

  /**
   * The law over {@code count} numbers.
   *
   * @param shape above 0
   * @param scale what {@link #expected} is multiplied by
   */
  Zipf(long first, long count, double shape, double scale) {
    this.first = first;
    this.count = count;
    this.shape = shape;
    this.scale = scale;
    this.sum = Harmonic.number(count, shape);
    this.exponent = 1 / (1 - shape);
    this.second = Math.pow(0.5, shape);
    this.slope = (1 - Math.pow(2.0 / count, 1 - shape)) / (1 - Harmonic.exact(2, shape) / sum);
  }

  @Override
  public long choose(Random random) {
    double drawn = random.nextDouble();
    double mass = drawn * sum;
    if (mass < 1) {
      return first;
    }
    if (mass < 1 + second) {
      return first + Math.min(1, count - 1);
    }
    long rank = (long) (count * Math.pow(slope * drawn - slope + 1, exponent));
    return first + Math.min(rank, count - 1);
  }

  @Override
  public double expected(long number) {
    return scale / Math.pow((double) (number + 1 - first), shape) / sum;
  }
}
