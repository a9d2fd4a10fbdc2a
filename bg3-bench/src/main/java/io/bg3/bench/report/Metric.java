package io.bg3.bench.report;

import java.util.Arrays;
import java.util.List;

/**
 * Something that was measured several times.
 *
 * @param work what was done
 * @param system who did it
 * @param setting what has to be known to understand it; figures with the same work and setting are
 *     compared
 * @param unit of the values
 * @param higherIsBetter whether more is better
 * @param answer what came out, equal in all systems; empty if that is not compared
 * @param rounds one value for each time, in the order of the measurements
 */
public record Metric(
    String work,
    String system,
    String setting,
    String unit,
    boolean higherIsBetter,
    String answer,
    List<Double> rounds) {
  /** The system of figures that the BG3 paper reports; they were not measured here. */
  public static final String REPORTED = "paper-reported";

  public Metric {
    if (rounds.isEmpty()) {
      throw new IllegalArgumentException("no rounds: work=" + work + ", system=" + system);
    }
    rounds = List.copyOf(rounds);
  }

  /** A figure that was measured once and has no answer to compare. */
  public static Metric single(
      String work,
      String system,
      String setting,
      String unit,
      boolean higherIsBetter,
      double value) {
    return new Metric(work, system, setting, unit, higherIsBetter, "", List.of(value));
  }

  /** The middle one of the rounds, or the mean of the two in the middle. */
  public double median() {
    double[] sorted = sorted();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** The smallest of the rounds. */
  public double low() {
    return sorted()[0];
  }

  /** The largest of the rounds. */
  public double high() {
    return sorted()[rounds.size() - 1];
  }

  /** Half the distance from the smallest to the largest, in parts of the median. */
  public double spread() {
    return median() == 0 ? 0 : (high() - low()) / 2 / Math.abs(median());
  }

  /**
   * The factor by which this figure is better than another, above 1 being better; NaN if that says
   * nothing.
   */
  public double ratio(Metric other) {
    double ours = median();
    double theirs = other.median();
    double ratio = higherIsBetter ? ours / theirs : theirs / ours;
    return Double.isFinite(ratio) ? ratio : Double.NaN;
  }

  /** Whether the other one was measured by the same work in the same setting. */
  public boolean isOfSameKind(Metric other) {
    return work.equals(other.work) && setting.equals(other.setting) && unit.equals(other.unit);
  }

  /** Whether the BG3 paper reports the figure. */
  public boolean isReported() {
    return system.equals(REPORTED);
  }

  private double[] sorted() {
    double[] sorted = rounds.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(sorted);
    return sorted;
  }
}
