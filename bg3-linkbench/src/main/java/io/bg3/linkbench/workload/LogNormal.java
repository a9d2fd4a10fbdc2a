package io.bg3.linkbench.workload;

import java.util.Random;

/**
 * Sizes of payloads: the logarithm is normal with the deviation 1, so that the size has a median
 * and a long tail. A value outside of [0, end) is moved to its edge.
 */
record LogNormal(double median, int end) {
  int choose(Random random) {
    long size = Math.round(Math.exp(random.nextGaussian() + Math.log(median)));
    return (int) Math.min(size, end - 1L);
  }
}
