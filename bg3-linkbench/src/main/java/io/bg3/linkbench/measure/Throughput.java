package io.bg3.linkbench.measure;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * How evenly a store answers: its operations in each second, and their latency in seconds in which
 * a checkpoint ended, beside that in the others. Immutable.
 */
final class Throughput {
  private static final int HIGH = 99;
  private static final long MILLIS_IN_SECOND = 1_000;
  private static final double NANOS_IN_MICRO = 1e3;

  /** Intervals that are shorter say little about a rate; the last one may be. */
  private static final long SHORTEST_MILLIS = MILLIS_IN_SECOND / 2;

  /**
   * The rate of a second, or of about one.
   *
   * @param end milliseconds since 1970
   * @param rate operations a second
   */
  record Second(long end, double rate) {}

  private final List<Interval> intervals;
  private final List<Second> seconds = new ArrayList<>();

  Throughput(List<Interval> intervals) {
    this.intervals = intervals;
    long last = intervals.isEmpty() ? 0 : intervals.get(0).begin();
    for (Interval interval : intervals) {
      addIdle(last, interval.begin());
      long millis = interval.end() - interval.begin();
      if (millis >= SHORTEST_MILLIS) {
        seconds.add(
            new Second(interval.end(), interval.count() * (double) MILLIS_IN_SECOND / millis));
      }
      last = interval.end();
    }
  }

  /** An interval without any operation is not recorded. */
  private void addIdle(long from, long to) {
    long at = from;
    while (to - at >= SHORTEST_MILLIS) {
      at = Math.min(to, at + MILLIS_IN_SECOND);
      seconds.add(new Second(at, 0));
    }
  }

  /** All seconds, those without an operation too, in their order. */
  List<Second> seconds() {
    return List.copyOf(seconds);
  }

  /** The rate that half of the seconds exceed; 0 if there are no seconds. */
  double median() {
    return seconds.isEmpty()
        ? 0
        : seconds.stream().mapToDouble(Second::rate).sorted().toArray()[seconds.size() / 2];
  }

  /** The least rate; 0 if there are no seconds. */
  double least() {
    return seconds.stream().mapToDouble(Second::rate).min().orElse(0);
  }

  /** The number of seconds with less than half of the median. */
  long belowHalf() {
    double half = median() / 2;
    return seconds.stream().filter(second -> second.rate() < half).count();
  }

  /** Prints one line, and one more if checkpoints are known. */
  void print(PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "SECONDS: %d, operations/second: median=%,.0f, least=%,.0f, seconds below half of the"
            + " median=%d%n",
        seconds.size(),
        median(),
        least(),
        belowHalf());
    long checkpoints = intervals.stream().mapToLong(Interval::checkpoints).sum();
    if (checkpoints > 0) {
      out.printf(
          Locale.ROOT,
          "CHECKPOINTS: %d, p99 us in the seconds in which one ended=%,.1f, in the others=%,.1f%n",
          checkpoints,
          high(true),
          high(false));
    }
  }

  /** p99 of all operations in microseconds, of the intervals with or without checkpoints. */
  private double high(boolean checkpoints) {
    Histogram all = new Histogram(Recording.DIGITS);
    for (Interval interval : intervals) {
      if (interval.checkpoints() > 0 == checkpoints) {
        interval.histograms().values().forEach(all::add);
      }
    }
    return all.getValueAtPercentile(HIGH) / NANOS_IN_MICRO;
  }
}
