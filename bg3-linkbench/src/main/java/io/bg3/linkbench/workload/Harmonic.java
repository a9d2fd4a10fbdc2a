package io.bg3.linkbench.workload;

/** Generalised harmonic numbers: the sum of k to the power of minus m, for k from 1 to n. */
final class Harmonic {
  private static final long EXACT = 100_000;
  private static final double EULER = 0.577_215_664_901_532_9;

  /** Fitted: with it the integral is within 0.2 % of the sum for any m from 0 to 1. */
  private static final double CORRECTION = 0.58;

  private Harmonic() {}

  /** The sum; by an approximation where n is large and m at most 1. */
  static double number(long n, double m) {
    if (m > 1 || n < EXACT) {
      return exact(n, m);
    }
    if (m == 1) {
      return Math.log((double) n) + EULER;
    }
    return (Math.pow((double) n, 1 - m) - 1) / (1 - m) + CORRECTION;
  }

  /** The sum, smallest summands first. */
  static double exact(long n, double m) {
    double sum = 0;
    for (long k = n; k > 0; k--) {
      sum += 1 / Math.pow((double) k, m);
    }
    return sum;
  }
}
