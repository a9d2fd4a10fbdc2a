package io.bg3.linkbench.measure;

import io.bg3.linkbench.workload.Operation;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.HdrHistogram.HistogramLogWriter;

/**
 * The latencies of a phase, and how they are told: as a table, as CSV in LinkBench's format, as an
 * interval log of HdrHistogram.
 *
 * <p>Immutable.
 */
public final class Results {
  private static final double NANOS_IN_MILLI = 1e6;
  private static final String CHECKPOINT = "CHECKPOINT"; // a tag in logs
  private static final int[] PERCENTILES = {25, 50, 75, 95, 99};

  private final long begin;
  private final long end;
  private final Map<Operation, Histogram> totals;
  private final List<Interval> intervals;
  private final HeapSamples heap;
  private final long failures;

  Results(
      long begin,
      long end,
      Map<Operation, Histogram> totals,
      List<Interval> intervals,
      HeapSamples heap,
      long failures) {
    this.begin = begin;
    this.end = end;
    this.totals = totals;
    this.intervals = intervals;
    this.heap = heap;
    this.failures = failures;
  }

  /**
   * Reads a log that {@link #writeLog} or another program wrote, with operations as tags.
   *
   * @throws IOException if it cannot be read or has nothing of ours in it
   */
  public static Results readLog(Path file) throws IOException {
    Measured measured = new Measured();
    try (HistogramLogReader reader = new HistogramLogReader(Files.newInputStream(file))) {
      while (reader.hasNext()) {
        if (reader.nextIntervalHistogram() instanceof Histogram histogram) {
          measured.add(histogram);
        }
      }
    } catch (RuntimeException e) {
      throw new IOException("not a log of HdrHistogram: file=" + file, e);
    }
    if (measured.intervals.isEmpty()) {
      throw new IOException("no latencies of LinkBench's operations: file=" + file);
    }
    return measured.results();
  }

  /** Puts together what a log holds in lines. */
  private static final class Measured {
    private final Map<Operation, Histogram> totals = new EnumMap<>(Operation.class);
    private final List<Interval> intervals = new ArrayList<>();

    void add(Histogram histogram) {
      if (CHECKPOINT.equals(histogram.getTag())) {
        addCheckpoints(histogram);
        return;
      }
      Operation operation;
      try {
        operation = Operation.valueOf(String.valueOf(histogram.getTag()));
      } catch (IllegalArgumentException e) {
        return; // a line of another program
      }
      totals.computeIfAbsent(operation, key -> new Histogram(Recording.DIGITS)).add(histogram);
      Interval last = intervals.isEmpty() ? null : intervals.get(intervals.size() - 1);
      if (last == null || last.begin() != histogram.getStartTimeStamp()) {
        last =
            new Interval(
                histogram.getStartTimeStamp(),
                histogram.getEndTimeStamp(),
                new EnumMap<>(Operation.class),
                0);
        intervals.add(last);
      }
      last.histograms().put(operation, histogram);
    }

    /** Those of an interval follow its operations. */
    private void addCheckpoints(Histogram histogram) {
      int at = intervals.size() - 1;
      if (at >= 0 && intervals.get(at).begin() == histogram.getStartTimeStamp()) {
        Interval last = intervals.get(at);
        intervals.set(
            at,
            new Interval(last.begin(), last.end(), last.histograms(), histogram.getTotalCount()));
      }
    }

    Results results() {
      long begin = intervals.get(0).begin();
      long end = intervals.get(intervals.size() - 1).end();
      return new Results(begin, end, totals, intervals, new HeapSamples(), 0);
    }
  }

  List<Interval> intervals() {
    return intervals;
  }

  /** The number of operations. */
  public long count() {
    return totals.values().stream().mapToLong(Histogram::getTotalCount).sum();
  }

  /** The number of operations of a kind. */
  public long count(Operation operation) {
    return totals.containsKey(operation) ? totals.get(operation).getTotalCount() : 0;
  }

  /** The latency in nanoseconds that so many percent of a kind of operations did not exceed. */
  public long nanos(Operation operation, int percentile) {
    return totals.get(operation).getValueAtPercentile(percentile);
  }

  /**
   * Bytes of heap that an operation of a kind allocated on average in the thread that asked; -1 if
   * that is not known.
   */
  public long heap(Operation operation) {
    return heap.mean(operation);
  }

  /** The number of operations that failed; they are not in {@link #count()}. */
  public long failures() {
    return failures;
  }

  /** For how long it was measured. */
  public double seconds() {
    return Math.max(1, end - begin) / 1e3;
  }

  /** Prints a line for each operation, latencies in microseconds, heap in bytes if it is known. */
  public void printTable(PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "%-16s %12s %10s %10s %10s %12s %10s %8s%n",
        "operation",
        "count",
        "p50 us",
        "p95 us",
        "p99 us",
        "max us",
        "mean us",
        "heap B");
    totals.forEach(
        (operation, histogram) ->
            out.printf(
                Locale.ROOT,
                "%-16s %,12d %,10.1f %,10.1f %,10.1f %,12.1f %,10.1f %8s%n",
                operation,
                histogram.getTotalCount(),
                histogram.getValueAtPercentile(50) / 1e3,
                histogram.getValueAtPercentile(95) / 1e3,
                histogram.getValueAtPercentile(99) / 1e3,
                histogram.getMaxValue() / 1e3,
                histogram.getMean() / 1e3,
                heap(operation) < 0 ? "" : String.format(Locale.ROOT, "%,d", heap(operation))));
  }

  /** Prints how even the seconds were, and what checkpoints did to them. */
  public void printSeconds(PrintWriter out) {
    new Throughput(intervals).print(out);
  }

  /** The operations of the second with the fewest. */
  public double leastPerSecond() {
    return new Throughput(intervals).least();
  }

  /** Writes LinkBench's columns, in milliseconds: for each percentile the bounds of its bucket. */
  public void writeCsv(Path file) throws IOException {
    DecimalFormat number =
        new DecimalFormat("#.####", DecimalFormatSymbols.getInstance(Locale.ROOT));
    try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
      out.write("op,count");
      for (int percentile : PERCENTILES) {
        out.write(",p" + percentile + "_low,p" + percentile + "_high");
      }
      out.write(",max,mean\n");
      for (Map.Entry<Operation, Histogram> entry : totals.entrySet()) {
        Histogram histogram = entry.getValue();
        out.write(entry.getKey() + "," + histogram.getTotalCount());
        for (int percentile : PERCENTILES) {
          long value = histogram.getValueAtPercentile(percentile);
          out.write("," + number.format(histogram.lowestEquivalentValue(value) / NANOS_IN_MILLI));
          out.write("," + number.format(histogram.nextNonEquivalentValue(value) / NANOS_IN_MILLI));
        }
        out.write("," + number.format(histogram.getMaxValue() / NANOS_IN_MILLI));
        out.write("," + number.format(histogram.getMean() / NANOS_IN_MILLI) + "\n");
      }
    }
  }

  /**
   * Writes one line for each interval and operation, in nanoseconds, the operation as the tag; and
   * one that counts checkpoints for each interval in which some ended.
   */
  public void writeLog(Path file) throws IOException {
    try (PrintStream stream =
        new PrintStream(Files.newOutputStream(file), false, StandardCharsets.UTF_8)) {
      HistogramLogWriter log = new HistogramLogWriter(stream);
      log.outputLogFormatVersion();
      log.outputComment("[latencies of LinkBench's operations in nanoseconds]");
      log.outputStartTime(begin);
      log.setBaseTime(begin);
      log.outputBaseTime(begin);
      log.outputLegend();
      for (Interval interval : intervals) {
        interval.histograms().values().forEach(log::outputIntervalHistogram);
        if (interval.checkpoints() > 0) {
          log.outputIntervalHistogram(checkpoints(interval));
        }
      }
      if (stream.checkError()) {
        throw new IOException("cannot write the log: file=" + file);
      }
    }
  }

  private static Histogram checkpoints(Interval interval) {
    Histogram histogram = new Histogram(Recording.DIGITS);
    histogram.recordValueWithCount(0, interval.checkpoints());
    histogram.setTag(CHECKPOINT);
    histogram.setStartTimeStamp(interval.begin());
    histogram.setEndTimeStamp(interval.end());
    return histogram;
  }
}
