package io.bg3.linkbench.workload;

import java.util.Random;

/**
 * The number of trials until a success, from a first number on; what lies beyond the end counts as
 * the last.
 */
record Geometric(long first, long count, double probability, double scale) implements Distribution {
  @Override
  public long choose(Random random) {
    double drawn = random.nextDouble();
    if (drawn == 0) {
      return first;
    }
    long trials = (long) Math.ceil(Math.log(1 - drawn) / Math.log(1 - probability));
    return first + Math.min(trials, count - 1);
  }

  @Override
  public double expected(long number) {
    return Math.pow(1 - probability, (double) (number - first)) * probability * scale;
  }
}
