package io.bg3.linkbench.workload;

/**
 * A cumulative distribution of small whole numbers, as points: at most this value with at least
 * this probability.
 *
 * <p>Immutable.
 */
final class Cdf {
  private final int[] values;
  private final double[] probabilities;

  /** Points in ascending order of both, at least one; the last counts as certain. */
  Cdf(int[] values, double[] probabilities) {
    assert values.length == probabilities.length && values.length > 0 : values.length;
    this.values = values.clone();
    this.probabilities = probabilities.clone();
  }

  /** The value of the first point that reaches a probability. */
  int valueAt(double probability) {
    int low = 0;
    int high = values.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (probabilities[middle] >= probability) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return values[low];
  }

  /**
   * At i: how many accesses there are for each node that are the first to i-th of their node. The
   * last is the mean.
   */
  double[] accessMass() {
    int largest = values[values.length - 1];
    double[] atLeast = new double[largest + 1];
    atLeast[values[0]] = probabilities[0];
    for (int i = 1; i < values.length; i++) {
      atLeast[values[i]] = probabilities[i] - probabilities[i - 1];
    }
    for (int value = largest - 1; value >= 0; value--) {
      atLeast[value] += atLeast[value + 1];
    }
    atLeast[0] = 0;
    for (int value = 1; value <= largest; value++) {
      atLeast[value] += atLeast[value - 1];
    }
    return atLeast;
  }
}
